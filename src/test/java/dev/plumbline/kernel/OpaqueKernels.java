package dev.plumbline.kernel;

import dev.plumbline.precision.AttentionDecode;
import dev.plumbline.precision.PrecisionProfile;
import dev.plumbline.precision.TopkAlgorithm;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A backend whose tensors cannot be read by the host. A forward pass that runs on it never looks at device data, which
 * is what capturing it needs. Reading is allowed for tensors named by {@link #allowDownload}, their views, and tensors
 * that the predicate accepts.
 */
public final class OpaqueKernels implements Kernels {
    private final Kernels inner;
    private final Predicate<Tensor> readable;
    private int downloads;
    private int synchronizations;

    /** Nothing is readable until {@link #allowDownload} says so. */
    public OpaqueKernels(Kernels inner) {
        this(inner, tensor -> false);
    }

    /** Tensors that {@code readable} accepts may be read. */
    public OpaqueKernels(Kernels inner, Predicate<Tensor> readable) {
        this.inner = inner;
        this.readable = readable;
    }

    /** Lets the host read this tensor, its views, and the tensor that it is a view of. */
    public void allowDownload(Tensor tensor) {
        ((OpaqueTensor) tensor).allow();
    }

    /** Successful reads so far. */
    public int downloads() {
        return downloads;
    }

    /** Calls of {@link #synchronize} so far. */
    public int synchronizations() {
        return synchronizations;
    }

    @Override
    public Optional<String> refusal(PrecisionProfile profile) {
        return inner.refusal(profile);
    }

    private Tensor readable(Tensor source) {
        if (!((OpaqueTensor) source).isReadable() && !readable.test(source)) {
            throw new IllegalStateException("the host read " + source);
        }
        downloads++;
        return inner(source);
    }

    private static Tensor inner(Tensor tensor) {
        return OpaqueTensor.unwrap(tensor);
    }

    private static Batch inner(Batch b) {
        return b == null
                ? null
                : new Batch(
                        b.rows(),
                        b.sequences(),
                        b.maxContext(),
                        inner(b.tokens()),
                        inner(b.positions()),
                        inner(b.sequenceOf()),
                        inner(b.firstRow()),
                        inner(b.slots()),
                        inner(b.stages()),
                        inner(b.csaPages()),
                        inner(b.hcaPages()));
    }

    private static HyperWeights inner(HyperWeights w) {
        return new HyperWeights(
                inner(w.fn()), inner(w.base()), inner(w.scale()), w.iterations(), w.hcEps(), w.normEps());
    }

    private static CompressorWeights inner(CompressorWeights w) {
        return new CompressorWeights(
                w.ratio(),
                w.overlapping(),
                w.headDim(),
                inner(w.ape()),
                inner(w.norm()),
                w.eps(),
                inner(w.frequencies()));
    }

    private static Pool inner(Pool p) {
        return p == null ? null : new Pool(inner(p.data()), p.format());
    }

    private static IndexScoring inner(IndexScoring s) {
        return new IndexScoring(s.scoreType(), inner(s.gathered()));
    }

    private static Entries inner(Entries e) {
        return e == null ? null : new Entries(inner(e.pool()), inner(e.pages()), inner(e.ids()), inner(e.counts()));
    }

    private static Sampling inner(Sampling s) {
        return new Sampling(
                inner(s.adjustmentStart()),
                inner(s.adjustmentToken()),
                inner(s.adjustment()),
                inner(s.temperature()),
                inner(s.topP()),
                inner(s.seed()),
                inner(s.choice()),
                inner(s.position()));
    }

    @Override
    public String backend() {
        return inner.backend();
    }

    @Override
    public String description() {
        return "Opaque: " + inner.description();
    }

    @Override
    public Tensor allocate(DType dtype, long... shape) {
        return new OpaqueTensor(inner.allocate(dtype, shape));
    }

    @Override
    public void upload(float[] source, int offset, int length, Tensor target, long at) {
        inner.upload(source, offset, length, inner(target), at);
    }

    @Override
    public void upload(int[] source, int offset, int length, Tensor target, long at) {
        inner.upload(source, offset, length, inner(target), at);
    }

    @Override
    public void upload(byte[] source, int offset, int length, Tensor target, long at) {
        inner.upload(source, offset, length, inner(target), at);
    }

    @Override
    public void download(Tensor source, long at, byte[] target, int offset, int length) {
        inner.download(readable(source), at, target, offset, length);
    }

    @Override
    public void download(Tensor source, long at, float[] target, int offset, int length) {
        inner.download(readable(source), at, target, offset, length);
    }

    @Override
    public void download(Tensor source, long at, int[] target, int offset, int length) {
        inner.download(readable(source), at, target, offset, length);
    }

    @Override
    public void synchronize() {
        synchronizations++;
        inner.synchronize();
    }

    @Override
    public LinearWeight linearWeight(WeightSource source, int outputs, int inputs, DType form) {
        return inner.linearWeight(source, outputs, inputs, form);
    }

    @Override
    public Variant embed(Batch batch, Tensor table, Tensor streams) {
        return inner.embed(inner(batch), inner(table), inner(streams));
    }

    @Override
    public Variant angles(Batch batch, Tensor frequencies, Tensor table) {
        return inner.angles(inner(batch), inner(frequencies), inner(table));
    }

    @Override
    public Variant visible(Batch batch, int ratio, Tensor counts) {
        return inner.visible(inner(batch), ratio, inner(counts));
    }

    @Override
    public Variant mix(Tensor streams, HyperWeights weights, Tensor post, Tensor comb, Tensor collapsed) {
        return inner.mix(inner(streams), inner(weights), inner(post), inner(comb), inner(collapsed));
    }

    @Override
    public Variant unmix(Tensor y, Tensor post, Tensor comb, Tensor streams) {
        return inner.unmix(inner(y), inner(post), inner(comb), inner(streams));
    }

    @Override
    public Variant collapse(Tensor streams, HyperWeights weights, Tensor collapsed) {
        return inner.collapse(inner(streams), inner(weights), inner(collapsed));
    }

    @Override
    public Variant rmsNorm(Tensor x, Tensor weight, float eps, Tensor y) {
        return inner.rmsNorm(inner(x), inner(weight), eps, inner(y));
    }

    @Override
    public Variant linear(Tensor x, LinearWeight weight, Tensor y) {
        return inner.linear(inner(x), weight, inner(y));
    }

    @Override
    public Variant groupedLinear(Tensor x, List<? extends LinearWeight> weights, Tensor y) {
        return inner.groupedLinear(inner(x), weights, inner(y));
    }

    @Override
    public Variant rope(Tensor x, Tensor table, boolean inverse) {
        return inner.rope(inner(x), inner(table), inverse);
    }

    @Override
    public Variant transform(Tensor x, KeyTransform transform) {
        return inner.transform(inner(x), transform);
    }

    @Override
    public Variant windowKeys(Tensor x, Tensor weight, float eps, Tensor table, KeyTransform transform, Tensor out) {
        return inner.windowKeys(inner(x), inner(weight), eps, inner(table), transform, inner(out));
    }

    @Override
    public Variant appendRing(Batch batch, Tensor source, Pool ring) {
        return inner.appendRing(inner(batch), inner(source), inner(ring));
    }

    @Override
    public Variant compress(
            Batch batch,
            CompressorWeights weights,
            Tensor projected,
            Tensor state,
            Tensor pages,
            Pool pool,
            KeyTransform transform,
            Tensor shadow) {
        return inner.compress(
                inner(batch),
                inner(weights),
                inner(projected),
                inner(state),
                inner(pages),
                inner(pool),
                transform,
                inner(shadow));
    }

    @Override
    public Variant indexScores(
            Batch batch,
            int rowFrom,
            Tensor q,
            Tensor headWeights,
            Pool keys,
            Tensor pages,
            Tensor counts,
            IndexScoring scoring,
            Tensor scores) {
        return inner.indexScores(
                inner(batch),
                rowFrom,
                inner(q),
                inner(headWeights),
                inner(keys),
                inner(pages),
                inner(counts),
                inner(scoring),
                inner(scores));
    }

    @Override
    public Variant topK(Tensor scores, Tensor counts, TopkAlgorithm algorithm, Tensor ids, Tensor found) {
        return inner.topK(inner(scores), inner(counts), algorithm, inner(ids), inner(found));
    }

    @Override
    public Variant attention(
            Batch batch,
            Tensor q,
            Tensor keys,
            Pool ring,
            Entries entries,
            Tensor sinks,
            float scale,
            AttentionDecode decode,
            Tensor out,
            Tensor logSumExp) {
        return inner.attention(
                inner(batch),
                inner(q),
                inner(keys),
                inner(ring),
                inner(entries),
                inner(sinks),
                scale,
                decode,
                inner(out),
                inner(logSumExp));
    }

    @Override
    public Variant route(
            Batch batch, Tensor logits, Tensor bias, Tensor table, float scaling, Tensor ids, Tensor weights) {
        return inner.route(inner(batch), inner(logits), inner(bias), inner(table), scaling, inner(ids), inner(weights));
    }

    @Override
    public Variant experts(
            Batch batch,
            Tensor x,
            Tensor ids,
            Tensor weights,
            List<? extends LinearWeight> gateUp,
            List<? extends LinearWeight> down,
            float limit,
            Float scaling,
            Tensor y) {
        return inner.experts(
                inner(batch), inner(x), inner(ids), inner(weights), gateUp, down, limit, scaling, inner(y));
    }

    @Override
    public Variant swiglu(Tensor gateUp, float limit, Tensor h) {
        return inner.swiglu(inner(gateUp), limit, inner(h));
    }

    @Override
    public Variant gatherRows(Tensor x, Tensor rows, Tensor out) {
        return inner.gatherRows(inner(x), inner(rows), inner(out));
    }

    @Override
    public Variant sample(Tensor logits, Sampling sampling, Tensor ids) {
        return inner.sample(inner(logits), inner(sampling), inner(ids));
    }

    @Override
    public Variant logProbabilities(Tensor logits, Tensor ids, Tensor chosen, Tensor topIds, Tensor top) {
        return inner.logProbabilities(inner(logits), inner(ids), inner(chosen), inner(topIds), inner(top));
    }

    @Override
    public void close() {
        inner.close();
    }
}
