package dev.plumbline.kernel;

import com.sun.management.OperatingSystemMXBean;
import dev.plumbline.precision.AttentionDecode;
import dev.plumbline.precision.PageFormat;
import dev.plumbline.precision.PrecisionProfile;
import dev.plumbline.precision.TopkAlgorithm;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The kernels of one backend (spec section 3 gives every formula). One thread at a time calls an instance; a call may
 * return before the work is done, and only {@link #download} and {@link #synchronize} wait.
 *
 * <p>Notation: T rows of a step, S sequences, D hidden size, h residual streams, H heads, d head size, R rotated dims,
 * K inputs, N outputs. Activations are fp32 unless said otherwise. Every output element is written, padding rows apart.
 * Shapes are checked by {@link KernelChecks} before any work; page ids, slots, token ids and expert ids are checked by
 * the kernel where it reads them. Reduction order of an output element depends only on the sizes of its own reduction,
 * never on T, S, chunking or the number of threads.
 *
 * <p>Every kernel returns the {@link Variant} that served it.
 *
 * @throws KernelException (every method) if an argument is out of bounds or the backend fails; outputs are then
 *     unspecified, and the backend stays usable
 */
public interface Kernels extends AutoCloseable {

    /** Entries per page of a compressed pool and of an index-key pool. */
    int PAGE_ENTRIES = PageFormat.ENTRIES;

    /** Name of the backend: reference, cpu, cuda. */
    String backend();

    /** One sentence on what the backend runs on: instruction set, threads or device. */
    String description();

    /**
     * A backend on which nothing is stored or computed: what is called on it is made ready here, such as compiled, so
     * that calling it here takes no longer than any other time. It may be used by another thread than this backend's, and
     * what it reads is arbitrary. Empty where kernels are a part of this program; safe from any thread.
     */
    default Optional<Kernels> rehearsal() {
        return Optional.empty();
    }

    /**
     * SHA-256 in hex of each compiled object that kernels were taken from so far, by its name: a library, or a variant
     * that was compiled for this device. Nothing where kernels are a part of this program; safe from any thread.
     */
    default Map<String, String> code() {
        return Map.of();
    }

    /**
     * Why this backend cannot do what a profile says, or nothing. Asked before a lane is built: a value that is not
     * refused is done exactly, by a kernel whose variant names it, and never by another one.
     *
     * @return a sentence that starts with the key of the flag and ends with the allowed values
     */
    Optional<String> refusal(PrecisionProfile profile);

    /** Allocates a zeroed tensor. */
    Tensor allocate(DType dtype, long... shape);

    /**
     * Makes a tensor's first pages exist, where memory comes only once it is touched: that takes as long as many small
     * kernels. For a tensor that nothing was written to; safe from any thread while nothing else uses or closes it.
     */
    default void touch(Tensor fresh) {}

    /**
     * Writes consecutive elements from element {@code at} on; fp32 values are rounded to nearest even for a bf16 tensor.
     */
    void upload(float[] source, int offset, int length, Tensor target, long at);

    /** Writes consecutive elements of an int32 tensor from element {@code at} on. */
    void upload(int[] source, int offset, int length, Tensor target, long at);

    /** Writes consecutive elements of a byte tensor from element {@code at} on. */
    void upload(byte[] source, int offset, int length, Tensor target, long at);

    /** Waits for the work so far and reads consecutive elements (bf16 widened) from element {@code at} on. */
    void download(Tensor source, long at, float[] target, int offset, int length);

    /** Waits for the work so far and reads consecutive elements of an int32 tensor from element {@code at} on. */
    void download(Tensor source, long at, int[] target, int offset, int length);

    /** Waits for the work so far and reads consecutive elements of a byte tensor from element {@code at} on. */
    void download(Tensor source, long at, byte[] target, int offset, int length);

    /** Waits for the work so far; reports an asynchronous failure by the launch that caused it. */
    void synchronize();

    /** Whether {@link #repeat} records, so that it pays to ask for the same shapes again. */
    default boolean recordsRepeats() {
        return false;
    }

    /**
     * Runs kernels that depend on {@code key} and on the content of tensors alone: calls with equal keys make the same
     * calls with the same shapes on the same memory, and transfer nothing. A backend may record the calls and repeat
     * the record instead.
     */
    default void repeat(Object key, Runnable calls) {
        calls.run();
    }

    /** Drops the records of the keys that {@code which} accepts; the tensors they touch may be closed afterwards. */
    default void forget(Predicate<Object> which) {}

    /** Bytes that models may take here unless somebody decides otherwise: half of the machine's memory. */
    default long usableBytes() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getTotalMemorySize() / 2;
    }

    /** Converts a matrix [outputs, inputs] to a compute form (FP32 or BF16). */
    LinearWeight linearWeight(WeightSource source, int outputs, int inputs, DType form);

    /** Token embedding: {@code streams[t, j, :] = table[tokens[t], :]} for each of h streams. table [V, D] fp32 or bf16; streams [T, h, D]. */
    Variant embed(Batch batch, Tensor table, Tensor streams);

    /**
     * cos and sin of every row: {@code table[t, 2i] = cos(positions[t]·frequencies[i])}, {@code table[t, 2i+1] = sin(…)};
     * the angle is a product of floats, rounded to float. frequencies [R/2]; table [T, R].
     */
    Variant angles(Batch batch, Tensor frequencies, Tensor table);

    /** Entries visible to each row: {@code counts[t] = (positions[t] + 1) / ratio}, 0 for padding. counts [T] int32. */
    Variant visible(Batch batch, int ratio, Tensor counts);

    /** Hyper-connection, first half: streams [T, h, D] → post [T, h], comb [T, h, h], collapsed [T, D]. */
    Variant mix(Tensor streams, HyperWeights weights, Tensor post, Tensor comb, Tensor collapsed);

    /** Hyper-connection, second half, in place: {@code streams[t,k,:] = post[t,k]·y[t,:] + Σ_j comb[t,j,k]·streams[t,j,:]}. */
    Variant unmix(Tensor y, Tensor post, Tensor comb, Tensor streams);

    /**
     * Collapse before the head (spec 3.10): streams [n, h, D] → collapsed [n, D]. fn [h, h·D], base [h], scale [1].
     */
    Variant collapse(Tensor streams, HyperWeights weights, Tensor collapsed);

    /** {@code y = x / sqrt(mean(x²) + eps) · weight} over the last axis; weight [d] or null for 1; y may be x. x, y [.., d]. */
    Variant rmsNorm(Tensor x, Tensor weight, float eps, Tensor y);

    /** {@code y[t, n] = Σ_k x[t, k]·W[n, k]}. x [T, K], y [T, N]. */
    Variant linear(Tensor x, LinearWeight weight, Tensor y);

    /** Block-diagonal linear of G groups (spec 3.4 step 9): group g maps x[t, g·K..] to y[t, g·N..] by weights.get(g). x [T, G·K], y [T, G·N]. */
    Variant groupedLinear(Tensor x, List<? extends LinearWeight> weights, Tensor y);

    /** Rotates the last R dims of every head in place, interleaved pairs, by the row's angle or (inverse) its negative. x [T, H, d]; table [T, R]. */
    Variant rope(Tensor x, Tensor table, boolean inverse);

    /** Transforms rows in place, such as rotated index queries. x [.., d]; FP8_BLOCKS, which needs to know what is rotated, is not done here. */
    Variant transform(Tensor x, KeyTransform transform);

    /**
     * Key/value rows of the window: RMS norm, rotation of the last R dims, transform, rounding to the type of {@code
     * out}. For a ring of KV_FP8 the transform is FP8_BLOCKS and {@code out} bf16, which holds the stored numbers exactly.
     *
     * @param x [T, d]
     * @param weight [d]
     * @param table [T, R]
     * @param transform NONE or FP8_BLOCKS
     * @param out [T, d] fp32 or bf16
     */
    Variant windowKeys(Tensor x, Tensor weight, float eps, Tensor table, KeyTransform transform, Tensor out);

    /** The same without a transform. */
    default Variant windowKeys(Tensor x, Tensor weight, float eps, Tensor table, Tensor out) {
        return windowKeys(x, weight, eps, table, KeyTransform.NONE, out);
    }

    /**
     * Remembers the newest rows of every sequence: row with position p is stored in page {@code slot} of the ring as row
     * {@code p % L}; of a run longer than L only the last L rows are kept.
     *
     * @param source [T, w], of the type of a plain ring, else bf16
     * @param ring pages of L rows of w: fp32, bf16 or KV_FP8
     */
    Variant appendRing(Batch batch, Tensor source, Pool ring);

    /** The same for a plain ring [slots, L, w]. */
    default Variant appendRing(Batch batch, Tensor source, Tensor ring) {
        return appendRing(batch, source, Pool.of(ring));
    }

    /**
     * Compress + norm + rotate + transform + store, fused (spec 3.5, 3.6): for each row whose position closes a window,
     * i.e. (p + 1) % m == 0, pools the window (and, overlapping, series A of the previous one), and stores entry
     * p / m in {@code pool} through {@code pages}, in the pool's format. Rows of this step come from {@code projected},
     * earlier ones from the state ring. The caller appends {@code projected} to the ring afterwards.
     *
     * @param projected [T, 2·c·d] kv then gate (without ape)
     * @param state [slots, c·m, 2·c·d] ring of projected rows
     * @param pages [S, P] int32
     * @param pool pages of 64 rows of d, of any format; in KV_FP8 the rotated dims are those of the weights
     * @param transform what is done between rotation by position and storage
     * @param shadow [pages, 64, d] fp32 receives the entry after rotation by position, before the transform, or null
     */
    Variant compress(
            Batch batch,
            CompressorWeights weights,
            Tensor projected,
            Tensor state,
            Tensor pages,
            Pool pool,
            KeyTransform transform,
            Tensor shadow);

    /** The same into a plain pool [pages, 64, d], without transform and shadow. */
    default Variant compress(
            Batch batch, CompressorWeights weights, Tensor projected, Tensor state, Tensor pages, Tensor pool) {
        return compress(batch, weights, projected, state, pages, Pool.of(pool), KeyTransform.NONE, null);
    }

    /**
     * Lightning-indexer scores (spec 3.7): {@code scores[i, e] = Σ_h w[t,h]·H^-½·max(0, q[t,h,:]·k[e,:])·d^-½} for the
     * rows t = rowFrom + i, i below the outermost dim of {@code scores}, and every e < counts[t]; other elements of
     * {@code scores} are left alone. Accumulation in fp32.
     *
     * <p>The query follows the keys. bf16: q is rounded to bf16. INDEX_FP8: each head of q is rounded like a key, the dot
     * product is taken of the e4m3 numbers, the scale of q is multiplied into w and that of the key with the sum over
     * heads. INDEX_MXFP4: each head of q is rounded like a key, and the dot product is taken of numbers times scales.
     *
     * @param q [T, H, d] rotated index query, transformed like the keys
     * @param headWeights [T, H]
     * @param keys pages of 64 rows of d: fp32, bf16, INDEX_FP8 or INDEX_MXFP4
     * @param pages [S, P] int32
     * @param counts [T] int32, at most the row length of {@code scores}
     * @param scores [n, E]
     */
    Variant indexScores(
            Batch batch,
            int rowFrom,
            Tensor q,
            Tensor headWeights,
            Pool keys,
            Tensor pages,
            Tensor counts,
            IndexScoring scoring,
            Tensor scores);

    /** The same for plain keys [pages, 64, d], scored in fp32 page by page. */
    default Variant indexScores(
            Batch batch,
            int rowFrom,
            Tensor q,
            Tensor headWeights,
            Tensor keys,
            Tensor pages,
            Tensor counts,
            Tensor scores) {
        return indexScores(batch, rowFrom, q, headWeights, Pool.of(keys), pages, counts, IndexScoring.PAGED, scores);
    }

    /**
     * The highest scores of each row: {@code min(counts[i], budget)} entry ids ascending, then −1; ties go to the lower
     * id, −0 equals +0, NaN counts as −∞ and −∞ may be chosen like any score. Exact for any budget and tie pattern.
     *
     * @param scores [n, E]
     * @param counts [n] int32 candidates of each row
     * @param ids [n, budget] int32
     * @param found [n] int32 number of ids
     */
    Variant topK(Tensor scores, Tensor counts, TopkAlgorithm algorithm, Tensor ids, Tensor found);

    /**
     * Attention over window, entries and sink, one softmax (spec 3.4 steps 5–7). Keys are taken in this order: window
     * tokens by position (from {@code ring} before the step's first row of the sequence, else from {@code keys}), then
     * entries by id.
     *
     * <p>With {@code MMA} the rows whose stage is DECODE round q and the keys to bf16, and the numerator of each
     * probability, exp(logit − highest), before it multiplies the values; highest is the largest logit of the row, the
     * sink included, the denominator adds the numerators unrounded, and accumulation is fp32. Other rows, and every row
     * with {@code SCALAR}, round nothing.
     *
     * @param q [T, H, d] normed and rotated
     * @param keys [T, d] window keys of this step: fp32 for a ring of fp32, else bf16
     * @param ring pages of W rows of d: fp32, bf16 or KV_FP8; a query sees at most W tokens, itself included
     * @param entries compressed entries, or null in a sliding-only layer
     * @param sinks [H] fp32 logits that join the denominator only
     * @param scale factor on q·k
     * @param out [T, H, d], not yet rotated back
     * @param logSumExp [T, H] receives the log of the denominator, or null
     */
    Variant attention(
            Batch batch,
            Tensor q,
            Tensor keys,
            Pool ring,
            Entries entries,
            Tensor sinks,
            float scale,
            AttentionDecode decode,
            Tensor out,
            Tensor logSumExp);

    /** The same with a plain ring [slots, W, d], rounding nothing. */
    default Variant attention(
            Batch batch,
            Tensor q,
            Tensor keys,
            Tensor ring,
            Entries entries,
            Tensor sinks,
            float scale,
            Tensor out,
            Tensor logSumExp) {
        return attention(batch, q, keys, Pool.of(ring), entries, sinks, scale, AttentionDecode.SCALAR, out, logSumExp);
    }

    /**
     * Router (spec 3.9): s = sqrt(softplus(logits)), softplus(z) = z above 20; the k highest of s + bias (ties: lower
     * id) or, when {@code table} is given, {@code table[token]}; weights scaling·s / (Σ s + 1e-20).
     *
     * @param logits [T, E]
     * @param bias [E] fp32, or null
     * @param table [V, k] int32 experts by token id, or null
     * @param ids [T, k] int32, in order of choice
     * @param weights [T, k]
     */
    Variant route(Batch batch, Tensor logits, Tensor bias, Tensor table, float scaling, Tensor ids, Tensor weights);

    /**
     * Routed experts: {@code y[t] += Σ_i weights[t,i]·down_e(swiglu(gateUp_e(x[t])))}, e = ids[t,i], summed in order of
     * i starting from y. Padding rows (sequenceOf −1) are skipped. With a {@code scaling} of its own: {@code y[t] +=
     * scaling·Σ_i …}, the sum starting from 0.
     *
     * @param gateUp per expert [2·I, D], gate rows first
     * @param down per expert [D, I]
     * @param scaling the routed scaling factor, or null when the weights hold it already
     */
    Variant experts(
            Batch batch,
            Tensor x,
            Tensor ids,
            Tensor weights,
            List<? extends LinearWeight> gateUp,
            List<? extends LinearWeight> down,
            float limit,
            Float scaling,
            Tensor y);

    /** The same with weights that hold the scaling factor. */
    default Variant experts(
            Batch batch,
            Tensor x,
            Tensor ids,
            Tensor weights,
            List<? extends LinearWeight> gateUp,
            List<? extends LinearWeight> down,
            float limit,
            Tensor y) {
        return experts(batch, x, ids, weights, gateUp, down, limit, null, y);
    }

    /** {@code h = silu(min(g, limit)) · clamp(u, −limit, limit)}; gateUp [T, 2·I] holds g then u; h [T, I]. */
    Variant swiglu(Tensor gateUp, float limit, Tensor h);

    /**
     * Copies whole outermost rows: {@code out[i] = x[rows[i]]}, which may lie in the same memory as long as no row is both
     * read and written. rows [n] int32; x [T, ..] fp32, bf16, or byte with rows of an even number; out [n, ..].
     */
    Variant gatherRows(Tensor x, Tensor rows, Tensor out);

    /** Samples a token of each row. logits [n, V], changed by the adjustments in place; ids [n] int32. */
    Variant sample(Tensor logits, Sampling sampling, Tensor ids);

    /**
     * Log-probabilities of the distribution a row was sampled from at temperature 1: log softmax of its logits, NaN
     * counting as −∞.
     *
     * @param logits [n, V], after {@link #sample}
     * @param ids [n] int32 the sampled tokens
     * @param chosen [n] fp32 log-probability of each sampled token
     * @param topIds [n, k] int32 the k most probable tokens, descending, ties to the lower id; k at most V
     * @param top [n, k] fp32 their log-probabilities
     */
    Variant logProbabilities(Tensor logits, Tensor ids, Tensor chosen, Tensor topIds, Tensor top);

    @Override
    void close();
}
