package dev.plumbline.recall.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.recall.Cell;
import dev.plumbline.recall.Family;
import dev.plumbline.recall.Rate;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class VerifyReportTest {
    private final VerifyReport empty = new VerifyReport(Map.of("model", "needle-mini"), List.of());

    @Test
    void aRowKeepsItsPromiseOrSaysSo() {
        Promise promise = Promise.ofEmbeddedModel(Family.SINGLE, 8192);

        assertThat(row(97, promise).kept()).isTrue();
        assertThat(row(96, promise).kept()).isFalse();
        assertThat(row(50, Promise.AT_ONE_ENTRY).kept()).isTrue();
        assertThat(row(51, Promise.AT_ONE_ENTRY).kept()).isFalse();
        assertThat(empty.with(row(96, promise)).markdown())
                .contains(
                        "| single | 8192 | 64 | 96.0 % | 90.2 % to 98.4 % | 100 | at least 97.0 % | NO | 1000 | abc | 2026-01-01 |");
    }

    @Test
    void thePromisesAreThoseOfTheModelsReadme() {
        assertThat(Promise.ofEmbeddedModel(Family.MANY_KEYS, 16_384).floor()).isEqualTo(0.93);
        assertThat(Promise.ofEmbeddedModel(Family.EARLIER_TURN, 22_597).floor()).isEqualTo(0.80);
        assertThat(Promise.ofEmbeddedModel(Family.ABSENT, 8192).floor()).isEqualTo(0.85);
        assertThat(Promise.ofEmbeddedModel(Family.SEVERAL_VALUES, 16_384)).isEqualTo(Promise.NONE);
    }

    @Test
    void survivesItsJson() {
        VerifyReport report = empty.with(row(97, Promise.ofEmbeddedModel(Family.SINGLE, 8192)));

        assertThat(VerifyReport.parse(report.json())).contains(report);
        assertThat(report.json()).contains("\"index_topk\" : 64", "\"prefill_tok_s\" : 1000.0");
        assertThat(VerifyReport.parse("[1]")).isEmpty();
        assertThat(VerifyReport.parse("{")).isEmpty();
    }

    @Test
    void aRowMeasuredAgainReplacesTheOldOne() {
        VerifyReport report = empty.with(row(97, Promise.NONE)).with(row(98, Promise.NONE));

        assertThat(report.rows()).hasSize(1);
        assertThat(report.row(Family.SINGLE, 8192, 64, 100, "abc")).isPresent();
        assertThat(report.row(Family.SINGLE, 8192, 64, 101, "abc")).isEmpty();
    }

    @Test
    void aRowWithMoreCellsStandsForOneWithFewerAndIsNotReplacedByIt() {
        VerifyReport report = empty.with(row(98, Promise.NONE)).with(row(3, 4, Promise.NONE, "def"));

        assertThat(report.rows()).extracting(VerifyRow::n).containsExactly(100, 4);
        assertThat(report.row(Family.SINGLE, 8192, 64, 4, "abc").orElseThrow().n())
                .isEqualTo(100);
        assertThat(report.row(Family.SINGLE, 8192, 64, 4, "def").orElseThrow().n())
                .isEqualTo(4);
        assertThat(report.with(row(97, Promise.NONE)).rows()).hasSize(1);
    }

    @Test
    void aRowOfAnotherCommitCountsOnlyWhenAnyDoes() {
        VerifyReport report = empty.with(row(98, Promise.NONE));

        assertThat(report.row(Family.SINGLE, 8192, 64, 100, "def")).isEmpty();
        assertThat(report.row(Family.SINGLE, 8192, 64, 100, null)).isPresent();
    }

    @Test
    void fewCellsJudgeNoPromise() {
        assertThat(empty.with(row(3, 4, Promise.ofEmbeddedModel(Family.SINGLE, 8192), "abc"))
                        .markdown())
                .contains("| 4 | at least 97.0 % | too few |");
    }

    @Test
    void theCellsOfARowHaveEveryPhaseAndSpreadOverTheText() {
        List<Cell> cells = VerifyRow.cells(Family.SINGLE, 4096, 100, 1);

        assertThat(cells.stream().collect(Collectors.groupingBy(Cell::phase, Collectors.counting())))
                .isEqualTo(Map.of(0, 25L, 1, 25L, 2, 25L, 3, 25L));
        assertThat(cells).allSatisfy(cell -> assertThat(cell.length()).isBetween(4093, 4096));
        assertThat(cells.get(0).depth().fraction()).isEqualTo(0.005);
        assertThat(cells.get(99).depth().fraction()).isEqualTo(0.995);
        assertThat(cells.stream().map(Cell::id)).doesNotHaveDuplicates();
    }

    private static VerifyRow row(int passed, Promise promise) {
        return row(passed, 100, promise, "abc");
    }

    private static VerifyRow row(int passed, int n, Promise promise, String commit) {
        Rate rate = new Rate(passed, n);
        return new VerifyRow(
                "single", 8192, 64, passed, n, rate.low(), rate.high(), promise, 1000, commit, "2026-01-01", List.of());
    }
}
