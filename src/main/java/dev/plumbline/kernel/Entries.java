package dev.plumbline.kernel;

/**
 * The compressed entries an attention call may read.
 *
 * @param pool [pages, {@link Kernels#PAGE_ENTRIES}, headDim] fp32 or bf16
 * @param pages [S, P] int32 page table: entry e of sequence s lies in page {@code pages[s, e / 64]} at row e % 64
 * @param ids [T, budget] int32 entry ids ascending, −1 after the last; null = every entry below the count
 * @param counts [T] int32 how many of {@code ids} a row uses, or how many entries from 0 on when {@code ids} is null
 */
public record Entries(Tensor pool, Tensor pages, Tensor ids, Tensor counts) {}
