package dev.plumbline.recall.report;

import static dev.plumbline.recall.report.MarkdownText.code;

import dev.plumbline.recall.Rate;
import dev.plumbline.recall.result.CellRecord;
import dev.plumbline.recall.result.RunRecord;
import dev.plumbline.recall.suite.SuiteStratum;
import dev.plumbline.recall.verdict.CellState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A run as a page of Markdown. */
final class RunMarkdown {
    private static final int MOST_CELLS = 50;

    private final RunRecord run;
    private final StringBuilder page = new StringBuilder();

    private RunMarkdown(RunRecord run) {
        this.run = run;
    }

    static String of(RunReport report) {
        return new RunMarkdown(report.run()).render(report.command());
    }

    private String render(String command) {
        page.append("# Recall of ")
                .append(code(run.runConfig()))
                .append(" in ")
                .append(code(run.suite().label()))
                .append("\n\n")
                .append(sentence())
                .append("\n\n");
        MarkdownParts.facts(page, MarkdownParts.about(run));
        MarkdownParts.command(page, command);
        strata();
        grid();
        cells();
        page.append("## Flags in force\n\n");
        MarkdownParts.facts(page, run.flags());
        page.append("## Proof\n\n");
        MarkdownParts.facts(page, run.target().facts());
        return page.toString();
    }

    private String sentence() {
        String text = "**" + rate(run.cells()) + " were answered right";
        int out = run.cells().size() - scored(run.cells());
        return text + (out == 0 ? "" : "; " + out + " of " + run.cells().size() + " do not count (" + leftOut() + ")")
                + ".** What that is worth, only a comparison of the same cells can say.";
    }

    private String leftOut() {
        Map<CellState, Integer> counts = run.counts();
        return counts.get(CellState.TRUNCATED) + " truncated, " + counts.get(CellState.ERROR) + " errors, "
                + counts.get(CellState.MISSING) + " missing";
    }

    private void strata() {
        page.append("## Strata\n\n");
        MarkdownTable table =
                new MarkdownTable("stratum", "required", "recall", "95 % interval", "truncated", "errors", "missing");
        for (SuiteStratum stratum : run.suite().strata()) {
            List<CellRecord> cells = run.cells().stream()
                    .filter(cell -> cell.cell().stratum().equals(stratum.name()))
                    .toList();
            table.row(
                    code(stratum.name()),
                    stratum.required() ? "yes" : "no",
                    rate(cells),
                    scored(cells) == 0 ? "-" : interval(RunRecord.rate(cells)),
                    count(cells, CellState.TRUNCATED),
                    count(cells, CellState.ERROR),
                    count(cells, CellState.MISSING));
        }
        page.append(table).append('\n');
    }

    private void grid() {
        page.append("## Recall by length and depth\n\n");
        Map<String, CellRecord> byId = run.cells().stream()
                .collect(Collectors.toMap(cell -> cell.cell().id(), Function.identity()));
        MarkdownParts.grid(
                page,
                RecallGrid.of(run),
                (row, depth) -> share(row.at(depth), byId),
                row -> share(row.all().toList(), byId));
    }

    private static String share(List<String> ids, Map<String, CellRecord> byId) {
        List<CellRecord> cells = ids.stream().map(byId::get).toList();
        return cells.isEmpty() ? "" : passed(cells) + "/" + scored(cells);
    }

    private void cells() {
        List<CellRecord> wrong = run.cells().stream()
                .filter(cell -> cell.state() != CellState.PASSED && cell.state() != CellState.MISSING)
                .toList();
        page.append("## Cells that did not pass: ").append(wrong.size()).append("\n\n");
        if (wrong.isEmpty()) {
            return;
        }
        MarkdownTable table = new MarkdownTable("cell", "state", "expected", "answer", "why", "edits");
        List<List<CellRecord>> shown = new ArrayList<>();
        wrong.stream().limit(MOST_CELLS).forEach(cell -> {
            table.row(
                    code(cell.cell().id()),
                    RecordJson.word(cell.state()),
                    code(String.join(", ", cell.expected())),
                    code(cell.answer()),
                    MarkdownText.plain(cell.reason()),
                    String.valueOf(cell.distance()));
            shown.add(List.of(cell));
        });
        page.append(table);
        MarkdownParts.more(page, wrong.size() - MOST_CELLS);
        MarkdownParts.needles(page, List.of(""), shown);
    }

    private static String rate(Collection<CellRecord> cells) {
        int scored = scored(cells);
        return passed(cells) + " of " + scored + " cells"
                + (scored == 0
                        ? ""
                        : " (" + Numbers.points(RunRecord.rate(cells).value()) + " %)");
    }

    private static String interval(Rate rate) {
        return Numbers.points(rate.low()) + " to " + Numbers.points(rate.high()) + " %";
    }

    private static int passed(Collection<CellRecord> cells) {
        return (int)
                cells.stream().filter(cell -> cell.state() == CellState.PASSED).count();
    }

    private static int scored(Collection<CellRecord> cells) {
        return (int) cells.stream().filter(cell -> cell.state().scored()).count();
    }

    private static String count(Collection<CellRecord> cells, CellState state) {
        return String.valueOf(
                cells.stream().filter(cell -> cell.state() == state).count());
    }
}
