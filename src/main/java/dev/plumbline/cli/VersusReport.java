package dev.plumbline.cli;

import dev.plumbline.recall.TextTable;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Two run configs side by side.
 *
 * @param about model and backend
 * @param machine what it ran on
 * @param date when it began
 * @param a the first config's flags, as its lane says
 * @param b the second's
 * @param results a row per batch size and length
 */
record VersusReport(
        Map<String, String> about,
        Map<String, String> machine,
        String date,
        Map<String, String> a,
        Map<String, String> b,
        List<VersusRow> results) {

    String table() {
        TextTable table = new TextTable(List.of(
                "length",
                "batch",
                "prefill A",
                "B tok/s",
                "B/A",
                "decode A",
                "B tok/s",
                "B/A",
                "ttft A",
                "B ms",
                "B/A"));
        for (VersusRow row : results) {
            table.row(List.of(
                    String.valueOf(row.a().length()),
                    String.valueOf(row.a().batch()),
                    BenchReport.rounded(row.a().prefillTokS()),
                    BenchReport.rounded(row.b().prefillTokS()),
                    ratio(row.prefillRatio()),
                    BenchReport.rounded(row.a().decodeTokS()),
                    BenchReport.rounded(row.b().decodeTokS()),
                    ratio(row.decodeRatio()),
                    BenchReport.rounded(row.a().ttftMs()),
                    BenchReport.rounded(row.b().ttftMs()),
                    ratio(row.ttftRatio())));
        }
        StringBuilder differences = new StringBuilder();
        a.forEach((flag, value) -> {
            if (!value.equals(b.get(flag))) {
                differences
                        .append("  ")
                        .append(flag)
                        .append(": A ")
                        .append(value)
                        .append(", B ")
                        .append(b.get(flag))
                        .append('\n');
            }
        });
        return table.render() + "\nA and B differ in\n" + differences;
    }

    static String ratio(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}
