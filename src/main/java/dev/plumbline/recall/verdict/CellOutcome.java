package dev.plumbline.recall.verdict;

import java.util.Objects;

/**
 * A planned cell of a run, and what became of it.
 *
 * @param cell the cell's id, unique in the run
 * @param promptHash hash of the prompt; empty if the cell has no prompt, which only {@link CellState#ERROR} and
 *     {@link CellState#MISSING} allow
 * @param stratum name of the group that is judged by itself, such as {@code 4K tokens}
 * @param haystack the text the needle was hidden in; cells of one haystack are not independent
 * @param state what became of it
 */
public record CellOutcome(String cell, String promptHash, String stratum, String haystack, CellState state) {

    /** Checks that nothing is left out. */
    public CellOutcome {
        Objects.requireNonNull(cell, "cell");
        Objects.requireNonNull(stratum, "stratum");
        Objects.requireNonNull(haystack, "haystack");
        Objects.requireNonNull(state, "state");
        if (promptHash.isEmpty() && state != CellState.ERROR && state != CellState.MISSING) {
            throw new IllegalArgumentException("cell " + cell + " is " + state + " but has no prompt hash");
        }
    }
}
