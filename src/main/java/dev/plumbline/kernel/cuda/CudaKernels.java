package dev.plumbline.kernel.cuda;

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
import dev.plumbline.kernel.cuda.CudaContext.Scratch;
import dev.plumbline.precision.AttentionDecode;
import dev.plumbline.precision.PrecisionProfile;
import dev.plumbline.precision.TopkAlgorithm;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The {@code cuda} backend. Calls enqueue and return; wrong arguments that only the device sees are reported at the next
 * wait, with the launch that met them.
 */
public final class CudaKernels implements Kernels {
    private static final int THREADS = 256;
    private static final int WARP = 32;
    private static final int COLUMNS = 128;
    private static final int SORT_PAIR_BYTES = 8;
    private static final int WARP_NORM_WIDTH = 1024;

    private final CudaContext context;
    private final Call call;
    private final Transfers transfers;
    private final Linears linears;
    private final CacheCalls caches;
    private final SparseAttention sparse;
    private final Graphs graphs;

    CudaKernels(Device device, long budget) {
        this.context = new CudaContext(device, budget);
        this.call = new Call(context);
        this.transfers = new Transfers(context);
        this.linears = new Linears(context, call);
        this.caches = new CacheCalls(call);
        this.sparse = new SparseAttention(context, call);
        this.graphs = new Graphs(context);
    }

    /**
     * A backend on this machine's first GPU.
     *
     * @throws KernelException with one sentence if there is none, or no driver, or one that is too old
     */
    public static CudaKernels create() {
        NvidiaProbe.Outcome outcome = NvidiaProbe.outcome();
        if (outcome.device() == null) {
            throw new KernelException(outcome.reason());
        }
        return new CudaKernels(outcome.device(), Long.MAX_VALUE);
    }

    /** Why {@link #create} would fail, or nothing. */
    public static Optional<String> unavailableReason() {
        return Optional.ofNullable(NvidiaProbe.outcome().reason());
    }

    /** Whether this machine seems to have an NVIDIA driver, usable or not; costs nothing. */
    public static boolean driverSeen() {
        return NvidiaProbe.driverSeen();
    }

    @Override
    public String backend() {
        return "cuda";
    }

    @Override
    public String description() {
        return context.device().description();
    }

    @Override
    public Optional<Kernels> rehearsal() {
        return Optional.of(new CudaKernels(new RehearsalDevice(context.device()), Long.MAX_VALUE));
    }

    @Override
    public Map<String, String> code() {
        return context.device().code();
    }

    @Override
    public Optional<String> refusal(PrecisionProfile profile) {
        return CudaFlags.SUPPORT.refusal(profile);
    }

    /** Bytes of device memory that tensors, weights and scratch hold. */
    public long allocatedBytes() {
        return context.ledger().allocatedBytes();
    }

    @Override
    public Tensor allocate(DType dtype, long... shape) {
        DeviceStream stream = context.stream();
        CudaTensor tensor = CudaTensor.allocate(dtype, shape, context.ledger());
        stream.zero(tensor.address(), tensor.bytes());
        return tensor;
    }

    @Override
    public void upload(float[] source, int offset, int length, Tensor target, long at) {
        transfers.upload(source, offset, length, target, at);
    }

    @Override
    public void upload(int[] source, int offset, int length, Tensor target, long at) {
        transfers.upload(source, offset, length, target, at);
    }

    @Override
    public void upload(byte[] source, int offset, int length, Tensor target, long at) {
        transfers.upload(source, offset, length, target, at);
    }

    @Override
    public void download(Tensor source, long at, byte[] target, int offset, int length) {
        transfers.download(source, at, target, offset, length);
    }

    @Override
    public void download(Tensor source, long at, float[] target, int offset, int length) {
        transfers.download(source, at, target, offset, length);
    }

    @Override
    public void download(Tensor source, long at, int[] target, int offset, int length) {
        transfers.download(source, at, target, offset, length);
    }

    @Override
    public void synchronize() {
        context.synchronize();
    }

    @Override
    public boolean recordsRepeats() {
        return true;
    }

    @Override
    public void repeat(Object key, Runnable calls) {
        graphs.repeat(key, calls);
    }

    @Override
    public void forget(Predicate<Object> which) {
        graphs.forget(which);
    }

    /** Nine tenths of the device's memory; the rest is for scratch and for the driver. */
    @Override
    public long usableBytes() {
        return context.device().totalBytes() / 10 * 9;
    }

    @Override
    public LinearWeight linearWeight(WeightSource source, int outputs, int inputs, DType form) {
        return new CudaLinearWeight(context, source, outputs, inputs, form);
    }

