package dev.plumbline.recall.sweep;

import dev.plumbline.recall.Family;
import dev.plumbline.recall.TextTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Recall rows of one model under one set of flags.
 *
 * @param about what was measured; rows are kept only while this stays the same
 * @param rows in the order they were asked
 */
public record VerifyReport(Map<String, String> about, List<VerifyRow> rows) {
    private static final JsonMapper JSON = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    /** Copies the rows; missing parts are empty. */
    public VerifyReport {
        about = about == null ? Map.of() : about;
        rows = rows == null ? List.of() : List.copyOf(rows);
    }

    /** A report from its JSON; empty if it is none. */
    public static Optional<VerifyReport> parse(String json) {
        try {
            VerifyReport report = JSON.readValue(json, VerifyReport.class);
            return Optional.of(report);
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    /** The row that answers the same question with as many cells or more, of this commit; null stands for any commit. */
    public Optional<VerifyRow> row(Family family, int length, int indexTopk, int n, String commit) {
        return rows.stream()
                .filter(row -> row.family().equals(family.label())
                        && row.length() == length
                        && row.indexTopk() == indexTopk
                        && row.n() >= n
                        && (commit == null || row.commit().equals(commit)))
                .max(Comparator.comparingInt(VerifyRow::n));
    }

    /** This report with a row more, in place of those that asked the same with as many cells or fewer. */
    public VerifyReport with(VerifyRow row) {
        List<VerifyRow> all = new ArrayList<>(rows);
        all.removeIf(old -> old.family().equals(row.family())
                && old.length() == row.length()
                && old.indexTopk() == row.indexTopk()
                && old.n() <= row.n());
        all.add(row);
        return new VerifyReport(about, all);
    }

    /** The report as JSON. */
    public String json() {
        return JSON.writeValueAsString(this) + "\n";
    }

    /** The report as a page of text. */
    public String markdown() {
        StringBuilder page = new StringBuilder("# Recall, as `./plumbline verify` measured it\n\n");
        about.forEach((name, value) ->
                page.append("- ").append(name).append(": ").append(value).append('\n'));
        page.append(
                "\n| family | length | index_topk | recall | 95 % interval | n | promised | kept | prefill tok/s | commit | date |\n");
        page.append("|---|---|---|---|---|---|---|---|---|---|---|\n");
        for (VerifyRow row : rows) {
            page.append("| ").append(String.join(" | ", cells(row))).append(" |\n");
        }
        page.append(
                "\nThe prompts of a row are up to three tokens shorter than its length, so that every length modulo 4"
                        + " occurs;\ndepths are spread evenly. Texts, and the lists that words are drawn from, are those held out.\n");
        return page.toString();
    }

    /** The report as a table for a terminal. */
    public String table() {
        TextTable table = new TextTable(List.of(
                "family",
                "length",
                "index_topk",
                "recall",
                "95 % interval",
                "n",
                "promised",
                "kept",
                "prefill tok/s",
                "commit",
                "date"));
        rows.forEach(row -> table.row(cells(row)));
        return table.render();
    }

    private static List<String> cells(VerifyRow row) {
        boolean free = row.promised().equals(Promise.NONE);
        return List.of(
                row.family(),
                String.valueOf(row.length()),
                String.valueOf(row.indexTopk()),
                percent(row.recall()),
                percent(row.low95()) + " to " + percent(row.high95()),
                String.valueOf(row.n()),
                promised(row.promised()),
                free ? "-" : verdict(row),
                String.format(Locale.ROOT, "%.0f", row.prefillTokS()),
                row.commit(),
                row.date());
    }

    private static String verdict(VerifyRow row) {
        if (!row.enough()) {
            return "too few";
        }
        return row.kept() ? "yes" : "NO";
    }

    private static String promised(Promise promise) {
        if (promise.floor() != null) {
            return "at least " + percent(promise.floor());
        }
        return promise.ceiling() != null ? "at most " + percent(promise.ceiling()) : "-";
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", share * 100);
    }
}
