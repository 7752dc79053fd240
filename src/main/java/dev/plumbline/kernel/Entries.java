package dev.plumbline.kernel;

/**
 * The compressed entries an attention call may read.
 *
 * @param pool pages of {@link Kernels#PAGE_ENTRIES} rows of headDim: fp32, bf16 or KV_FP8
 * @param pages [S, P] int32 page table: entry e of sequence s lies in page {@code pages[s, e / 64]} at row e % 64
 * @param ids [T, budget] int32 entry ids ascending, −1 after the last; null = every entry below the count
 * @param counts [T] int32 how many of {@code ids} a row uses, or how many entries from 0 on when {@code ids} is null
 */
public record Entries(Pool pool, Tensor pages, Tensor ids, Tensor counts) {

    /** Entries of a plain pool [pages, 64, headDim]. */
    public Entries(Tensor pool, Tensor pages, Tensor ids, Tensor counts) {
        this(Pool.of(pool), pages, ids, counts);
    }
}
