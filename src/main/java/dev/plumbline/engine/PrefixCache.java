package dev.plumbline.engine;

import dev.plumbline.engine.EngineStatus.PoolStatus;
import dev.plumbline.kernel.Kernels;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;

/**
 * Beginnings of sequences that a lane has computed, so that the next one with the same beginning goes on behind it.
 * Window, entries, index keys and compressor states are there together or not at all. Pages are shared, the rings copied;
 * the ones not used for longest make room, for each other and for the pages of sequences. Pools have no pages beyond
 * those of a full house of sequences: what is kept lies in what those leave.
 */
final class PrefixCache implements AutoCloseable {
    /** Most beginnings kept at once. */
    static final int SNAPSHOTS = 32;

    /** Beginnings kept per sequence that there is room for: a lane that has to be small is small in this too. */
    private static final int SNAPSHOTS_PER_SEQUENCE = 8;

    private final CachePools pools;
    private final SnapshotRows rows;
    /** The one used last comes first. */
    private final Deque<Snapshot> kept = new ArrayDeque<>();

    /** @param memory allocates the copies of rings, and does nothing else */
    PrefixCache(CachePools pools, Kernels kernels, Kernels memory) {
        this.pools = pools;
        this.rows = new SnapshotRows(pools, kernels, memory, snapshots(pools.maxSequences()));
    }

    /** Beginnings that a lane with room for so many sequences keeps. */
    static int snapshots(int sequences) {
        return Math.min(SNAPSHOTS, SNAPSHOTS_PER_SEQUENCE * sequences);
    }

    /**
     * Takes room for a sequence, and restores the longest beginning of its prompt that is kept; the last token of a prompt
     * is always computed.
     *
     * @param tokens most tokens the sequence can come to have
     * @return the room, or null when the sequence must wait
     */
    SequenceCache lease(int[] prompt, int tokens) {
        Snapshot from = longest(prompt);
        SequenceCache room = pools.lease(tokens, from);
        while (room == null && pools.hasSlot() && !kept.isEmpty()) {
            Snapshot oldest = kept.peekLast();
            // The beginning itself goes last, and then the prompt is computed from its start.
            from = oldest == from ? null : from;
            drop(oldest);
            room = pools.lease(tokens, from);
        }
        if (room != null && from != null) {
            restore(from, room);
        }
        return room;
    }

    private Snapshot longest(int[] prompt) {
        Snapshot best = null;
        for (Snapshot snapshot : kept) {
            int length = snapshot.length();
            if (length < prompt.length
                    && (best == null || length > best.length())
                    && Arrays.equals(snapshot.tokens(), 0, length, prompt, 0, length)) {
                best = snapshot;
            }
        }
        if (best != null) {
            touch(best);
        }
        return best;
    }

    private void touch(Snapshot snapshot) {
        kept.remove(snapshot);
        kept.addFirst(snapshot);
    }

    private void restore(Snapshot from, SequenceCache room) {
        rows.restore(from.row(), room.slot());
        int csa = pools.wholePages(from.length(), pools.csaRatio());
        if (csa < from.csaPages().length) {
            rows.copyCsaPage(from.csaPages()[csa], room.csaPages()[csa]);
        }
        int hca = pools.wholePages(from.length(), pools.hcaRatio());
        if (hca < from.hcaPages().length) {
            rows.copyHcaPage(from.hcaPages()[hca], room.hcaPages()[hca]);
        }
    }

    /** Keeps what a sequence has computed: {@code tokens} are all that its caches hold. */
    void keep(SequenceCache room, int[] tokens) {
        for (Iterator<Snapshot> all = kept.iterator(); all.hasNext(); ) {
            Snapshot same = all.next();
            if (Arrays.equals(same.tokens(), tokens)) {
                touch(same);
                return;
            }
        }
        if (rows.full()) {
            drop(kept.peekLast());
        }
        int[] csa = Arrays.copyOf(room.csaPages(), CachePools.pages(tokens.length, pools.csaRatio()));
        int[] hca = Arrays.copyOf(room.hcaPages(), CachePools.pages(tokens.length, pools.hcaRatio()));
        Snapshot snapshot = new Snapshot(tokens, rows.save(room.slot()), csa, hca);
        pools.keep(snapshot);
        kept.addFirst(snapshot);
    }

    private void drop(Snapshot snapshot) {
        kept.remove(snapshot);
        rows.drop(snapshot.row());
        pools.letGo(snapshot);
    }

    PoolStatus status() {
        return rows.status();
    }

    @Override
    public void close() {
        kept.clear();
        rows.close();
    }
}
