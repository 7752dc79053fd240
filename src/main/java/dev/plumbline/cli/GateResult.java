package dev.plumbline.cli;

import java.util.function.Supplier;

/**
 * What a gate says, and its reports.
 *
 * @param title SAFE, REGRESSION or NOT ENOUGH EVIDENCE
 * @param text for a terminal
 * @param json report as JSON
 * @param junit report as JUnit XML
 * @param report report as Markdown
 */
record GateResult(String title, String text, Supplier<String> json, Supplier<String> junit, Supplier<String> report) {
    static final int SAFE = 0;
    static final int REGRESSION = 1;
    static final int NOT_ENOUGH_EVIDENCE = 2;
    static final int ERROR = 3;

    /** The exit status. */
    int status() {
        return switch (title) {
            case "SAFE" -> SAFE;
            case "REGRESSION" -> REGRESSION;
            case "NOT ENOUGH EVIDENCE" -> NOT_ENOUGH_EVIDENCE;
            default -> ERROR;
        };
    }
}
