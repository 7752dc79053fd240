package dev.plumbline.kernel.cpu;

import dev.plumbline.kernel.Batch;
import dev.plumbline.kernel.CompressorWeights;
import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.Entries;
import dev.plumbline.kernel.HyperWeights;
import dev.plumbline.kernel.IndexScoring;
import dev.plumbline.kernel.KernelChecks;
import dev.plumbline.kernel.KernelException;
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
import java.util.Map;
import java.util.Optional;

/**
 * The {@code cpu} backend: own kernels in C++, vectorised for the best instruction set of the machine. The environment
 * variable {@value #ISA_VARIABLE} forces one of plain, avx2, avx512, avx512bf16, amx.
 */
public final class CpuKernels implements Kernels {
    /** Environment variable that forces an instruction set. */
    public static final String ISA_VARIABLE = "PLUMBLINE_ISA";

    private final CpuContext context;
    private final CacheCalls caches;
    private final int threads;

    private CpuKernels(CpuContext context, int threads) {
        this.context = context;
        this.caches = new CacheCalls(context);
        this.threads = threads;
    }

    /**
     * A backend of that many threads.
     *
     * @throws KernelException with one sentence if the native library is absent or cannot be loaded, or if the
     *     instruction set that {@value #ISA_VARIABLE} names is not available
     */
    public static CpuKernels create(int threads) {
        String isa = System.getenv(ISA_VARIABLE);
        return create(threads, isa == null || isa.isBlank() ? null : isa);
    }

    /** The same with an instruction set, null for the fastest. */
    public static CpuKernels create(int threads, String isa) {
        return new CpuKernels(new CpuContext(threads, isa), threads);
    }

    /** Why {@link #create(int)} would fail for want of the native library, or nothing. */
    public static Optional<String> unavailableReason() {
        return NativeLibrary.unavailableReason();
    }

    /** Instruction sets of this machine that the library has kernels for, slowest first. */
    public static List<String> availableIsas() {
        NativeLibrary.require();
        return List.of(Native.availableIsas().split(","));
    }

    @Override
    public String backend() {
        return "cpu";
    }

    @Override
    public String description() {
        return "C++ kernels for " + context.isa() + " on " + threads + (threads == 1 ? " thread" : " threads");
    }

    @Override
    public Map<String, String> code() {
        return NativeLibrary.code();
    }

    @Override
    public Optional<String> refusal(PrecisionProfile profile) {
        return CpuFlags.SUPPORT.refusal(profile);
    }

    /** Bytes of native memory that tensors and weights hold. */
    public long allocatedBytes() {
        return context.allocated().get();
    }

    @Override
    public Tensor allocate(DType dtype, long... shape) {
        context.call();
        return CpuTensor.allocate(dtype, shape, context.allocated());
    }

    @Override
    public void touch(Tensor fresh) {
        CpuTensor own = CpuTensor.of(fresh);
        if (own.elements() > 0) {
            Native.touch(own.address());
        }
    }

    @Override
    public void upload(float[] source, int offset, int length, Tensor target, long at) {
        long address = context.transfer("upload", DType.FP32, source.length, offset, length, target, at);
        CpuContext.done(Native.writeFloats(address, target.dtype().ordinal(), at, source, offset, length), "upload");
    }

    @Override
    public void upload(int[] source, int offset, int length, Tensor target, long at) {
        long address = context.transfer("upload", DType.INT32, source.length, offset, length, target, at);
        Native.writeInts(address, at, source, offset, length);
    }

    @Override
    public void upload(byte[] source, int offset, int length, Tensor target, long at) {
        long address = context.transfer("upload", DType.BYTE, source.length, offset, length, target, at);
        Native.writeBytes(address, at, source, offset, length);
    }

    @Override
    public void download(Tensor source, long at, float[] target, int offset, int length) {
        long address = context.transfer("download", DType.FP32, target.length, offset, length, source, at);
        CpuContext.done(Native.readFloats(address, source.dtype().ordinal(), at, target, offset, length), "download");
    }

    @Override
    public void download(Tensor source, long at, int[] target, int offset, int length) {
        long address = context.transfer("download", DType.INT32, target.length, offset, length, source, at);
        Native.readInts(address, at, target, offset, length);
    }

