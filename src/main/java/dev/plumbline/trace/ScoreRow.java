package dev.plumbline.trace;

import java.util.Arrays;
import java.util.List;

/** The scores of one query's candidates and the selection that a kernel made of them. Not thread-safe. */
public final class ScoreRow {
    /** From so many watched entries on sorting once costs less than counting for each. */
    private static final int SORT_FROM = 32;

    private final float[] scores;
    private final int offset;
    private final int candidates;
    private final int[] ids;
    private final int idsOffset;
    private final int selected;
    private final int budget;
    private final float lowest;

    /**
     * A row inside larger arrays, which must not change while it is used.
     *
     * @param scores scores; the candidates' are {@code scores[offset .. offset + candidates)}
     * @param ids selected entries, ascending, from {@code idsOffset} on; −1 or the end of {@code idsWidth} ids ends them
     * @param budget most entries that may be selected
     * @throws IllegalArgumentException if a selected entry is no candidate
     */
    public ScoreRow(float[] scores, int offset, int candidates, int[] ids, int idsOffset, int idsWidth, int budget) {
        this.scores = scores;
        this.offset = offset;
        this.candidates = candidates;
        this.ids = ids;
        this.idsOffset = idsOffset;
        this.budget = budget;
        int count = 0;
        float least = Float.POSITIVE_INFINITY;
        while (count < idsWidth && ids[idsOffset + count] >= 0) {
            int id = ids[idsOffset + count++];
            if (id >= candidates) {
                throw new IllegalArgumentException("entry " + id + " is selected; candidates are " + candidates);
            }
            least = Math.min(least, key(scores[offset + id]));
        }
        selected = count;
        lowest = least;
    }

    /** The kernel's order: NaN counts as −∞ and −0 equals +0. */
    private static float key(float score) {
        return Float.isNaN(score) ? Float.NEGATIVE_INFINITY : score + 0f;
    }

    /** How many entries were selected. */
    public int selected() {
        return selected;
    }

    /** The lowest selected score as the selection compares them; NaN if nothing was selected. */
    public float lowestSelected() {
        return selected == 0 ? Float.NaN : lowest;
    }

    /** The selected ids. */
    public int[] selectedIds() {
        return Arrays.copyOfRange(ids, idsOffset, idsOffset + selected);
    }

    /** Scores that tell of a failing indexer. */
    public ScoreCounts counts() {
        int zero = 0;
        int nan = 0;
        int negativeInfinity = 0;
        int atCut = 0;
        for (int i = offset; i < offset + candidates; i++) {
            float score = scores[i];
            zero += score == 0 ? 1 : 0;
            nan += Float.isNaN(score) ? 1 : 0;
            negativeInfinity += score == Float.NEGATIVE_INFINITY ? 1 : 0;
            atCut += key(score) == lowest ? 1 : 0;
        }
        return new ScoreCounts(zero, nan, negativeInfinity, atCut > selectedAtCut() ? atCut : 0);
    }

    private int selectedAtCut() {
        int count = 0;
        for (int i = 0; i < selected; i++) {
            count += key(scores[offset + ids[idsOffset + i]]) == lowest ? 1 : 0;
        }
        return count;
    }

    /** What became of watched entries, without the attention they got. */
    public WatchTrace watch(List<CoveredEntry> covered) {
        float[] sorted = covered.size() < SORT_FROM ? null : sorted();
        return new WatchTrace(
                covered.stream().map(entry -> entry(entry, sorted)).toList());
    }

    private EntryTrace entry(CoveredEntry covered, float[] sorted) {
        int id = covered.entry();
        if (id >= candidates) {
            return new EntryTrace(id, covered.own(), false, false, 0, 0, Float.NaN, Double.NaN, 0, 0);
        }
        float score = scores[offset + id];
        float key = key(score);
        int higher;
        int equal;
        if (sorted == null) {
            higher = 0;
            equal = 0;
            for (int i = offset; i < offset + candidates; i++) {
                float other = key(scores[i]);
                higher += other > key ? 1 : 0;
                equal += other == key ? 1 : 0;
            }
        } else {
            int above = count(sorted, key, true);
            higher = candidates - above;
            equal = above - count(sorted, key, false);
        }
        boolean inside = Arrays.binarySearch(ids, idsOffset, idsOffset + selected, id) >= 0;
        double margin = candidates <= budget ? Double.NaN : (double) key - lowest;
        return new EntryTrace(id, covered.own(), true, inside, higher + 1, equal - 1, score, margin, 0, 0);
    }

    private float[] sorted() {
        float[] keys = new float[candidates];
        for (int i = 0; i < candidates; i++) {
            keys[i] = key(scores[offset + i]);
        }
        Arrays.sort(keys);
        return keys;
    }

    /** How many elements of an ascending array are below {@code key}, or equal to it if {@code inclusive}. */
    private static int count(float[] sorted, float key, boolean inclusive) {
        int low = 0;
        int high = sorted.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sorted[middle] < key || inclusive && sorted[middle] == key) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