    @Override
    public Variant embed(Batch batch, Tensor table, Tensor streams) {
        KernelChecks.embed(batch, table, streams);
        call.of(Kernel.EMBED, "embed", Call.typed("embed", table)).launch().batch(batch);
        call.number(table.dim(0))
                .number(table.dim(1))
                .number(streams.dim(1))
                .tensor(table)
                .tensor(streams);
        call.run(batch.rows(), 1, 1, THREADS, 0);
        return call.variant(Call.named("embed", table));
    }

    @Override
    public Variant angles(Batch batch, Tensor frequencies, Tensor table) {
        KernelChecks.angles(batch, frequencies, table);
        call.of(Kernel.ANGLES, "angles", "angles").batch(batch);
        call.number(frequencies.dim(0)).tensor(frequencies).tensor(table);
        call.runOver(batch.rows() * frequencies.dim(0), THREADS);
        return call.variant("angles.fp32");
    }

    @Override
    public Variant visible(Batch batch, int ratio, Tensor counts) {
        KernelChecks.visible(batch, ratio, counts);
        call.of(Kernel.VISIBLE, "visible", "visible").launch().batch(batch);
        call.number(ratio).tensor(counts);
        call.runOver(batch.rows(), THREADS);
        return call.variant("visible.int32");
    }

    @Override
    public Variant mix(Tensor streams, HyperWeights weights, Tensor post, Tensor comb, Tensor collapsed) {
        KernelChecks.mix(streams, weights, post, comb, collapsed);
        long h = streams.dim(1);
        call.of(Kernel.MIX, "mix", Call.typed("mix", weights.fn()))
                .number(h)
                .number(streams.dim(2))
                .tensor(streams);
        call.tensor(weights.fn()).tensor(weights.base()).tensor(weights.scale());
        call.number(weights.iterations()).real(weights.hcEps()).real(weights.normEps());
        call.tensor(post).tensor(comb).tensor(collapsed);
        call.run(streams.dim(0), 1, 1, THREADS, (2 + h) * h * Float.BYTES);
        return call.variant(Call.named("mix", weights.fn()));
    }

    @Override
    public Variant unmix(Tensor y, Tensor post, Tensor comb, Tensor streams) {
        KernelChecks.unmix(y, post, comb, streams);
        long h = streams.dim(1);
        long d = streams.dim(2);
        call.of(Kernel.UNMIX, "unmix", "unmix").number(h).number(d);
        call.tensor(y).tensor(post).tensor(comb).tensor(streams);
        call.run(streams.dim(0), (d + COLUMNS - 1) / COLUMNS, 1, COLUMNS, h * COLUMNS * Float.BYTES);
        return call.variant("unmix.fp32");
    }

    @Override
    public Variant collapse(Tensor streams, HyperWeights weights, Tensor collapsed) {
        KernelChecks.collapse(streams, weights, collapsed);
        long h = streams.dim(1);
        call.of(Kernel.COLLAPSE, "collapse", Call.typed("collapse", weights.fn()))
                .number(h)
                .number(streams.dim(2))
                .tensor(streams);
        call.tensor(weights.fn()).tensor(weights.base()).tensor(weights.scale());
        call.real(weights.hcEps()).real(weights.normEps()).tensor(collapsed);
        call.run(streams.dim(0), 1, 1, THREADS, h * Float.BYTES);
        return call.variant(Call.named("collapse", weights.fn()));
    }

    @Override
    public Variant rmsNorm(Tensor x, Tensor weight, float eps, Tensor y) {
        KernelChecks.rmsNorm(x, weight, y);
        CudaTensor rows = CudaTensor.of(x);
        // Chosen by the width alone: a row is summed in the same order wherever it is.
        int threads = rows.width() <= WARP_NORM_WIDTH ? WARP : THREADS;
        call.of(Kernel.RMS_NORM, "rms_norm", threads == WARP ? "rmsNorm<32>" : "rmsNorm<256>");
        call.number(rows.outerRows())
                .number(rows.width())
                .tensor(x)
                .tensor(weight)
                .real(eps)
                .tensor(y);
        call.runOver(rows.outerRows() * threads, THREADS);
        return call.variant("rmsNorm.fp32");
    }

    @Override
    public Variant linear(Tensor x, LinearWeight weight, Tensor y) {
        KernelChecks.linear(x, weight, y);
        return linears.linear(x, weight, y);
    }

    @Override
    public Variant groupedLinear(Tensor x, List<? extends LinearWeight> weights, Tensor y) {
        KernelChecks.groupedLinear(x, weights, y);
        return linears.groupedLinear(x, weights, y);
    }

