package dev.plumbline.kernel.reference;

import dev.plumbline.kernel.Batch;
import dev.plumbline.kernel.CompressorWeights;
import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.Entries;
import dev.plumbline.kernel.HyperWeights;
import dev.plumbline.kernel.IndexScoring;
import dev.plumbline.kernel.KernelChecks;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.KeyTransform;
import dev.plumbline.kernel.LinearWeight;
import dev.plumbline.kernel.Pool;
import dev.plumbline.kernel.Sampling;
import dev.plumbline.kernel.Tensor;
import dev.plumbline.kernel.Variant;
import dev.plumbline.kernel.WeightSource;
import dev.plumbline.precision.AttentionDecode;
import dev.plumbline.precision.PrecisionProfile;
import dev.plumbline.precision.TopkAlgorithm;
import java.util.List;
import java.util.Optional;

/** Every kernel in plain Java. The arithmetic is the same on every machine and for every number of threads. */
public final class ReferenceKernels implements Kernels {
    private final Workers workers;
    private final LinearKernel linear;
    private final NormKernels norms;
    private final RowKernels rows;
    private final HyperKernels hyper;
    private final Transforms transforms;
    private final CompressKernel compress;
    private final IndexKernel index;
    private final TopKKernel topK;
    private final AttentionKernel attention;
    private final RouteKernel route;
    private final ExpertsKernel experts;
    private final SampleKernel sample;
    private final LogProbabilityKernel logProbabilities;

    /** A backend that shares the work of a call among {@code threads} threads, the caller included. */
    public ReferenceKernels(int threads) {
        workers = new Workers(threads);
        linear = new LinearKernel(workers);
        norms = new NormKernels(workers);
        rows = new RowKernels(workers);
        hyper = new HyperKernels(workers);
        transforms = new Transforms(workers);
        compress = new CompressKernel(workers);
        index = new IndexKernel(workers);
        topK = new TopKKernel(workers);
        attention = new AttentionKernel(workers);
        route = new RouteKernel(workers);
        experts = new ExpertsKernel(workers, linear, rows);
        sample = new SampleKernel(workers);
        logProbabilities = new LogProbabilityKernel(workers);
    }

    @Override
    public String backend() {
        return "reference";
    }

    @Override
    public String description() {
        return "Plain Java " + Runtime.version().feature() + " on " + workers.threads()
                + (workers.threads() == 1 ? " thread" : " threads");
    }

    /** Half of what the Java heap may grow to. */
    @Override
    public long usableBytes() {
        return Runtime.getRuntime().maxMemory() / 2;
    }

    @Override
    public Optional<String> refusal(PrecisionProfile profile) {
        return ReferenceFlags.SUPPORT.refusal(profile);
    }

    @Override
    public Tensor allocate(DType dtype, long... shape) {
        return HostTensor.allocate(dtype, shape);
    }

    @Override
    public void upload(float[] source, int offset, int length, Tensor target, long at) {
        KernelChecks.transfer("upload", DType.FP32, source.length, offset, length, target, at);
        HostTensor.of(target).write(source, offset, length, at);
    }

    @Override
    public void upload(int[] source, int offset, int length, Tensor target, long at) {
        KernelChecks.transfer("upload", DType.INT32, source.length, offset, length, target, at);
        HostTensor.of(target).write(source, offset, length, at);
    }

    @Override
    public void upload(byte[] source, int offset, int length, Tensor target, long at) {
        KernelChecks.transfer("upload", DType.BYTE, source.length, offset, length, target, at);
        HostTensor.of(target).write(source, offset, length, at);
    }

    @Override
    public void download(Tensor source, long at, float[] target, int offset, int length) {
        KernelChecks.transfer("download", DType.FP32, target.length, offset, length, source, at);
        HostTensor.of(source).read(at, target, offset, length);
    }

    @Override
    public void download(Tensor source, long at, int[] target, int offset, int length) {
        KernelChecks.transfer("download", DType.INT32, target.length, offset, length, source, at);
        HostTensor.of(source).read(at, target, offset, length);
    }

    @Override
    public void download(Tensor source, long at, byte[] target, int offset, int length) {
        KernelChecks.transfer("download", DType.BYTE, target.length, offset, length, source, at);
        HostTensor.of(source).read(at, target, offset, length);
    }

    @Override
    public void synchronize() {
        // every call has finished its work when it returns
    }

    @Override
    public LinearWeight linearWeight(WeightSource source, int outputs, int inputs, DType form) {
        return new PackedLinear(source, outputs, inputs, form);
    }

    @Override
    public Variant embed(Batch batch, Tensor table, Tensor streams) {
        KernelChecks.embed(batch, table, streams);
        return rows.embed(batch, HostTensor.of(table), HostTensor.of(streams));
    }

    @Override
    public Variant angles(Batch batch, Tensor frequencies, Tensor table) {
        KernelChecks.angles(batch, frequencies, table);
        return rows.angles(batch, HostTensor.of(frequencies), HostTensor.of(table));
    }

    @Override
    public Variant visible(Batch batch, int ratio, Tensor counts) {
        KernelChecks.visible(batch, ratio, counts);
        return rows.visible(batch, ratio, HostTensor.of(counts));
    }

    @Override
    public Variant mix(Tensor streams, HyperWeights weights, Tensor post, Tensor comb, Tensor collapsed) {
        KernelChecks.mix(streams, weights, post, comb, collapsed);
        return hyper.mix(
                HostTensor.of(streams), weights, HostTensor.of(post), HostTensor.of(comb), HostTensor.of(collapsed));
    }

