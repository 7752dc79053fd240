package dev.plumbline.cli;

import dev.plumbline.precision.CostDifference;
import dev.plumbline.precision.CostFormula;
import dev.plumbline.precision.CostReport;
import dev.plumbline.precision.Pool;
import dev.plumbline.precision.ReportedDifference;
import dev.plumbline.recall.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A cost as a terminal shows it. */
final class CostText {
    private CostText() {}

    /**
     * @param base what the report compares with, for people
     */
    static List<String> lines(CostReport report, String base) {
        List<String> lines = new ArrayList<>();
        lines.add("Model " + report.layout().architecture().name() + ", window share "
                + report.terms().windowShare() + ", budget "
                + mebibytes(report.terms().budgetBytes()) + " MiB");
        lines.add("");
        CostFormula.lines(report.cost()).forEach(line -> lines.add("  " + line));
        lines.add("");
        CostDifference difference = report.difference();
        lines.add("Against " + base + ": " + percent(difference.bytesPercent()) + " bytes per token, "
                + percent(difference.tokensPercent()) + " tokens in the budget (" + report.tokensInBudget()
                + " instead of " + report.baseTokensInBudget() + ")");
        lines.add("");
        lines.add("Requests, each with its own window, states and pages:");
        lines.addAll(requests(report));
        lines.add("The same difference by window share:");
        lines.addAll(shares(report));
        lines.add("Index keys of v4-flash in bf16 instead of fp8, by what is counted:");
        TextTable reported = new TextTable(List.of("bytes", "tokens", "assumption"));
        ReportedDifference.rows()
                .forEach(row -> reported.row(
                        List.of(percent(row.bytesPercent()), percent(row.tokensPercent()), row.assumption())));
        lines.addAll(rendered(reported));
        lines.addAll(ReportedDifference.conclusion());
        return lines;
    }

    private static List<String> requests(CostReport report) {
        List<String> header = new ArrayList<>(List.of("tokens", "MiB", "fit", "fit before"));
        for (Pool pool : Pool.values()) {
            header.add(pool.key());
        }
        TextTable table = new TextTable(header);
        for (CostReport.Request request : report.requests()) {
            List<String> row = new ArrayList<>(List.of(
                    String.valueOf(request.tokens()),
                    mebibytes(request.bytes()),
                    String.valueOf(request.inBudget()),
                    String.valueOf(request.baseInBudget())));
            for (Pool pool : Pool.values()) {
                row.add(mebibytes(request.bytesByPool().get(pool)));
            }
            table.row(row);
        }
        return rendered(table);
    }

    private static List<String> shares(CostReport report) {
        TextTable table = new TextTable(List.of("window share", "B/token", "B/token before", "bytes", "tokens"));
        for (CostDifference at : report.byWindowShare()) {
            table.row(List.of(
                    String.valueOf(at.candidate().windowShare()),
                    decimal(at.candidate().bytes()),
                    decimal(at.base().bytes()),
                    percent(at.bytesPercent()),
                    percent(at.tokensPercent())));
        }
        return rendered(table);
    }

    private static List<String> rendered(TextTable table) {
        return table.render().lines().toList();
    }

    private static String mebibytes(long bytes) {
        return String.format(Locale.ROOT, "%.2f", bytes / (double) (1 << 20));
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private static String percent(double value) {
        return String.format(Locale.ROOT, "%+.1f %%", value);
    }
}