    @Override
    public void download(Tensor source, long at, byte[] target, int offset, int length) {
        long address = context.transfer("download", DType.BYTE, target.length, offset, length, source, at);
        Native.readBytes(address, at, target, offset, length);
    }

    @Override
    public void synchronize() {
        context.call(); // every kernel has finished when it returns
    }

    @Override
    public LinearWeight linearWeight(WeightSource source, int outputs, int inputs, DType form) {
        return new CpuLinearWeight(context.call(), context.isa(), source, outputs, inputs, form, context.allocated());
    }

    @Override
    public Variant embed(Batch batch, Tensor table, Tensor streams) {
        KernelChecks.embed(batch, table, streams);
        return context.variant(Native.embed(
                context.call(),
                context.batch(batch),
                table.dtype().ordinal(),
                table.dim(0),
                table.dim(1),
                streams.dim(1),
                context.address(table),
                context.address(streams)));
    }

    @Override
    public Variant angles(Batch batch, Tensor frequencies, Tensor table) {
        KernelChecks.angles(batch, frequencies, table);
        return context.variant(Native.angles(
                context.call(),
                context.batch(batch),
                frequencies.dim(0),
                context.address(frequencies),
                context.address(table)));
    }

    @Override
    public Variant visible(Batch batch, int ratio, Tensor counts) {
        KernelChecks.visible(batch, ratio, counts);
        return context.variant(Native.visible(context.call(), context.batch(batch), ratio, context.address(counts)));
    }

    @Override
    public Variant mix(Tensor streams, HyperWeights weights, Tensor post, Tensor comb, Tensor collapsed) {
        KernelChecks.mix(streams, weights, post, comb, collapsed);
        return context.variant(Native.mix(
                context.call(),
                streams.dim(0),
                streams.dim(1),
                streams.dim(2),
                context.address(streams),
                context.address(weights.fn()),
                weights.fn().dtype().ordinal(),
                context.address(weights.base()),
                context.address(weights.scale()),
                weights.iterations(),
                weights.hcEps(),
                weights.normEps(),
                context.address(post),
                context.address(comb),
                context.address(collapsed)));
    }

    @Override
    public Variant unmix(Tensor y, Tensor post, Tensor comb, Tensor streams) {
        KernelChecks.unmix(y, post, comb, streams);
        return context.variant(Native.unmix(
                context.call(),
                streams.dim(0),
                streams.dim(1),
                streams.dim(2),
                context.address(y),
                context.address(post),
                context.address(comb),
                context.address(streams)));
    }

    @Override
    public Variant collapse(Tensor streams, HyperWeights weights, Tensor collapsed) {
        KernelChecks.collapse(streams, weights, collapsed);
        return context.variant(Native.collapse(
                context.call(),
                streams.dim(0),
                streams.dim(1),
                streams.dim(2),
                context.address(streams),
                context.address(weights.fn()),
                weights.fn().dtype().ordinal(),
                context.address(weights.base()),
                context.address(weights.scale()),
                weights.hcEps(),
                weights.normEps(),
                context.address(collapsed)));
    }

    @Override
    public Variant rmsNorm(Tensor x, Tensor weight, float eps, Tensor y) {
        KernelChecks.rmsNorm(x, weight, y);
        CpuTensor rows = CpuTensor.of(x);
        return context.variant(Native.rmsNorm(
                context.call(),
                rows.outerRows(),
                rows.width(),
                context.address(x),
                context.addressOrNull(weight),
                eps,
                context.address(y)));
    }

    @Override
    public Variant linear(Tensor x, LinearWeight weight, Tensor y) {
        KernelChecks.linear(x, weight, y);
        return context.variant(Native.linear(
                context.call(), x.dim(0), context.address(x), context.address(weight), context.address(y)));
    }

    @Override
    public Variant groupedLinear(Tensor x, List<? extends LinearWeight> weights, Tensor y) {
        KernelChecks.groupedLinear(x, weights, y);
        return context.variant(Native.groupedLinear(
                context.call(), x.dim(0), context.address(x), context.addresses(weights), context.address(y)));
    }

