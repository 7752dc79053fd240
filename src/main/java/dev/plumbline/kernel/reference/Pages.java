package dev.plumbline.kernel.reference;

import dev.plumbline.kernel.KernelException;
import dev.plumbline.kernel.Kernels;

/** A pool of pages behind a page table. */
final class Pages {
    private final String kernel;
    private final HostTensor table;
    private final HostTensor pool;
    private final int width;

    Pages(String kernel, HostTensor table, HostTensor pool) {
        this.kernel = kernel;
        this.table = table;
        this.pool = pool;
        this.width = pool.lastDim();
    }

    /** Entries that a row of the table can hold. */
    long capacity() {
        return table.dim(1) * Kernels.PAGE_ENTRIES;
    }

    /** Element of the pool where entry {@code entry} of sequence {@code s} starts. */
    long at(int s, int entry) {
        int column = entry / Kernels.PAGE_ENTRIES;
        if (entry < 0 || column >= table.dim(1)) {
            throw new KernelException(kernel + ": entry " + entry + " of sequence " + s + " lies beyond its "
                    + table.dim(1) + " pages of " + Kernels.PAGE_ENTRIES);
        }
        int page = table.intAt(s * table.dim(1) + column);
        if (page < 0 || page >= pool.dim(0)) {
            throw new KernelException(kernel + ": pages[" + s + ", " + column + "] is " + page + ", allowed: 0 to "
                    + (pool.dim(0) - 1) + ", because entry " + entry + " is used");
        }
        return ((long) page * Kernels.PAGE_ENTRIES + entry % Kernels.PAGE_ENTRIES) * width;
    }

    void read(int s, int entry, float[] target) {
        long at = at(s, entry);
        System.arraycopy(pool.floats(at, width), pool.place(at), target, 0, width);
    }
}
