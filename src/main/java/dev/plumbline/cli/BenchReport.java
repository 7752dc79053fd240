package dev.plumbline.cli;

import dev.plumbline.recall.TextTable;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Everything a bench measured.
 *
 * @param about model, backend and flags
 * @param machine what it ran on
 * @param date when it began
 * @param results a row per batch size and length
 */
record BenchReport(Map<String, String> about, Map<String, String> machine, String date, List<BenchRow> results) {

    String table() {
        TextTable table = new TextTable(
                List.of("length", "batch", "prefill tok/s", "decode tok/s", "ttft ms", "peak PSS MiB so far"));
        for (BenchRow row : results) {
            table.row(List.of(
                    String.valueOf(row.length()),
                    String.valueOf(row.batch()),
                    rounded(row.prefillTokS()),
                    rounded(row.decodeTokS()),
                    rounded(row.ttftMs()),
                    row.peakPssMb() == null ? "-" : String.valueOf(row.peakPssMb())));
        }
        return table.render();
    }

    static String rounded(double value) {
        return String.format(Locale.ROOT, "%.0f", value);
    }
}
