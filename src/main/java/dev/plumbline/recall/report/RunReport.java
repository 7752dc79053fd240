package dev.plumbline.recall.report;

import dev.plumbline.recall.result.RunRecord;

/**
 * A run, ready to be written.
 *
 * @param run the run; one that is not finished has cells that are missing
 * @param command one command that asks the same again, for a POSIX shell
 */
public record RunReport(RunRecord run, String command) {

    /** A line per cell, with a header; text that a spreadsheet would take for a formula begins with an apostrophe. */
    public String csv() {
        return RunCsv.of(run);
    }

    /** Everything that is known of the run. */
    public String json() {
        return RecordJson.pretty(RunJson.of(run).put("command", command));
    }

    /**
     * A test suite per stratum and a test case per cell: a wrong answer is a failure; a cell that could not be asked and one
     * whose answer was cut are errors of type {@code error} and {@code truncated}; a cell without a result is skipped.
     */
    public String junit() {
        return RunJUnit.of(run);
    }

    /** A page for people. */
    public String markdown() {
        return RunMarkdown.of(this);
    }
}
