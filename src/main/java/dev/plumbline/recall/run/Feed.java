package dev.plumbline.recall.run;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Claimed cells on their way to a target. Of a text the first cell goes alone: what it computes of the shared beginning is
 * there for the others once it is answered.
 */
final class Feed {
    private final Deque<Integer> ready = new ArrayDeque<>();
    private final Map<Integer, List<Integer>> behind = new HashMap<>();
    private final Set<Integer> asked = new HashSet<>();

    /** Takes in the cells of one text, in their order. */
    void add(List<Integer> cells) {
        ready.add(cells.get(0));
        behind.put(cells.get(0), cells.subList(1, cells.size()));
    }

    /** Whether a cell can be asked now. */
    boolean ready() {
        return !ready.isEmpty();
    }

    /** The next cell to ask. */
    int next() {
        int cell = ready.remove();
        asked.add(cell);
        return cell;
    }

    /** Notes that a cell is answered. */
    void answered(int cell) {
        asked.remove(cell);
        List<Integer> others = behind.remove(cell);
        if (others != null) {
            ready.addAll(others);
        }
    }

    /** Cells that are being asked. */
    int asked() {
        return asked.size();
    }

    /** Whether nothing is left. */
    boolean empty() {
        return asked.isEmpty() && ready.isEmpty();
    }
}
