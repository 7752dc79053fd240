package dev.plumbline.engine;

import dev.plumbline.engine.CachePools.LayerCache;
import dev.plumbline.engine.EngineStatus.PoolStatus;
import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.Pool;
import dev.plumbline.kernel.Tensor;
import java.util.ArrayList;
import java.util.List;

/** Room for the rings of some sequences as they were: window, compressor states and indexer states of every layer. */
final class SnapshotRows implements AutoCloseable {

    /** A ring of the caches, [slots, ..], and its copies, [rows, ..]. */
    private record Ring(Tensor live, Tensor copies) {}

    private final CachePools pools;
    private final Kernels kernels;
    private final FreeList rows;
    private final List<Ring> rings = new ArrayList<>();
    /** [1] int32: the row that a copy reads. */
    private final Tensor source;

    private long bytes;

    /** @param memory allocates */
    SnapshotRows(CachePools pools, Kernels kernels, Kernels memory, int count) {
        this.pools = pools;
        this.kernels = kernels;
        this.rows = new FreeList(count);
        this.source = memory.allocate(DType.INT32, 1);
        try {
            for (LayerCache layer : pools.layers()) {
                add(layer.window().data(), memory);
                add(layer.state(), memory);
                add(layer.indexState(), memory);
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void add(Tensor live, Kernels memory) {
        if (live != null) {
            long[] shape = live.shape();
            shape[0] = rows.size();
            Tensor copies = memory.allocate(live.dtype(), shape);
            rings.add(new Ring(live, copies));
            bytes += copies.bytes();
        }
    }

    boolean full() {
        return rows.free() == 0;
    }

    /** Copies the rings of a slot; returns where to. */
    int save(int slot) {
        int row = rows.take(1)[0];
        kernels.upload(new int[] {slot}, 0, 1, source, 0);
        rings.forEach(
                ring -> kernels.gatherRows(ring.live(), source, ring.copies().rows(row, row + 1L)));
        return row;
    }

    void restore(int row, int slot) {
        kernels.upload(new int[] {row}, 0, 1, source, 0);
        rings.forEach(
                ring -> kernels.gatherRows(ring.copies(), source, ring.live().rows(slot, slot + 1L)));
    }

    void drop(int row) {
        rows.give(row);
    }

    /** Copies a page of entries, and of index keys, in every CSA layer. */
    void copyCsaPage(int from, int to) {
        kernels.upload(new int[] {from}, 0, 1, source, 0);
        for (LayerCache layer : pools.layers()) {
            if (layer.indexKeys() != null) {
                copyPage(layer.entries(), to);
                copyPage(layer.indexKeys(), to);
            }
        }
    }

    /** Copies a page of entries in every HCA layer. */
    void copyHcaPage(int from, int to) {
        kernels.upload(new int[] {from}, 0, 1, source, 0);
        for (LayerCache layer : pools.layers()) {
            if (layer.entries() != null && layer.indexKeys() == null) {
                copyPage(layer.entries(), to);
            }
        }
    }

    private void copyPage(Pool pool, int to) {
        kernels.gatherRows(pool.data(), source, pool.data().rows(to, to + 1L));
    }

    PoolStatus status() {
        long each = bytes / rows.size();
        long free = each * rows.free();
        return new PoolStatus("snapshots", bytes, bytes - free, free);
    }

    long bytes() {
        return bytes;
    }

    @Override
    public void close() {
        source.close();
        rings.forEach(ring -> ring.copies().close());
        rings.clear();
    }
}
