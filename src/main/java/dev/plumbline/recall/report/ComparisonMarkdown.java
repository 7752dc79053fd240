package dev.plumbline.recall.report;

import static dev.plumbline.recall.report.MarkdownText.code;

import dev.plumbline.recall.judge.Judgement;
import dev.plumbline.recall.verdict.CellPair;
import dev.plumbline.recall.verdict.CellsNeeded;
import dev.plumbline.recall.verdict.PairedCounts;
import dev.plumbline.recall.verdict.StratumFinding;
import dev.plumbline.recall.verdict.VerdictRule;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/** A comparison as a page of Markdown. */
final class ComparisonMarkdown {
    private static final int MOST_CELLS = 50;

    private final Judgement judgement;
    private final VerdictRule rule;
    private final StringBuilder page = new StringBuilder();

    private ComparisonMarkdown(Judgement judgement) {
        this.judgement = judgement;
        this.rule = judgement.outcome().rule();
    }

    static String of(ComparisonReport report) {
        return new ComparisonMarkdown(report.judgement()).render(report.command());
    }

    private String render(String command) {
        page.append("# ")
                .append(judgement.title())
                .append(": ")
                .append(code(judgement.candidate().runConfig()))
                .append(" against ")
                .append(code(judgement.baseline().runConfig()))
                .append(" in ")
                .append(code(judgement.baseline().suite().label()))
                .append("\n\n**")
                .append(MarkdownText.plain(judgement.sentence()))
                .append("**\n\n");
        judgement.notes().forEach(note -> page.append("- Note: ")
                .append(MarkdownText.plain(note))
                .append('\n'));
        page.append(judgement.notes().isEmpty() ? "" : "\n");
        MarkdownParts.command(page, command);
        strata();
        fresh();
        grids();
        changes("Lost cells", CellPair::lost);
        changes("Gained cells", CellPair::gained);
        changes("Cells that do not count", pair -> !pair.scored());
        page.append("## Flags in force\n\n");
        sideBySide(judgement.baseline().flags(), judgement.candidate().flags());
        page.append("## Both runs\n\n");
        sideBySide(MarkdownParts.about(judgement.baseline()), MarkdownParts.about(judgement.candidate()));
        page.append("## Proof of both\n\n");
        sideBySide(
                judgement.baseline().target().facts(),
                judgement.candidate().target().facts());
        return page.toString();
    }

    private void strata() {
        page.append(
                        "## Strata\n\nA is the baseline, B the candidate; b cells were lost, c gained, of n pairs that count.")
                .append(" SAFE needs every required stratum to lose less than ")
                .append(Numbers.points(rule.margin()))
                .append(" points beyond doubt, with at least ")
                .append(rule.minimumPairs())
                .append(" pairs.\n\n");
        findings(judgement.outcome().strata());
        if (!judgement.shown().isEmpty()) {
            page.append("No verdict depends on these:\n\n");
            findings(judgement.shown());
        }
    }

    private void fresh() {
        List<StratumFinding> again = ComparisonJson.findings(judgement.outcome());
        if (!again.isEmpty()) {
            page.append("The same on fresh seeds ")
                    .append(judgement.fresh().baseline().seeds())
                    .append(":\n\n");
            findings(again);
        }
    }

    private void findings(List<StratumFinding> findings) {
        MarkdownTable table = new MarkdownTable(
                "stratum",
                "n",
                "A %",
                "B %",
                "b",
                "c",
                "loss in points, 95 %",
                "p by pairs",
                "p by haystacks",
                "noise",
                "left out",
                "says");
        for (StratumFinding finding : findings) {
            PairedCounts counts = finding.counts();
            table.row(
                    code(finding.name()),
                    String.valueOf(counts.pairs()),
                    counts.pairs() == 0 ? "-" : Numbers.points(counts.baseline().value()),
                    counts.pairs() == 0
                            ? "-"
                            : Numbers.points(counts.candidate().value()),
                    String.valueOf(counts.lost()),
                    String.valueOf(counts.gained()),
                    Numbers.signedPoints(finding.loss().estimate()) + " ("
                            + Numbers.signedPoints(finding.loss().low()) + " to "
                            + Numbers.signedPoints(finding.loss().high()) + ")",
                    Numbers.probability(finding.tests().adjusted()),
                    Numbers.probability(finding.tests().signFlip()),
                    finding.noise().measured()
                            ? finding.noise().discordant() + "/"
                                    + finding.noise().pairs()
                            : "unknown",
                    String.valueOf(finding.leftOut().pairs()),
                    says(finding));
        }
        page.append(table).append('\n');
    }

