package dev.plumbline.recall.judge;

import dev.plumbline.recall.result.CellRecord;
import dev.plumbline.recall.result.NeedleTrace;
import dev.plumbline.recall.result.RunRecord;
import dev.plumbline.recall.result.TargetRecord;
import dev.plumbline.recall.suite.Edges;
import dev.plumbline.recall.suite.Suite;
import dev.plumbline.recall.suite.SuiteCell;
import dev.plumbline.recall.suite.SuiteYaml;
import dev.plumbline.recall.verdict.CellState;
import dev.plumbline.trace.Stage;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * Runs whose outcomes are given, not measured. Withers change one thing.
 *
 * @param answer what an answered cell is told to have answered
 */
public record RecordedRuns(
        String id,
        Suite suite,
        List<Long> seeds,
        String runConfig,
        Map<String, String> flags,
        TargetRecord target,
        String scorer,
        Instant finishedAt,
        String answer,
        Function<SuiteCell, CellState> states) {
    private static final Edges EDGES = new Edges(128, 256);

    /** Two required strata of 128 cells and one that is only shown. */
    public static final Suite SUITE = suite("4K tokens");

    /** The same with another name of the second stratum. */
    public static Suite suite(String far) {
        String stratum = """
              - name: %s
                required: %s
                task: multikey
                lengths: [%s]
                placements: 8
                phases: [0, 1, 2, 3]
                haystacks: 16
                questions: 8
            """;
        String yaml = "name: recorded\nversion: 3\ndescription: ''\nstrata:\n"
                + String.format(Locale.ROOT, stratum, "1K tokens", true, "1K")
                + String.format(Locale.ROOT, stratum, far, true, "4K")
                + String.format(Locale.ROOT, stratum, "8K tokens", false, "8K");
        return SuiteYaml.read(yaml.getBytes(StandardCharsets.UTF_8));
    }

    /** A finished run that passed everything. */
    public static RecordedRuns run(String id, String runConfig, Map<String, String> flags) {
        return new RecordedRuns(
                id,
                SUITE,
                List.of(1L),
                runConfig,
                flags,
                new TargetRecord(TargetRecord.NATIVE, "native", "tiny", "5e1f", Map.of("backend", "cpu")),
                "containing/1",
                Instant.parse("2026-11-29T12:01:00Z"),
                "The code is TEAL-4711.",
                cell -> CellState.PASSED);
    }

    /** The same with other outcomes. */
    public RecordedRuns with(Function<SuiteCell, CellState> other) {
        return new RecordedRuns(id, suite, seeds, runConfig, flags, target, scorer, finishedAt, answer, other);
    }

    /** The same of another suite. */
    public RecordedRuns of(Suite other) {
        return new RecordedRuns(id, other, seeds, runConfig, flags, target, scorer, finishedAt, answer, states);
    }

    /** The same with other seeds. */
    public RecordedRuns seeded(List<Long> other) {
        return new RecordedRuns(id, suite, other, runConfig, flags, target, scorer, finishedAt, answer, states);
    }

    /** The same with other flags. */
    public RecordedRuns flagged(Map<String, String> other) {
        return new RecordedRuns(id, suite, seeds, runConfig, other, target, scorer, finishedAt, answer, states);
    }

    /** The same of another target. */
    public RecordedRuns on(TargetRecord other) {
        return new RecordedRuns(id, suite, seeds, runConfig, flags, other, scorer, finishedAt, answer, states);
    }

    /** The same by another scorer. */
    public RecordedRuns scored(String other) {
        return new RecordedRuns(id, suite, seeds, runConfig, flags, target, other, finishedAt, answer, states);
    }

    /** The same, not at its end yet. */
    public RecordedRuns unfinished() {
        return new RecordedRuns(id, suite, seeds, runConfig, flags, target, scorer, null, answer, states);
    }

    /** The same, having answered something else. */
    public RecordedRuns answering(String other) {
        return new RecordedRuns(id, suite, seeds, runConfig, flags, target, scorer, finishedAt, other, states);
    }

    /** Loses every cell of a stratum whose haystack and question leave no rest. */
    public static Function<SuiteCell, CellState> losing(String stratum, int every) {
        return cell -> cell.stratum().equals(stratum) && (cell.haystack() + cell.question()) % every == 0
                ? CellState.FAILED
                : CellState.PASSED;
    }

    /** The record. */
    public RunRecord record() {
        return new RunRecord(
                id,
                suite,
                EDGES,
                seeds,
                runConfig,
                flags,
                target,
                "tokenizer of 5e1f",
                scorer,
                Instant.parse("2026-11-29T12:00:00Z"),
                Instant.parse("2026-11-29T12:00:01Z"),
                finishedAt,
                suite.cells(EDGES, seeds).stream().map(this::cell).toList());
    }

    private CellRecord cell(SuiteCell cell) {
        CellState state = states.apply(cell);
        String hash = "hash of " + cell.id();
        return switch (state) {
            case MISSING -> CellRecord.missing(cell);
            case ERROR -> CellRecord.error(cell, hash, List.of("TEAL-4711"), "the server did not answer");
            default ->
                new CellRecord(
                        cell,
                        state,
                        hash,
                        List.of("TEAL-4711"),
                        answer,
                        state == CellState.PASSED ? 0 : 4,
                        state == CellState.PASSED ? "" : "lacks TEAL-4711",
                        state == CellState.TRUNCATED ? "length" : "stop",
                        cell.length(),
                        9,
                        12.5,
                        250,
                        List.of(needle(state)));
        };
    }

    private static NeedleTrace needle(CellState state) {
        boolean found = state == CellState.PASSED;
        return new NeedleTrace(
                2,
                Stage.DECODE,
                0,
                4100,
                9,
                found ? 9 : 0,
                64,
                1000,
                3,
                found ? 3 : 0,
                found ? 1 : 97,
                1.5,
                found ? 0.25 : -0.125,
                found ? 0.5 : 0);
    }
}
