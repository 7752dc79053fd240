package dev.plumbline.recall.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.plumbline.recall.suite.Edges;
import dev.plumbline.recall.suite.Suite;
import dev.plumbline.recall.suite.SuiteCell;
import dev.plumbline.recall.suite.SuiteYaml;
import dev.plumbline.recall.verdict.CellState;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** What is kept of a measurement, and the tables of it. */
class MeasurementTest {
    private static final Suite SUITE = SuiteYaml.read("""
            name: two
            version: 1
            strata:
              - {name: short | sharp, task: multikey, lengths: [512], placements: [start], haystacks: 16, questions: 8}
              - {name: long, task: multikey, lengths: [1024], placements: [start], haystacks: 16, questions: 8}
            """.getBytes(StandardCharsets.UTF_8));

    @Test
    void isReadBackAsItWasWritten() {
        Measurement measured = measured().with(run("baseline@1", cell -> true), "2026-11-29");

        assertThat(Measurement.parse(measured.json())).isEqualTo(measured);
    }

    @Test
    void whatIsNoMeasurementIsRefused() {
        for (String json : List.of("", "[]", "{}", "{\"suite\": 1}", "{\"suite\": \"name: x\", \"runs\": []}")) {
            assertThatThrownBy(() -> Measurement.parse(json))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("no measurement");
        }
    }

    @Test
    void namesWhatKeepsItFromBeingGoneOnWith() {
        Measurement here = measured();
        Measurement seeds = new Measurement(
                here.about(), SUITE, here.edges(), List.of(2L), here.model(), here.scorer(), List.of(), List.of());
        Measurement backend = new Measurement(
                Map.of("model", "m", "backend", "cuda"),
                SUITE,
                here.edges(),
                here.seeds(),
                here.model(),
                here.scorer(),
                List.of(),
                List.of());

        assertThat(here.difference(measured(), false)).isEmpty();
        assertThat(here.difference(seeds, false)).hasValue("other cells (two/1, seeds [1])");
        assertThat(here.difference(backend, true)).hasValue("backend cpu, not cuda");
    }

    @Test
    void anotherCommitMayGoOnIfItIsToldTo() {
        Measurement old = commit("1a2b");
        Measurement now = commit("3c4d");

        assertThat(old.difference(now, false)).hasValue("commit 1a2b, not 3c4d");
        assertThat(old.difference(now, true)).isEmpty();
        assertThat(old.withCommit("3c4d").withCommit("1a2b").about()).containsEntry("commit", "1a2b, 3c4d");
    }

    private static Measurement commit(String commit) {
        Measurement here = measured();
        return new Measurement(
                Map.of("commit", commit),
                SUITE,
                here.edges(),
                here.seeds(),
                here.model(),
                here.scorer(),
                List.of(),
                List.of());
    }

    @Test
    void holdsEveryConfigAgainstTheFirstOne() {
        // given a config that loses the long half, and a baseline that agrees with itself
        Measurement measured = measured()
                .with(run("baseline@1", cell -> true), "2026-11-29")
                .with(run("baseline@1 again", cell -> true), "2026-11-29")
                .with(run("fp8-index@1", cell -> cell.length() < 1000), "2026-11-30");

        // when
        String page = RecallPage.markdown(List.of(measured));

        // then
        assertThat(page)
                .contains("## m\n", "- suite: two/1, seeds 1, scorer containing/1", "- date: 2026-11-29, 2026-11-30")
                .contains("| run config | short \\| sharp | long | time |")
                .contains("| fp8-index@1 | 100.0 % | 0.0 % | 3.0 s |")
                .contains("| baseline@1 | long | 100.0 % | 97.1 % to 100.0 % | 128 | 0 |  |  |  |  | 0 | 2.0 s |")
                .contains(
                        "| fp8-index@1 | long | 0.0 % | 0.0 % to 2.9 % | 128 | 0 | 128 | 0 | 100.0 (95.9 to 100.0) | LOST | 128 | 2.0 s |")
                .containsPattern("fp8-index@1 \\| short .* \\| safe \\| 0 \\| 1.0 s")
                .contains("- baseline@1 again: SAFE. ", "- fp8-index@1: LOST. ", "not yet repeated on fresh seeds");
    }

    @Test
    void aRunThatIsNotCompleteIsShownWithWhatItHasAndJudgedByNobody() {
        Measurement measured = measured()
                .with(run("baseline@1", cell -> true), "2026-11-29")
                .with(some("fp8-index@1", 40), "2026-11-29");

        assertThat(RecallPage.text(measured))
                .containsPattern("fp8-index@1 +short \\| sharp +100.0 % .* 40 of 128 .* open ")
                .doesNotContain("fp8-index@1:");
    }

    private static Measurement measured() {
        return new Measurement(
                Map.of("model", "m", "backend", "cpu"),
                SUITE,
                new Edges(128, 256),
                List.of(1L),
                "hash",
                "containing/1",
                List.of(),
                List.of());
    }

    private static ConfigRun run(String config, Predicate<SuiteCell> passes) {
        return new ConfigRun(
                config,
                Map.of("index_topk", "64"),
                Map.of("short | sharp", 1.0, "long", 2.0),
                measured().cells().stream()
                        .map(cell -> kept(cell, passes.test(cell)))
                        .toList());
    }

    private static ConfigRun some(String config, int cells) {
        ConfigRun all = run(config, cell -> true);
        return new ConfigRun(config, all.flags(), Map.of(), all.cells().subList(0, cells));
    }

    private static KeptCell kept(SuiteCell cell, boolean passed) {
        return new KeptCell(
                cell.id(),
                passed ? CellState.PASSED : CellState.FAILED,
                "0123456789abcdef",
                List.of("A-1"),
                passed ? "A-1" : "B-2",
                passed ? 0 : 2,
                passed ? "" : "lacks A-1",
                10,
                20,
                3,
                passed ? 3 : 0);
    }
}
