package dev.plumbline.recall;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.engine.LaneKey;
import dev.plumbline.precision.PartialProfile;
import dev.plumbline.recall.result.CellRecord;
import dev.plumbline.recall.result.NeedleTrace;
import dev.plumbline.recall.suite.Edges;
import dev.plumbline.recall.suite.Suite;
import dev.plumbline.recall.suite.SuiteCell;
import dev.plumbline.recall.suite.SuiteYaml;
import dev.plumbline.recall.verdict.CellState;
import dev.plumbline.target.ModelLocator;
import dev.plumbline.target.NativeTarget;
import dev.plumbline.target.TargetLoader;
import dev.plumbline.target.TargetOptions;
import dev.plumbline.trace.Stage;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Cells of a suite asked of the embedded model, on lanes of their own. */
class NativeCellsTest {
    private static final Suite SUITE = SuiteYaml.read("""
            name: far
            version: 1
            description: ""
            strata:
              - name: beyond the budget
                task: single
                lengths: [1200]
                placements: [start]
                haystacks: 4
                questions: 1
            """.getBytes(StandardCharsets.UTF_8));

    private static NativeTarget target;

    @BeforeAll
    static void load() {
        TargetOptions options =
                new TargetOptions(TargetOptions.DEFAULT_MODEL, "cpu", 2, 1400, 2, 8, PartialProfile.parse(Map.of()));
        target = new TargetLoader(ModelLocator.standard(), notice -> {}).load(options);
    }

    @AfterAll
    static void close() {
        target.close();
    }

    @Test
    void aFoundNeedleWasSelectedInALayer() {
        // given
        try (NativeCells cells = NativeCells.open(target, target.active()).join()) {
            SuiteCell cell = SUITE.cells(cells.edges(), List.of(1L)).get(0);

            // when
            CellRecord found = executor(cells).run(cell).join();

            // then
            assertThat(found.state()).as(found.toString()).isEqualTo(CellState.PASSED);
            assertThat(found.promptTokens()).isEqualTo(1200);
            assertThat(found.firstTokenMillis()).isPositive().isLessThanOrEqualTo(found.totalMillis());
            assertThat(found.needle()).extracting(NeedleTrace::stage).contains(Stage.PREFILL, Stage.DECODE);
            assertThat(found.needle()).allSatisfy(trace -> {
                assertThat(trace.entries()).isPositive();
                assertThat(trace.rank()).isBetween(1, trace.candidates());
                assertThat(trace.selected() > 0).isEqualTo(trace.margin() >= 0);
            });
            assertThat(found.needle()).anyMatch(trace -> trace.selectedQueries() > 0 && trace.mass() > 0);
        }
    }

    @Test
    void aBudgetOfOneEntryLosesTheNeedleAndTheTraceSaysSo() {
        // given
        LaneKey starved = new LaneKey("starved", target.active().profile().withIndexTopk(1));
        try (NativeCells cells = NativeCells.open(target, starved).join()) {
            assertThat(cells.flags()).containsEntry("index_topk", "1");

            // when
            List<CellRecord> lost = SUITE.cells(cells.edges(), List.of(1L)).stream()
                    .map(cell -> executor(cells).run(cell).join())
                    .filter(cell -> cell.state() == CellState.FAILED)
                    .toList();

            // then
            assertThat(lost).as("of four cells").hasSizeGreaterThan(1);
            assertThat(lost).allSatisfy(cell -> {
                assertThat(cell.reason()).isNotEmpty();
                assertThat(cell.distance()).isPositive();
                assertThat(cell.needle()).allMatch(trace -> trace.budget() == 1 && !trace.allSelected());
                assertThat(cell.needle()).allMatch(trace -> trace.selected() < trace.entries());
            });
        }
    }

    @Test
    void whatDoesNotFitTheContextIsAnErrorOfItsCell() {
        // given
        Suite tooLong =
                SuiteYaml.read(SuiteYaml.write(SUITE).replace("1200", "1300").getBytes(StandardCharsets.UTF_8));
        try (NativeCells cells = NativeCells.open(target, target.active()).join()) {
            // when
            CellRecord refused = executor(cells)
                    .run(tooLong.cells(cells.edges(), List.of(1L)).get(0))
                    .join();

            // then
            assertThat(refused.state()).isEqualTo(CellState.ERROR);
            assertThat(refused.reason()).contains("1300", "128", "1400");
            assertThat(refused.outcome().promptHash()).isNotEmpty();
        }
    }

    @Test
    void theEdgesAreTheModels() {
        assertThat(NativeCells.edges(target.status().config())).isEqualTo(new Edges(128, 256));
    }

    private static CellExecutor executor(NativeCells cells) {
        return new CellExecutor(SuitePromptBuilder.inHeldOutTexts(cells.codec()), Scorer.containing(), cells);
    }
}
