package dev.plumbline.recall.report;

import dev.plumbline.recall.judge.Judgement;
import dev.plumbline.recall.report.JUnitWriter.Case;
import dev.plumbline.recall.report.JUnitWriter.Kind;
import dev.plumbline.recall.report.JUnitWriter.TestSuite;
import dev.plumbline.recall.result.CellRecord;
import dev.plumbline.recall.verdict.CellPair;
import dev.plumbline.recall.verdict.CellState;
import dev.plumbline.recall.verdict.Outcome;
import dev.plumbline.recall.verdict.Regression;
import dev.plumbline.recall.verdict.StratumFinding;
import dev.plumbline.recall.verdict.StratumPairs;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A comparison as JUnit XML. */
final class ComparisonJUnit {
    private final Judgement judgement;
    private final Set<String> regressions;
    private final Map<String, CellRecord> answers;

    private ComparisonJUnit(Judgement judgement) {
        this.judgement = judgement;
        this.regressions = judgement.outcome() instanceof Regression found ? found.lostStrata() : Set.of();
        this.answers = judgement.candidate().cells().stream()
                .collect(Collectors.toMap(cell -> cell.cell().id(), Function.identity()));
    }

    static String of(Judgement judgement) {
        return new ComparisonJUnit(judgement).render();
    }

    private String render() {
        JUnitWriter writer = new JUnitWriter(
                judgement.candidate().suite().label() + ": "
                        + judgement.candidate().runConfig() + " against "
                        + judgement.baseline().runConfig(),
                judgement.candidate().startedAt(),
                properties());
        writer.add(verdict());
        for (StratumPairs stratum : judgement.pairs().strata()) {
            writer.add(new TestSuite(
                    stratum.name(),
                    stratum.pairs().stream()
                            .map(pair -> test(stratum.name(), pair))
                            .toList()));
        }
        return writer.render();
    }

    private Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        RunJUnit.properties(judgement.baseline()).forEach((name, value) -> properties.put("baseline." + name, value));
        RunJUnit.properties(judgement.candidate()).forEach((name, value) -> properties.put("candidate." + name, value));
        return properties;
    }

    private TestSuite verdict() {
        Outcome outcome = judgement.outcome();
        List<Case> cases = new ArrayList<>();
        cases.add(overall());
        for (StratumFinding finding : outcome.strata()) {
            String sentence = finding.sentence(outcome.rule());
            if (regressions.contains(finding.name())) {
                cases.add(new Case(finding.name(), 0, Kind.FAILURE, "REGRESSION", sentence, ""));
            } else if (finding.safe(outcome.rule())) {
                cases.add(Case.passed(finding.name(), 0));
            } else {
                cases.add(Case.skipped(finding.name(), 0, sentence));
            }
        }
        return new TestSuite("verdict", cases);
    }

    private Case overall() {
        String title = judgement.title();
        return switch (title) {
            case "SAFE" -> Case.passed("verdict", 0);
            case "REGRESSION" -> new Case("verdict", 0, Kind.FAILURE, title, judgement.sentence(), "");
            default -> new Case("verdict", 0, Kind.ERROR, title, judgement.sentence(), "");
        };
    }

    private Case test(String stratum, CellPair pair) {
        String name = pair.candidate().cell();
        CellRecord answer = answers.get(name);
        double millis = answer.totalMillis();
        if (pair.lost()) {
            return regressions.contains(stratum)
                    ? new Case(name, millis, Kind.FAILURE, "lost", "lost: " + answer.reason(), RunJUnit.details(answer))
                    : Case.skipped(name, millis, "lost, but the stratum is no regression: " + answer.reason());
        }
        if (!pair.scored()) {
            return Case.skipped(
                    name,
                    millis,
                    "does not count: " + RecordJson.word(pair.baseline().state()) + " in the baseline, "
                            + RecordJson.word(pair.candidate().state()) + " in the candidate");
        }
        return pair.candidate().state() == CellState.PASSED
                ? Case.passed(name, millis)
                : Case.skipped(name, millis, "failed under both");
    }
}
