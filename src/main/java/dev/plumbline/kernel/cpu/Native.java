package dev.plumbline.kernel.cpu;

/**
 * The functions of the native library; native/include/plumbline.h documents each. Pointers are addresses, kernels return
 * a variant id or a negative error code. A step is passed as {@code long[]} in the field order of {@code pl_batch}.
 */
final class Native {
    /** The status of a call that could not reach the elements of a Java array ({@code PL_ERROR_ARRAY}). */
    static final int NO_ARRAY = -4;

    static final int ABI_VERSION = 5;

    private Native() {}

    static native int abiVersion();

    static native String availableIsas();

    /** Address of a context; throws IllegalArgumentException with the library's sentence. */
    static native long createContext(int threads, String isa);

    static native void destroyContext(long context);

    static native String isa(long context);

    static native String error(long context);

    static native String variantName(long id);

    static native long allocate(long bytes);

    static native void free(long address, long bytes);

    static native void touch(long address);

    /** Returns 0 or a negative error code. */
    static native long writeFloats(long target, int dtype, long at, float[] source, int offset, int length);

    /** Returns 0 or a negative error code. */
    static native long readFloats(long source, int dtype, long at, float[] target, int offset, int length);

    static native void writeInts(long target, long at, int[] source, int offset, int length);

    static native void readInts(long source, long at, int[] target, int offset, int length);

    static native void writeBytes(long target, long at, byte[] source, int offset, int length);

    static native void readBytes(long source, long at, byte[] target, int offset, int length);

    static native long createWeight(long context, int form, long outputs, long inputs);

    /** Returns 0 or a negative error code. */
    static native long fillWeight(long context, long weight, long firstRow, long rows, float[] source);

    static native long weightBytes(long weight);

    static native void destroyWeight(long weight);

    static native long embed(
            long context,
            long[] batch,
            int tableType,
            long vocabulary,
            long hidden,
            long streams,
            long table,
            long out);

    static native long angles(long context, long[] batch, long pairs, long frequencies, long table);

    static native long visible(long context, long[] batch, long ratio, long counts);

    static native long mix(
            long context,
            long rows,
            long streams,
            long hidden,
            long x,
            long fn,
            int fnType,
            long base,
            long scale,
            long iterations,
            float hcEps,
            float normEps,
            long post,
            long comb,
            long collapsed);

    static native long unmix(long context, long rows, long streams, long hidden, long y, long post, long comb, long x);

    static native long collapse(
            long context,
            long rows,
            long streams,
            long hidden,
            long x,
            long fn,
            int fnType,
            long base,
            long scale,
            float hcEps,
            float normEps,
            long collapsed);

    static native long rmsNorm(long context, long rows, long width, long x, long weight, float eps, long y);

    static native long linear(long context, long rows, long x, long weight, long y);

    static native long groupedLinear(long context, long rows, long x, long[] weights, long y);

    static native long rope(
            long context, long rows, long heads, long width, long rotated, long x, long table, boolean inverse);

    static native long transform(long context, long rows, long width, long x, int transform);

    static native long windowKeys(
            long context,
            long rows,
            long width,
            long rotated,
            long x,
            long weight,
            float eps,
            long table,
            int transform,
            int outType,
            long out);

    /** {@code ring}, like every pool, in the field order of {@code pl_pool}. */
    static native long appendRing(long context, long[] batch, int sourceType, long source, long[] ring);

    static native long compress(
            long context,
            long[] batch,
            long ratio,
            boolean overlapping,
            long rotated,
            long ape,
            long norm,
            float eps,
            long frequencies,
            long projected,
            long state,
            long stateSlots,
            long pages,
            long pagesPerSequence,
            long[] pool,
            int transform,
            long shadow);

    /** {@code gathered} may be null. */
    static native long indexScores(
            long context,
            long[] batch,
            long rowFrom,
            long rows,
            long heads,
            long q,
            long headWeights,
            long[] keys,
            long pages,
            long pagesPerSequence,
            long counts,
            int scoreType,
            long[] gathered,
            long scores,
            long scoreStride);

    static native long topK(
            long context,
            boolean sort,
            long rows,
            long candidates,
            long scores,
            long counts,
            long budget,
            long ids,
            long found);

    /** {@code entries} in the field order of {@code pl_entries}, those of its pool first, or null. */
    static native long attention(
            long context,
            long[] batch,
            long heads,
            long width,
            long q,
            int keyType,
            long keys,
            long[] ring,
            long[] entries,
            long sinks,
            float scale,
            boolean mma,
            long out,
            long logSumExp);

    static native long route(
            long context,
            long[] batch,
            long experts,
            long chosen,
            long logits,
            long bias,
            long table,
            long vocabulary,
            float scaling,
            long ids,
            long weights);

    static native long experts(
            long context,
            long[] batch,
            long hidden,
            long chosen,
            long x,
            long ids,
            long weights,
            long[] gateUp,
            long[] down,
            float limit,
            boolean separate,
            float scaling,
            long y);

    static native long swiglu(long context, long rows, long width, long gateUp, float limit, long h);

    static native long gatherRows(
            long context, long sourceRows, long rowBytes, long x, long rows, long count, long out);

    /** {@code sampling} in the field order of {@code pl_sampling}. */
    static native long sample(long context, long rows, long vocabulary, long logits, long[] sampling, long ids);

    static native long logProbabilities(
            long context,
            long rows,
            long vocabulary,
            long logits,
            long ids,
            long chosen,
            long k,
            long topIds,
            long top);
}
