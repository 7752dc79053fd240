package dev.plumbline.recall.verdict;

/** What became of a cell. Only the first two say something about recall. */
public enum CellState {
    /** The answer is right. */
    PASSED,
    /** The answer is complete and wrong. */
    FAILED,
    /** The answer hit its token limit. */
    TRUNCATED,
    /** The cell could not be asked, or the answer broke off. */
    ERROR,
    /** The cell was planned and has no result. */
    MISSING;

    /** Whether the outcome counts in a pair. */
    public boolean scored() {
        return this == PASSED || this == FAILED;
    }

    /** Whether a right answer is known or possible. A truncated answer is known not to be one. */
    boolean mayHavePassed() {
        return this != FAILED && this != TRUNCATED;
    }
}
