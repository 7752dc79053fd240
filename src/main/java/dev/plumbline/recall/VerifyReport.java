package dev.plumbline.recall;

import java.util.ArrayList;
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

    /** The row that answers the same question with as many cells. */
    public Optional<VerifyRow> row(Family family, int length, int indexTopk, int n) {
        return rows.stream()
                .filter(row -> row.family().equals(family.label())
                        && row.length() == length
                        && row.indexTopk() == indexTopk
                        && row.n() == n)
                .findFirst();
    }

    /** This report with a row more, or with the row replaced that asked the same. */
    public VerifyReport with(VerifyRow row) {
        List<VerifyRow> all = new ArrayList<>(rows);
        all.removeIf(old -> old.family().equals(row.family())
                && old.length() == row.length()
                && old.indexTopk() == row.indexTopk());
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
                "\n| family | length | index_topk | recall | 95 % interval | n | promised | kept | prefill tok/s |\n");
        page.append("|---|---|---|---|---|---|---|---|---|\n");
        for (VerifyRow row : rows) {
            page.append("| ").append(String.join(" | ", cells(row))).append(" |\n");
        }
        page.append(
                "\nThe prompts of a row are up to three tokens shorter than its length, so that every length modulo 4"
                        + " occurs;\ndepths are spread evenly. Words and texts are those held out of training.\n");
        return page.toString();
    }

    /** The report as a table for a terminal. */
    public String table() {
        TextTable table = new TextTable(List.of(
                "family", "length", "index_topk", "recall", "95 % interval", "n", "promised", "kept", "prefill tok/s"));
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
                free ? "-" : row.kept() ? "yes" : "NO",
                String.format(Locale.ROOT, "%.0f", row.prefillTokS()));
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