    @Override
    public Variant unmix(Tensor y, Tensor post, Tensor comb, Tensor streams) {
        KernelChecks.unmix(y, post, comb, streams);
        return hyper.unmix(HostTensor.of(y), HostTensor.of(post), HostTensor.of(comb), HostTensor.of(streams));
    }

    @Override
    public Variant collapse(Tensor streams, HyperWeights weights, Tensor collapsed) {
        KernelChecks.collapse(streams, weights, collapsed);
        return hyper.collapse(HostTensor.of(streams), weights, HostTensor.of(collapsed));
    }

    @Override
    public Variant rmsNorm(Tensor x, Tensor weight, float eps, Tensor y) {
        KernelChecks.rmsNorm(x, weight, y);
        return norms.rmsNorm(HostTensor.of(x), HostTensor.ofNullable(weight), eps, HostTensor.of(y));
    }

    @Override
    public Variant linear(Tensor x, LinearWeight weight, Tensor y) {
        KernelChecks.linear(x, weight, y);
        return linear.linear(HostTensor.of(x), weight, HostTensor.of(y));
    }

    @Override
    public Variant groupedLinear(Tensor x, List<? extends LinearWeight> weights, Tensor y) {
        KernelChecks.groupedLinear(x, weights, y);
        return linear.grouped(HostTensor.of(x), weights, HostTensor.of(y));
    }

    @Override
    public Variant rope(Tensor x, Tensor table, boolean inverse) {
        KernelChecks.rope(x, table);
        return norms.rope(HostTensor.of(x), HostTensor.of(table), inverse);
    }

    @Override
    public Variant transform(Tensor x, KeyTransform transform) {
        KernelChecks.transform(x, transform);
        return transforms.transform(HostTensor.of(x), transform);
    }

    @Override
    public Variant windowKeys(Tensor x, Tensor weight, float eps, Tensor table, KeyTransform transform, Tensor out) {
        KernelChecks.windowKeys(x, weight, table, transform, out);
        return norms.windowKeys(
                HostTensor.of(x), HostTensor.of(weight), eps, HostTensor.of(table), transform, HostTensor.of(out));
    }

    @Override
    public Variant appendRing(Batch batch, Tensor source, Pool ring) {
        KernelChecks.appendRing(batch, source, ring);
        return rows.appendRing(batch, HostTensor.of(source), new PoolRows(ring));
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
        KernelChecks.compress(batch, weights, projected, state, pages, pool, transform, shadow);
        return compress.compress(
                batch,
                weights,
                HostTensor.of(projected),
                HostTensor.of(state),
                HostTensor.of(pages),
                new PoolRows(pool),
                transform,
                HostTensor.ofNullable(shadow));
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
        KernelChecks.indexScores(batch, rowFrom, q, headWeights, keys, pages, counts, scoring, scores);
        return index.scores(
                batch,
                rowFrom,
                HostTensor.of(q),
                HostTensor.of(headWeights),
                new PoolRows(keys),
                HostTensor.of(pages),
                HostTensor.of(counts),
                scoring,
                HostTensor.of(scores));
    }

    @Override
    public Variant topK(Tensor scores, Tensor counts, TopkAlgorithm algorithm, Tensor ids, Tensor found) {
        KernelChecks.topK(scores, counts, ids, found);
        return topK.topK(
                HostTensor.of(scores), HostTensor.of(counts), algorithm, HostTensor.of(ids), HostTensor.of(found));
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
        KernelChecks.attention(batch, q, keys, ring, entries, sinks, decode, out, logSumExp);
        return attention.attention(
                batch,
                HostTensor.of(q),
                HostTensor.of(keys),
                new PoolRows(ring),
                entries,
                HostTensor.of(sinks),
                scale,
                decode,
                HostTensor.of(out),
                HostTensor.ofNullable(logSumExp));
    }

    @Override
    public Variant route(
            Batch batch, Tensor logits, Tensor bias, Tensor table, float scaling, Tensor ids, Tensor weights) {
        KernelChecks.route(batch, logits, bias, table, ids, weights);
        return route.route(
                batch,
                HostTensor.of(logits),
                HostTensor.ofNullable(bias),
                HostTensor.ofNullable(table),
                scaling,
                HostTensor.of(ids),
                HostTensor.of(weights));
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
        KernelChecks.experts(batch, x, ids, weights, gateUp, down, y);
        return experts.experts(
                batch,
                HostTensor.of(x),
                HostTensor.of(ids),
                HostTensor.of(weights),
                gateUp,
                down,
                limit,
                scaling,
                HostTensor.of(y));
    }

    @Override
    public Variant swiglu(Tensor gateUp, float limit, Tensor h) {
        KernelChecks.swiglu(gateUp, h);
        return rows.swiglu(HostTensor.of(gateUp), limit, HostTensor.of(h));
    }

    @Override
    public Variant gatherRows(Tensor x, Tensor rowIds, Tensor out) {
        KernelChecks.gatherRows(x, rowIds, out);
        return rows.gatherRows(HostTensor.of(x), HostTensor.of(rowIds), HostTensor.of(out));
    }

    @Override
    public Variant sample(Tensor logits, Sampling sampling, Tensor ids) {
        KernelChecks.sample(logits, sampling, ids);
        return sample.sample(HostTensor.of(logits), sampling, HostTensor.of(ids));
    }

    @Override
    public Variant logProbabilities(Tensor logits, Tensor ids, Tensor chosen, Tensor topIds, Tensor top) {
        KernelChecks.logProbabilities(logits, ids, chosen, topIds, top);
        return logProbabilities.run(
                HostTensor.of(logits),
                HostTensor.of(ids),
                HostTensor.of(chosen),
                HostTensor.of(topIds),
                HostTensor.of(top));
    }

    @Override
    public void close() {
        workers.close();
    }
}
