package dev.plumbline.recall.verdict;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Set;

/** Says what findings mean. Always with b and c. */
final class Sentences {
    private static final double POINTS = 100;
    private static final double SMALLEST_SHOWN = 1e-4;

    private Sentences() {}

    static String safe(VerdictRule rule, List<StratumFinding> strata) {
        StratumFinding worst = worst(strata);
        return "In every stratum less than " + points(rule.margin()) + " points are lost; " + place(worst, false)
                + " it is " + points(worst.highestLoss()) + " at most " + table(worst.counts()) + ".";
    }

    static String unconfirmed(NeedsConfirmation outcome) {
        StratumFinding clearest =
                clearest(outcome.strata(), outcome.cellsToAsk().keySet());
        return lost(clearest) + "; not yet repeated on fresh seeds.";
    }

    static String regression(Regression verdict) {
        StratumFinding first = clearest(verdict.strata(), verdict.lostStrata());
        StratumFinding fresh = find(verdict.fresh(), first.name());
        return lost(first) + "; on fresh seeds " + lostCount(fresh) + ", " + probabilities(fresh) + ".";
    }

    static String notEnough(NotEnoughEvidence verdict) {
        VerdictRule rule = verdict.rule();
        if (!verdict.fresh().isEmpty()) {
            StratumFinding fresh = clearest(verdict.fresh(), null);
            return lost(find(verdict.strata(), fresh.name())) + ", but fresh seeds did not repeat it: "
                    + lostCount(fresh) + ", " + probabilities(fresh) + ".";
        }
        List<StratumFinding> open =
                verdict.strata().stream().filter(finding -> !finding.safe(rule)).toList();
        return of(worst(open), rule);
    }

    static String of(StratumFinding finding, VerdictRule rule) {
        if (finding.safe(rule)) {
            return place(finding, true) + " at most " + points(finding.highestLoss()) + " points are lost "
                    + table(finding.counts()) + ".";
        }
        if (finding.suspicious(rule)) {
            return lost(finding) + ".";
        }
        return open(finding, rule) + needed(finding, rule) + ".";
    }

    /** Why a stratum is neither safe nor suspicious. */
    private static String open(StratumFinding finding, VerdictRule rule) {
        PairedCounts counts = finding.counts();
        String place = place(finding, true);
        if (finding.significant(rule)) {
            return lost(finding) + ", but " + doubt(finding, rule);
        }
        if (counts.pairs() < rule.minimumPairs()) {
            return place + " only " + counts.pairs() + " of " + finding.planned()
                    + " cells have an answer on both sides"
                    + out(finding.leftOut()) + ", and fewer than " + rule.minimumPairs() + " show nothing "
                    + table(counts);
        }
        if (!finding.canShowALoss(rule)) {
            return place + " the baseline itself passed only " + counts.baselinePassed() + " of " + counts.pairs()
                    + " cells, so that a loss of " + points(rule.margin()) + " points could not show " + table(counts);
        }
        if (finding.loss().high() < rule.margin()) {
            return place + " " + finding.leftOut().pairs() + " of " + finding.planned() + " cells are left out"
                    + out(finding.leftOut()) + ", and if they were lost, up to " + points(finding.highestLoss())
                    + " points would be " + table(counts);
        }
        return place + " up to " + points(finding.loss().high()) + " points may be lost, which is not below "
                + points(rule.margin()) + " " + table(counts);
    }

    /** Why a significant loss is not suspicious. */
    private static String doubt(StratumFinding finding, VerdictRule rule) {
        if (finding.tests().signFlip() > rule.level()) {
            return "too few haystacks agree";
        }
        NoiseFloor noise = finding.noise();
        return noise.measured()
                ? "not more than noise loses (" + noise.discordant() + " of " + noise.pairs()
                        + " cells differ without any change)"
                : "how often the baseline disagrees with itself is not known";
    }

    private static String needed(StratumFinding finding, VerdictRule rule) {
        CellsNeeded needed = finding.needed(rule);
        OptionalInt cells = needed.forSafe().isPresent() ? needed.forSafe() : needed.forRegression();
        String purpose = needed.forSafe().isPresent() ? "show that it is safe" : "show a regression";
        return cells.isPresent() && cells.getAsInt() > 0
                ? "; at these rates some " + cells.getAsInt() + " cells more would " + purpose
                : "";
    }

    private static String lost(StratumFinding finding) {
        return place(finding, true) + " " + lostCount(finding) + ", " + probabilities(finding);
    }

    private static String lostCount(StratumFinding finding) {
        PairedCounts counts = finding.counts();
        return counts.lost() + " of " + counts.pairs() + " answers were lost (b=" + counts.lost() + ", c="
                + counts.gained() + ")";
    }

    private static String probabilities(StratumFinding finding) {
        return "p=" + probability(finding.tests().adjusted()) + " by pairs and p="
                + probability(finding.tests().signFlip()) + " by haystacks";
    }

    private static String table(PairedCounts counts) {
        return "(b=" + counts.lost() + ", c=" + counts.gained() + ", n=" + counts.pairs() + ")";
    }

    private static String out(LeftOut out) {
        return out.pairs() == 0
                ? ""
                : " (" + out.truncated() + " truncated, " + out.errors() + " errors, " + out.missing() + " missing)";
    }

    private static String place(StratumFinding finding, boolean first) {
        String word = finding.name().matches("(?s)(the |[0-9]).*") ? "at " : "in ";
        String place = word + finding.name();
        return first ? Character.toUpperCase(place.charAt(0)) + place.substring(1) : place;
    }

    private static StratumFinding worst(List<StratumFinding> strata) {
        return strata.stream()
                .max(Comparator.comparingDouble(StratumFinding::highestLoss))
                .orElseThrow();
    }

    /** The smallest probability among the named strata, or among all. */
    private static StratumFinding clearest(List<StratumFinding> strata, Set<String> names) {
        return strata.stream()
                .filter(finding -> names == null || names.contains(finding.name()))
                .min(Comparator.comparingDouble(finding -> finding.tests().adjusted()))
                .orElseThrow();
    }

    private static StratumFinding find(List<StratumFinding> strata, String name) {
        return strata.stream()
                .filter(finding -> finding.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static String points(double share) {
        return String.format(Locale.ROOT, "%.1f", share * POINTS).replaceFirst("\\.0$", "");
    }

    private static String probability(double p) {
        return p < SMALLEST_SHOWN ? String.format(Locale.ROOT, "%.0e", p) : String.format(Locale.ROOT, "%.4f", p);
    }
}