    @Override
    public Variant rope(Tensor x, Tensor table, boolean inverse) {
        KernelChecks.rope(x, table);
        call.of(Kernel.ROPE, "rope", "rope").number(x.dim(0)).number(x.dim(1)).number(x.dim(2));
        call.number(table.dim(1)).tensor(x).tensor(table).number(inverse ? 1 : 0);
        call.runOver(x.dim(0) * x.dim(1) * (table.dim(1) / 2), THREADS);
        return call.variant("rope.fp32");
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
    public Variant appendRing(Batch batch, Tensor source, Pool pool) {
        KernelChecks.appendRing(batch, source, pool);
        return caches.appendRing(batch, source, pool);
    }

    @Override
    public Variant compress(
            Batch batch,
            CompressorWeights weights,
            Tensor projected,
            Tensor state,
            Tensor pages,
            Pool entries,
            KeyTransform transform,
            Tensor shadow) {
        KernelChecks.compress(batch, weights, projected, state, pages, entries, transform, shadow);
        return caches.compress(batch, weights, projected, state, pages, entries, transform, shadow);
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
        return sparse.indexScores(batch, rowFrom, q, headWeights, keys, pages, counts, scoring, scores);
    }

    @Override
    public Variant topK(Tensor scores, Tensor counts, TopkAlgorithm algorithm, Tensor ids, Tensor found) {
        KernelChecks.topK(scores, counts, ids, found);
        return sparse.topK(scores, counts, algorithm, ids, found);
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
        return sparse.attention(batch, q, keys, ring, entries, sinks, scale, decode, out, logSumExp);
    }

    @Override
    public Variant route(
            Batch batch, Tensor logits, Tensor bias, Tensor table, float scaling, Tensor ids, Tensor weights) {
        KernelChecks.route(batch, logits, bias, table, ids, weights);
        call.of(Kernel.ROUTE, "route", "route").launch().batch(batch);
        call.number(logits.dim(1))
                .number(ids.dim(1))
                .tensor(logits)
                .tensor(bias)
                .tensor(table);
        call.number(table == null ? 0 : table.dim(0)).real(scaling).tensor(ids).tensor(weights);
        call.run(batch.rows(), 1, 1, WARP, 2 * logits.dim(1) * Float.BYTES);
        return call.variant(table == null ? "route.scored" : "route.hashed");
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
        return linears.experts(batch, x, ids, weights, gateUp, down, limit, scaling, y);
    }

    @Override
    public Variant swiglu(Tensor gateUp, float limit, Tensor h) {
        KernelChecks.swiglu(gateUp, h);
        call.of(Kernel.SWIGLU, "swiglu", "swiglu").number(h.dim(0)).number(h.dim(1));
        call.tensor(gateUp).real(limit).tensor(h);
        call.runOver(h.elements(), THREADS);
        return call.variant("swiglu.fp32");
    }

    @Override
    public Variant gatherRows(Tensor x, Tensor rows, Tensor out) {
        KernelChecks.gatherRows(x, rows, out);
        long sourceRows = x.dim(0);
        long width = sourceRows == 0 ? 0 : x.bytes() / sourceRows / Short.BYTES;
        call.of(Kernel.GATHER_ROWS, "gather_rows", "gatherRows").launch();
        call.number(sourceRows).number(width).tensor(x).tensor(rows).tensor(out);
        call.run(rows.dim(0), 1, 1, THREADS, 0);
        return call.variant("gatherRows");
    }

    @Override
    public Variant sample(Tensor logits, Sampling sampling, Tensor ids) {
        KernelChecks.sample(logits, sampling, ids);
        long elements = logits.elements();
        long pairs = context.scratch(Scratch.SORT_PAIRS, 2 * elements * SORT_PAIR_BYTES);
        long running = context.scratch(Scratch.RUNNING_SUMS, elements * Double.BYTES);
        call.of(Kernel.SAMPLE, "sample", "sample")
                .launch()
                .number(logits.dim(1))
                .tensor(logits);
        call.struct()
                .slot(sampling.adjustmentStart())
                .slot(sampling.adjustmentToken())
                .slot(sampling.adjustment());
        call.slot(sampling.adjustmentToken().dim(0))
                .slot(sampling.temperature())
                .slot(sampling.topP());
        call.slot(sampling.seed()).slot(sampling.choice()).slot(sampling.position());
        call.tensor(ids).number(pairs).number(running);
        call.run(logits.dim(0), 1, 1, Call.threadsFor(logits.dim(1)), 0);
        return call.variant("sample.philox");
    }

    @Override
    public Variant logProbabilities(Tensor logits, Tensor ids, Tensor chosen, Tensor topIds, Tensor top) {
        KernelChecks.logProbabilities(logits, ids, chosen, topIds, top);
        long taken = context.scratch(Scratch.TAKEN, logits.elements());
        call.of(Kernel.LOG_PROBABILITIES, "log_probabilities", "logProbabilities")
                .launch();
        call.number(logits.dim(1)).tensor(logits).tensor(ids).tensor(chosen);
        call.number(topIds.dim(1)).tensor(topIds).tensor(top).number(taken);
        call.run(logits.dim(0), 1, 1, Call.threadsFor(logits.dim(1)), 0);
        return call.variant("logProbabilities.fp32");
    }

    @Override
    public void close() {
        graphs.close();
        context.close();
    }
}