    @Override
    public Variant rope(Tensor x, Tensor table, boolean inverse) {
        KernelChecks.rope(x, table);
        return context.variant(Native.rope(
                context.call(),
                x.dim(0),
                x.dim(1),
                x.dim(2),
                table.dim(1),
                context.address(x),
                context.address(table),
                inverse));
    }

    @Override
    public Variant transform(Tensor x, KeyTransform transform) {
        KernelChecks.transform(x, transform);
        return caches.transform(x, transform);
    }

    @Override
    public Variant windowKeys(Tensor x, Tensor weight, float eps, Tensor table, KeyTransform transform, Tensor out) {
        KernelChecks.windowKeys(x, weight, table, transform, out);
        return caches.windowKeys(x, weight, eps, table, transform, out);
    }

    @Override
    public Variant appendRing(Batch batch, Tensor source, Pool ring) {
        KernelChecks.appendRing(batch, source, ring);
        return caches.appendRing(batch, source, ring);
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
        return caches.compress(batch, weights, projected, state, pages, pool, transform, shadow);
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
        return caches.indexScores(batch, rowFrom, q, headWeights, keys, pages, counts, scoring, scores);
    }

    @Override
    public Variant topK(Tensor scores, Tensor counts, TopkAlgorithm algorithm, Tensor ids, Tensor found) {
        KernelChecks.topK(scores, counts, ids, found);
        return context.variant(Native.topK(
                context.call(),
                algorithm == TopkAlgorithm.SORT,
                scores.dim(0),
                scores.dim(1),
                context.address(scores),
                context.address(counts),
                ids.dim(1),
                context.address(ids),
                context.address(found)));
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
        return caches.attention(batch, q, keys, ring, entries, sinks, scale, decode, out, logSumExp);
    }

    @Override
    public Variant route(
            Batch batch, Tensor logits, Tensor bias, Tensor table, float scaling, Tensor ids, Tensor weights) {
        KernelChecks.route(batch, logits, bias, table, ids, weights);
        return context.variant(Native.route(
                context.call(),
                context.batch(batch),
                logits.dim(1),
                ids.dim(1),
                context.address(logits),
                context.addressOrNull(bias),
                context.addressOrNull(table),
                table == null ? 0 : table.dim(0),
                scaling,
                context.address(ids),
                context.address(weights)));
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
        return context.variant(Native.experts(
                context.call(),
                context.batch(batch),
                x.dim(1),
                ids.dim(1),
                context.address(x),
                context.address(ids),
                context.address(weights),
                context.addresses(gateUp),
                context.addresses(down),
                limit,
                scaling != null,
                scaling == null ? 1 : scaling,
                context.address(y)));
    }

    @Override
    public Variant swiglu(Tensor gateUp, float limit, Tensor h) {
        KernelChecks.swiglu(gateUp, h);
        return context.variant(
                Native.swiglu(context.call(), h.dim(0), h.dim(1), context.address(gateUp), limit, context.address(h)));
    }

    @Override
    public Variant gatherRows(Tensor x, Tensor rows, Tensor out) {
        KernelChecks.gatherRows(x, rows, out);
        long sourceRows = x.dim(0);
        return context.variant(Native.gatherRows(
                context.call(),
                sourceRows,
                sourceRows == 0 ? 0 : x.bytes() / sourceRows,
                context.address(x),
                context.address(rows),
                rows.dim(0),
                context.address(out)));
    }

    @Override
    public Variant sample(Tensor logits, Sampling sampling, Tensor ids) {
        KernelChecks.sample(logits, sampling, ids);
        return context.variant(Native.sample(
                context.call(),
                logits.dim(0),
                logits.dim(1),
                context.address(logits),
                NativeSampling.fields(context, sampling),
                context.address(ids)));
    }

    @Override
    public Variant logProbabilities(Tensor logits, Tensor ids, Tensor chosen, Tensor topIds, Tensor top) {
        KernelChecks.logProbabilities(logits, ids, chosen, topIds, top);
        return context.variant(Native.logProbabilities(
                context.call(),
                logits.dim(0),
                logits.dim(1),
                context.address(logits),
                context.address(ids),
                context.address(chosen),
                topIds.dim(1),
                context.address(topIds),
                context.address(top)));
    }

    @Override
    public void close() {
        context.close();
    }
}