    private String says(StratumFinding finding) {
        if (finding.safe(rule)) {
            return "safe";
        }
        if (finding.suspicious(rule)) {
            return "lost";
        }
        CellsNeeded needed = finding.needed(rule);
        return needed.forSafe().isPresent() && needed.forSafe().getAsInt() > 0
                ? "open; some " + needed.forSafe().getAsInt() + " cells more for safe"
                : "open";
    }

    private void grids() {
        PairedGrid grid = PairedGrid.of(judgement);
        page.append("## Recall by length and depth\n\nA, the baseline:\n\n");
        grid(grid, counts -> counts.baselinePassed() + "/" + counts.pairs());
        page.append("B, the candidate:\n\n");
        grid(grid, counts -> counts.candidatePassed() + "/" + counts.pairs());
        page.append("A − B, in points:\n\n");
        grid(grid, counts -> Numbers.signedPoints(counts.loss()));
    }

    private void grid(PairedGrid pairs, Function<PairedCounts, String> shown) {
        MarkdownParts.grid(
                page,
                pairs.grid(),
                (row, depth) -> shown(pairs.at(row, depth), shown),
                row -> shown(pairs.all(row), shown));
    }

    private static String shown(PairedCounts counts, Function<PairedCounts, String> shown) {
        return counts.pairs() == 0 ? "" : shown.apply(counts);
    }

    private void changes(String title, Predicate<CellPair> kind) {
        List<CellChange> changes = CellChange.of(judgement, kind);
        page.append("## ").append(title).append(": ").append(changes.size()).append("\n\n");
        if (changes.isEmpty()) {
            return;
        }
        List<CellChange> some = changes.stream().limit(MOST_CELLS).toList();
        MarkdownTable table =
                new MarkdownTable("cell", "stratum", "expected", "A", "answer of A", "B", "answer of B", "why");
        for (CellChange change : some) {
            table.row(
                    code(change.candidate().cell().id()),
                    code(change.candidate().cell().stratum()),
                    code(String.join(", ", change.candidate().expected())),
                    RecordJson.word(change.baseline().state()),
                    code(change.baseline().answer()),
                    RecordJson.word(change.candidate().state()),
                    code(change.candidate().answer()),
                    MarkdownText.plain(
                            change.candidate().reason().isEmpty()
                                    ? change.baseline().reason()
                                    : change.candidate().reason()));
        }
        page.append(table);
        MarkdownParts.more(page, changes.size() - MOST_CELLS);
        MarkdownParts.needles(
                page,
                List.of("A", "B"),
                some.stream()
                        .map(change -> List.of(change.baseline(), change.candidate()))
                        .toList());
    }

    private void sideBySide(Map<String, String> baseline, Map<String, String> candidate) {
        List<FlagRow> rows = FlagRow.of(baseline, candidate);
        if (rows.isEmpty()) {
            page.append("None are known.\n\n");
            return;
        }
        long differing = rows.stream().filter(FlagRow::differs).count();
        page.append(differing == 0 ? "Nothing differs.\n\n" : "");
        MarkdownTable table = new MarkdownTable("", "A", "B", "");
        for (FlagRow row : rows) {
            table.row(
                    MarkdownText.plain(row.name()),
                    value(row.baseline()),
                    value(row.candidate()),
                    row.differs() ? "**differs**" : "");
        }
        page.append(table).append('\n');
    }

    private static String value(String value) {
        return value == null ? "unknown" : code(value);
    }
}
