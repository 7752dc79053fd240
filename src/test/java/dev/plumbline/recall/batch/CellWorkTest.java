package dev.plumbline.recall.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.recall.suite.BuiltInSuites;
import dev.plumbline.recall.suite.Edges;
import dev.plumbline.recall.suite.SuiteCell;
import java.util.List;
import org.junit.jupiter.api.Test;

class CellWorkTest {
    private final List<SuiteCell> cells =
            BuiltInSuites.find("smoke").orElseThrow().cells(new Edges(128, 256), List.of(1L));

    @Test
    void onlyTheFirstQuestionAboutATextHasItsWholePromptToCompute() {
        // given the eight questions about one text of 4K tokens
        List<SuiteCell> text =
                cells.stream().filter(cell -> cell.length() == 4096).limit(8).toList();
        assertThat(text.stream().map(SuiteCell::textId).distinct()).hasSize(1);

        CellWork work = new CellWork(text);

        assertThat(work.of(text.get(0))).isGreaterThan(4096 + work.of(text.get(1)));
        assertThat(text.subList(1, 8))
                .allSatisfy(cell -> assertThat(work.of(cell)).isEqualTo(work.of(text.get(1))));
    }

    @Test
    void shortPromptsAreAShareOfTheWorkThatIsWorthTelling() {
        // given the first of three strata, whose prompts have 3 % of all tokens and take a third of the time
        CellWork work = new CellWork(cells);

        long shortest = cells.stream()
                .filter(cell -> cell.length() < 200)
                .mapToLong(work::of)
                .sum();

        assertThat((double) shortest / work.total()).isBetween(0.25, 0.5);
        assertThat(cells.stream().mapToLong(work::of).sum()).isEqualTo(work.total());
    }
}
