package dev.plumbline.recall.result;

import dev.plumbline.recall.suite.SuiteCell;
import dev.plumbline.recall.verdict.CellOutcome;
import dev.plumbline.recall.verdict.CellState;
import java.util.List;

/**
 * What became of one cell.
 *
 * @param cell the test
 * @param state what became of it; {@link CellState#MISSING} before it was asked
 * @param promptHash hash of the messages; empty if the prompt could not be built or was not yet
 * @param expected values that the answer must hold
 * @param answer what was answered; may be empty
 * @param distance edits from the expected values to the nearest stretches of the answer; 0 when all are there
 * @param reason why it did not pass; empty if it did
 * @param finishReason why the answer ended, as its target names it; empty without an answer
 * @param promptTokens tokens of the prompt as the target counts them; 0 if it does not tell
 * @param answerTokens tokens of the answer as the target counts them; 0 if it does not tell
 * @param firstTokenMillis from asking to the first token; NaN without one
 * @param totalMillis from asking to the end of the answer; NaN without an answer
 * @param needle what the indexer did, by layer, stage and value; empty if the target does not tell
 */
public record CellRecord(
        SuiteCell cell,
        CellState state,
        String promptHash,
        List<String> expected,
        String answer,
        int distance,
        String reason,
        String finishReason,
        int promptTokens,
        int answerTokens,
        double firstTokenMillis,
        double totalMillis,
        List<NeedleTrace> needle) {

    /** Copies the lists. */
    public CellRecord {
        expected = List.copyOf(expected);
        needle = List.copyOf(needle);
    }

    /** A cell that was not asked yet. */
    public static CellRecord missing(SuiteCell cell) {
        return unanswered(cell, CellState.MISSING, "", List.of(), "");
    }

    /** A cell that could not be asked, or whose answer broke off. */
    public static CellRecord error(SuiteCell cell, String promptHash, List<String> expected, String reason) {
        return unanswered(cell, CellState.ERROR, promptHash, expected, reason);
    }

    /** What a verdict needs of a cell, and nothing besides. */
    public static CellRecord bare(SuiteCell cell, CellState state, String promptHash) {
        return unanswered(cell, state, promptHash, List.of(), "");
    }

    private static CellRecord unanswered(
            SuiteCell cell, CellState state, String promptHash, List<String> expected, String reason) {
        return new CellRecord(
                cell, state, promptHash, expected, "", 0, reason, "", 0, 0, Double.NaN, Double.NaN, List.of());
    }

    /** What a verdict needs of it. */
    public CellOutcome outcome() {
        return new CellOutcome(cell.id(), promptHash, cell.stratum(), cell.haystackId(), state);
    }
}
