package dev.plumbline.engine;

import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.Tensor;
import java.util.Arrays;
import java.util.function.Function;

/** The page table of one kind of pool for the sequences of a step, as wide as the longest of them needs. */
final class PageTable implements AutoCloseable {
    private final Kernels kernels;
    private final int ratio;
    private final Function<SequenceCache, int[]> pagesOf;
    private final Tensor device;
    private final int[] host;

    private PageTable(Kernels kernels, int ratio, int cells, Function<SequenceCache, int[]> pagesOf) {
        this.kernels = kernels;
        this.ratio = ratio;
        this.pagesOf = pagesOf;
        device = kernels.allocate(DType.INT32, cells);
        host = new int[cells];
    }

    /** A table for up to {@code sequences} of up to {@code context} tokens, or null for a model without such layers. */
    static PageTable of(
            Kernels kernels, int ratio, int sequences, int context, Function<SequenceCache, int[]> pagesOf) {
        if (ratio == 0) {
            return null;
        }
        int width = Math.max(1, CachePools.pages(context, ratio));
        return new PageTable(kernels, ratio, Math.multiplyExact(sequences, width), pagesOf);
    }

    /** Uploads the tables of the first {@code sequences} caches: [rows, P], −1 where there is no page. */
    Tensor upload(SequenceCache[] caches, int sequences, int rows, int context) {
        int width = Math.max(1, CachePools.pages(context, ratio));
        Arrays.fill(host, 0, rows * width, -1);
        for (int s = 0; s < sequences; s++) {
            int[] pages = pagesOf.apply(caches[s]);
            System.arraycopy(pages, 0, host, s * width, Math.min(width, pages.length));
        }
        kernels.upload(host, 0, rows * width, device, 0);
        return device.rows(0, (long) rows * width).reshape(rows, width);
    }

    @Override
    public void close() {
        device.close();
    }
}
