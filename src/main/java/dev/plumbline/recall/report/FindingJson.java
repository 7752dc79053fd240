package dev.plumbline.recall.report;

import dev.plumbline.recall.verdict.CellsNeeded;
import dev.plumbline.recall.verdict.PairedCounts;
import dev.plumbline.recall.verdict.StratumFinding;
import dev.plumbline.recall.verdict.VerdictRule;
import java.util.OptionalInt;
import tools.jackson.databind.node.ObjectNode;

/** All numbers of a stratum as JSON. Losses are shares: 0.05 is five points. */
final class FindingJson {
    private FindingJson() {}

    static ObjectNode of(StratumFinding finding, VerdictRule rule, boolean required) {
        PairedCounts counts = finding.counts();
        ObjectNode node = RecordJson.object()
                .put("name", finding.name())
                .put("required", required)
                .put("sentence", finding.sentence(rule))
                .put("safe", finding.safe(rule))
                .put("suspicious", finding.suspicious(rule))
                .put("planned", finding.planned())
                .put("n", counts.pairs())
                .put("both_passed", counts.bothPassed())
                .put("b", counts.lost())
                .put("c", counts.gained())
                .put("both_failed", counts.bothFailed());
        node.set("baseline", RecordJson.rate(counts.baselinePassed(), counts.pairs()));
        node.set("candidate", RecordJson.rate(counts.candidatePassed(), counts.pairs()));
        node.putObject("loss")
                .put("estimate", finding.loss().estimate())
                .put("low95", finding.loss().low())
                .put("high95", finding.loss().high())
                .put("highest", finding.highestLoss());
        node.putObject("tests")
                .put("mcnemar_one_sided", finding.tests().oneSided())
                .put("mcnemar_adjusted", finding.tests().adjusted())
                .put("sign_flip", finding.tests().signFlip())
                .put("mcnemar_two_sided", finding.tests().twoSided())
                .put("mcnemar_mid_p", finding.tests().midP())
                .put("haystacks", finding.tests().haystacks())
                .put("family", finding.tests().family());
        node.putObject("noise")
                .put("measured", finding.noise().measured())
                .put("discordant", finding.noise().discordant())
                .put("n", finding.noise().pairs())
                .put(
                        "rate",
                        finding.noise().measured() ? (Double) finding.noise().rate() : null);
        node.putObject("left_out")
                .put("pairs", finding.leftOut().pairs())
                .put("may_be_lost", finding.leftOut().mayBeLost())
                .put("truncated", finding.leftOut().truncated())
                .put("error", finding.leftOut().errors())
                .put("missing", finding.leftOut().missing());
        CellsNeeded needed = finding.needed(rule);
        node.putObject("cells_needed")
                .put("for_safe", number(needed.forSafe()))
                .put("for_regression", number(needed.forRegression()));
        return node;
    }

    private static Integer number(OptionalInt value) {
        return value.isPresent() ? value.getAsInt() : null;
    }
}
