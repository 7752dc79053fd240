package dev.plumbline.recall.verdict;

/**
 * One cell under both runs.
 *
 * @param baseline outcome under the baseline
 * @param candidate outcome under the candidate
 */
public record CellPair(CellOutcome baseline, CellOutcome candidate) {

    /** Whether both outcomes count. */
    public boolean scored() {
        return baseline.state().scored() && candidate.state().scored();
    }

    /** Whether the baseline passed and the candidate failed. */
    public boolean lost() {
        return baseline.state() == CellState.PASSED && candidate.state() == CellState.FAILED;
    }

    /** Whether the baseline failed and the candidate passed. */
    public boolean gained() {
        return baseline.state() == CellState.FAILED && candidate.state() == CellState.PASSED;
    }

    /** Whether the pair is left out although the truth may be a loss. */
    boolean mayBeLost() {
        return !scored() && baseline.state().mayHavePassed() && candidate.state() != CellState.PASSED;
    }
}
