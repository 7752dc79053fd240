package dev.plumbline.recall.table;

import dev.plumbline.recall.TextTable;
import dev.plumbline.recall.suite.SuiteStratum;
import dev.plumbline.recall.verdict.NeedsConfirmation;
import dev.plumbline.recall.verdict.Outcome;
import dev.plumbline.recall.verdict.Verdict;
import dev.plumbline.recall.verdict.VerdictRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Measurements as a page of Markdown, and as tables for a terminal. */
public final class RecallPage {
    /** Behind the name of a run config: asked once more, to see how much chance does. */
    public static final String AGAIN = " again";

    private static final VerdictRule RULE = VerdictRule.STANDARD;

    private RecallPage() {}

    /** The page: a section for each measurement. */
    public static String markdown(List<Measurement> measurements) {
        StringBuilder page = new StringBuilder("""
                # Recall by length and run config

                Printed by `./plumbline recall --render`. A row of the second table holds a run config against the first one, cell
                by cell: `lost` cells passed under the baseline only (b), `gained` ones under the config only (c). `safe`: less than
                5 points are lost, at 95 %. `LOST`: McNemar's exact test, adjusted over all strata, and the sign-flip test over
                haystacks are both at 5 % or below, and the loss is above what the baseline loses against itself; `./plumbline gate`
                asks fresh cells before it calls that a REGRESSION. `open`: neither. `not seen`: cells whose needle the indexer
                selected in no layer for the answer's first token. `time` is that of all cells of the row, several at once, with a trace of every selection.
                """);
        measurements.forEach(measured -> section(page, measured));
        return page.toString();
    }

    /** One measurement for a terminal. */
    public static String text(Measurement measured) {
        RecallRows rows = new RecallRows(measured, RULE);
        TextTable recall = new TextTable(recallHeader(measured));
        recallRows(measured, rows).forEach(recall::row);
        TextTable strata = new TextTable(STRATA);
        measured.runs().forEach(run -> rows.of(run).stream()
                .filter(row -> !row.cells().isEmpty())
                .forEach(row -> strata.row(cells(row))));
        return recall.render() + "\n" + strata.render() + "\n" + String.join("\n", sentences(measured, rows)) + "\n";
    }

    private static void section(StringBuilder page, Measurement measured) {
        RecallRows rows = new RecallRows(measured, RULE);
        page.append("\n## ").append(measured.about().getOrDefault("model", measured.model()));
        page.append("\n\n");
        measured.about().forEach((name, value) -> page.append("- ")
                .append(name)
                .append(": ")
                .append(line(value))
                .append('\n'));
        page.append("- suite: ").append(measured.suite().label());
        page.append(", seeds ").append(numbers(measured.seeds()));
        page.append(", scorer ").append(measured.scorer());
        page.append("\n- date: ").append(String.join(", ", measured.dates())).append("\n\n");
        table(page, recallHeader(measured), recallRows(measured, rows));
        page.append('\n');
        sentences(measured, rows)
                .forEach(sentence -> page.append("- ").append(sentence).append('\n'));
        page.append('\n');
        List<List<String>> strata = new ArrayList<>();
        measured.runs().forEach(run -> rows.of(run).forEach(row -> strata.add(cells(row))));
        table(page, STRATA, strata);
    }

    private static List<String> recallHeader(Measurement measured) {
        List<String> header = new ArrayList<>(List.of("run config"));
        measured.suite().strata().stream().map(SuiteStratum::name).forEach(header::add);
        header.add("time");
        return header;
    }

    private static List<List<String>> recallRows(Measurement measured, RecallRows rows) {
        List<List<String>> table = new ArrayList<>();
        measured.runs().forEach(run -> {
            List<String> row = new ArrayList<>(List.of(run.config()));
            rows.of(run)
                    .forEach(stratum -> row.add(
                            stratum.rate() == null ? "" : percent(stratum.rate().value())));
            row.add(seconds(run.total()));
            table.add(row);
        });
        return table;
    }

    private static List<String> sentences(Measurement measured, RecallRows rows) {
        return measured.runs().stream()
                .flatMap(run -> rows.outcome(run).stream()
                        .map(outcome -> run.config() + ": " + title(outcome) + ". " + outcome.sentence()))
                .collect(Collectors.toList());
    }

    private static String title(Outcome outcome) {
        return outcome instanceof NeedsConfirmation ? "LOST" : ((Verdict) outcome).title();
    }

    private static final List<String> STRATA = List.of(
            "run config",
            "cells",
            "recall",
            "95 % interval",
            "n",
            "unanswered",
            "lost b",
            "gained c",
            "loss, 95 % interval",
            "verdict",
            "not seen",
            "time");

    private static List<String> cells(StratumRow row) {
        boolean paired = row.finding() != null;
        return List.of(
                row.config(),
                row.stratum() + (row.required() ? "" : " (shown only)"),
                row.rate() == null ? "" : percent(row.rate().value()),
                row.rate() == null
                        ? ""
                        : percent(row.rate().low()) + " to "
                                + percent(row.rate().high()),
                row.scored() + (row.cells().size() < row.planned() ? " of " + row.planned() : ""),
                String.valueOf(row.unscored()),
                paired ? String.valueOf(row.finding().counts().lost()) : "",
                paired ? String.valueOf(row.finding().counts().gained()) : "",
                paired ? loss(row) : "",
                row.verdict(RULE),
                row.neverSelected() < 0 ? "" : String.valueOf(row.neverSelected()),
                seconds(row.seconds()));
    }

    private static String loss(StratumRow row) {
        return points(row.finding().loss().estimate()) + " ("
                + points(row.finding().loss().low()) + " to "
                + points(row.finding().loss().high()) + ")";
    }

    private static void table(StringBuilder page, List<String> header, List<List<String>> rows) {
        page.append("| ")
                .append(header.stream().map(RecallPage::cell).collect(Collectors.joining(" | ")))
                .append(" |\n");
        page.append("|").append("---|".repeat(header.size())).append('\n');
        rows.forEach(row -> page.append("| ")
                .append(row.stream().map(RecallPage::cell).collect(Collectors.joining(" | ")))
                .append(" |\n"));
    }

    /** Names of strata and of files are somebody's words. */
    private static String cell(String text) {
        return line(text).replace("\\", "\\\\").replace("|", "\\|");
    }

    private static String line(String text) {
        return text.replaceAll("\\s+", " ").replace("<", "&lt;");
    }

    private static String numbers(List<Long> seeds) {
        return seeds.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", share * 100);
    }

    private static String points(double share) {
        return String.format(Locale.ROOT, "%.1f", share * 100).replaceFirst("^-0\\.0$", "0.0");
    }

    private static String seconds(double seconds) {
        return String.format(Locale.ROOT, "%.1f s", seconds);
    }
}
