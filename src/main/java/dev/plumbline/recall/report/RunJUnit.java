package dev.plumbline.recall.report;

import dev.plumbline.recall.report.JUnitWriter.Case;
import dev.plumbline.recall.report.JUnitWriter.Kind;
import dev.plumbline.recall.report.JUnitWriter.TestSuite;
import dev.plumbline.recall.result.CellRecord;
import dev.plumbline.recall.result.RunRecord;
import dev.plumbline.recall.suite.SuiteStratum;
import java.util.LinkedHashMap;
import java.util.Map;

/** A run as JUnit XML. */
final class RunJUnit {
    private RunJUnit() {}

    static String of(RunRecord run) {
        JUnitWriter writer =
                new JUnitWriter(run.suite().label() + " under " + run.runConfig(), run.startedAt(), properties(run));
        for (SuiteStratum stratum : run.suite().strata()) {
            writer.add(new TestSuite(
                    stratum.name(),
                    run.cells().stream()
                            .filter(cell -> cell.cell().stratum().equals(stratum.name()))
                            .map(RunJUnit::test)
                            .toList()));
        }
        return writer.render();
    }

    private static Case test(CellRecord cell) {
        String name = cell.cell().id();
        String details = details(cell);
        return switch (cell.state()) {
            case PASSED -> Case.passed(name, cell.totalMillis());
            case FAILED -> new Case(name, cell.totalMillis(), Kind.FAILURE, "recall", cell.reason(), details);
            case TRUNCATED -> new Case(name, cell.totalMillis(), Kind.ERROR, "truncated", cell.reason(), details);
            case ERROR -> new Case(name, cell.totalMillis(), Kind.ERROR, "error", cell.reason(), details);
            case MISSING -> Case.skipped(name, 0, "has no result");
        };
    }

    /** What was expected, and what was answered. */
    static String details(CellRecord cell) {
        return "expected: " + String.join(", ", cell.expected()) + "\nanswer: " + cell.answer();
    }

    /** What the run was. */
    static Map<String, String> properties(RunRecord run) {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("run", run.id());
        properties.put("suite", run.suite().label());
        properties.put("run_config", run.runConfig());
        properties.put("model", run.target().model());
        properties.put("model_hash", run.target().modelHash());
        properties.put("target", run.target().name());
        properties.put("scorer", run.scorer());
        run.flags().forEach((flag, value) -> properties.put("flag." + flag, value));
        return properties;
    }
}
