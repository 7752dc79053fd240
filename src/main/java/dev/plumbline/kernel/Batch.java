package dev.plumbline.kernel;

/**
 * The rows of one step: for each of S sequences a run of consecutive tokens, S runs after another, T rows in all.
 * Everything data-dependent is a device tensor; the two ints and {@code maxContext} are host upper bounds that shape a
 * launch.
 *
 * @param rows T, rows of the step, padding included
 * @param sequences S, sequences of the step, padding included
 * @param maxContext no position of the step reaches this
 * @param tokens [T] int32 token ids
 * @param positions [T] int32 absolute positions, 0-based
 * @param sequenceOf [T] int32 index of the row's sequence in this step, or −1 for a padding row: a padding row stores
 *     nothing, its outputs are unspecified, and its token, position, counts and ids may be anything
 * @param firstRow [S + 1] int32 first row of each sequence's run; the last element is the number of real rows
 * @param slots [S] int32 slot of each sequence in the ring tensors
 * @param stages [T] int32 {@link #PREFILL} or {@link #DECODE}; anything for padding
 * @param csaPages [S, P] int32 page table of CSA pools, or null when the model has no such layer; −1 = no page
 * @param hcaPages [S, Q] int32 page table of HCA pools, or null
 */
public record Batch(
        int rows,
        int sequences,
        int maxContext,
        Tensor tokens,
        Tensor positions,
        Tensor sequenceOf,
        Tensor firstRow,
        Tensor slots,
        Tensor stages,
        Tensor csaPages,
        Tensor hcaPages) {

    /** Stage of a row whose token is of the prompt, also when it comes alone. */
    public static final int PREFILL = 0;
    /** Stage of a row whose token was sampled. */
    public static final int DECODE = 1;
}
