package dev.plumbline.kernel.reference;

import dev.plumbline.kernel.KernelException;
import dev.plumbline.kernel.Kernels;

/** A pool of pages behind a page table. */
final class Pages {
    private final String kernel;
    private final HostTensor table;
    private final PoolRows rows;

    Pages(String kernel, HostTensor table, PoolRows rows) {
        this.kernel = kernel;
        this.table = table;
        this.rows = rows;
    }

    PoolRows rows() {
        return rows;
    }

    /** Entries that a row of the table can hold. */
    long capacity() {
        return table.dim(1) * Kernels.PAGE_ENTRIES;
    }

    /** The page that holds an entry of a sequence. */
    long page(int s, int entry) {
        int column = entry / Kernels.PAGE_ENTRIES;
        if (entry < 0 || column >= table.dim(1)) {
            throw new KernelException(kernel + ": entry " + entry + " of sequence " + s + " lies beyond its "
                    + table.dim(1) + " pages of " + Kernels.PAGE_ENTRIES);
        }
        int page = table.intAt(s * table.dim(1) + column);
        if (page < 0 || page >= rows.pages()) {
            throw new KernelException(kernel + ": pages[" + s + ", " + column + "] is " + page + ", allowed: 0 to "
                    + (rows.pages() - 1) + ", because entry " + entry + " is used");
        }
        return page;
    }

    static int row(int entry) {
        return entry % Kernels.PAGE_ENTRIES;
    }

    void read(int s, int entry, float[] target) {
        rows.read(page(s, entry), row(entry), target);
    }

    void write(int s, int entry, float[] source) {
        rows.write(page(s, entry), row(entry), source);
    }
}
