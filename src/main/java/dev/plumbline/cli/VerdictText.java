package dev.plumbline.cli;

import dev.plumbline.recall.TextTable;
import dev.plumbline.recall.judge.Judgement;
import dev.plumbline.recall.verdict.PairedCounts;
import dev.plumbline.recall.verdict.StratumFinding;
import dev.plumbline.recall.verdict.VerdictRule;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** A judgement for a terminal. */
final class VerdictText {
    private VerdictText() {}

    static String of(Judgement judgement) {
        VerdictRule rule = judgement.outcome().rule();
        TextTable table = new TextTable(List.of(
                "cells", "n", "baseline", "candidate", "lost", "gained", "loss, 95 % interval", "noise", "safe"));
        judgement.outcome().strata().forEach(finding -> table.row(row(finding, rule)));
        judgement.shown().forEach(finding -> table.row(row(finding, rule)));
        Set<String> shown = judgement.shown().stream().map(StratumFinding::name).collect(Collectors.toSet());
        StringBuilder text = new StringBuilder(table.render());
        if (!shown.isEmpty()) {
            text.append("No verdict depends on: ")
                    .append(String.join(", ", shown))
                    .append(".\n");
        }
        judgement.notes().forEach(note -> text.append(note).append('\n'));
        return text.append('\n')
                .append(judgement.title())
                .append(": ")
                .append(judgement.sentence())
                .append('\n')
                .toString();
    }

    private static List<String> row(StratumFinding finding, VerdictRule rule) {
        PairedCounts counts = finding.counts();
        boolean any = counts.pairs() > 0;
        return List.of(
                finding.name(),
                String.valueOf(counts.pairs()),
                any ? percent(counts.baseline().value()) : "-",
                any ? percent(counts.candidate().value()) : "-",
                String.valueOf(counts.lost()),
                String.valueOf(counts.gained()),
                percent(finding.loss().estimate()) + " ("
                        + percent(finding.loss().low()) + " to "
                        + percent(finding.loss().high()) + ")",
                finding.noise().measured()
                        ? finding.noise().discordant() + "/" + finding.noise().pairs()
                        : "?",
                finding.safe(rule) ? "yes" : "no");
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", share * 100).replaceFirst("^-0\\.0", "0.0");
    }
}
