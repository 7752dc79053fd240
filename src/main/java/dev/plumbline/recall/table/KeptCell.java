package dev.plumbline.recall.table;

import dev.plumbline.recall.result.CellRecord;
import dev.plumbline.recall.result.NeedleTrace;
import dev.plumbline.recall.suite.SuiteCell;
import dev.plumbline.recall.verdict.CellOutcome;
import dev.plumbline.recall.verdict.CellState;
import dev.plumbline.trace.Stage;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What is kept of a cell.
 *
 * @param id of the cell
 * @param state what became of it
 * @param prompt first 16 hex digits of the prompt's hash; empty if there was no prompt
 * @param expected values that the answer must hold
 * @param answer what was answered
 * @param distance edits from the expected values to the nearest stretches of the answer
 * @param reason why it did not pass; empty if it did
 * @param firstTokenMillis from asking to the first token, waiting included; -1 without one
 * @param totalMillis from asking to the end of the answer; -1 without an answer
 * @param layers layers traced for the query that gives the answer's first token
 * @param selectedLayers those of them in which it selected an entry of every expected value
 */
public record KeptCell(
        String id,
        CellState state,
        String prompt,
        List<String> expected,
        String answer,
        int distance,
        String reason,
        long firstTokenMillis,
        long totalMillis,
        int layers,
        int selectedLayers) {
    private static final int DIGITS = 16;

    /** Copies the list. */
    public KeptCell {
        expected = List.copyOf(expected);
    }

    /** Of a record. */
    public static KeptCell of(CellRecord record) {
        Map<Integer, List<NeedleTrace>> layers = record.needle().stream()
                .filter(trace -> trace.stage() == Stage.PREFILL)
                .collect(Collectors.groupingBy(NeedleTrace::layer));
        return new KeptCell(
                record.cell().id(),
                record.state(),
                record.promptHash()
                        .substring(0, Math.min(DIGITS, record.promptHash().length())),
                record.expected(),
                record.answer(),
                record.distance(),
                record.reason(),
                millis(record.firstTokenMillis()),
                millis(record.totalMillis()),
                layers.size(),
                (int) layers.values().stream()
                        .filter(values -> values.stream().allMatch(trace -> trace.selected() > 0))
                        .count());
    }

    private static long millis(double value) {
        return Double.isNaN(value) ? -1 : Math.round(value);
    }

    /** Whether the indexer was traced and in no layer gave attention something of every expected value. */
    boolean neverSelected() {
        return layers > 0 && selectedLayers == 0;
    }

    CellOutcome outcome(SuiteCell cell) {
        return new CellOutcome(id, prompt, cell.stratum(), cell.haystackId(), state);
    }
}
