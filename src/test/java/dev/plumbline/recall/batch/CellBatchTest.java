package dev.plumbline.recall.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.plumbline.recall.result.CellRecord;
import dev.plumbline.recall.suite.BuiltInSuites;
import dev.plumbline.recall.suite.Edges;
import dev.plumbline.recall.suite.SuiteCell;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** In which order cells are asked, and how many at once. */
class CellBatchTest {
    private static final List<SuiteCell> CELLS =
            BuiltInSuites.find("smoke").orElseThrow().cells(new Edges(128, 256), List.of(1L));

    private final ExecutorService pool = Executors.newFixedThreadPool(4);

    @AfterEach
    void stop() {
        pool.shutdownNow();
    }

    @Test
    void everyCellIsAskedOnceAndNoMoreAtATimeThanAllowed() throws InterruptedException {
        Asked asked = new Asked();
        List<String> done = new ArrayList<>();

        new CellBatch(asked, 7)
                .run(CELLS, () -> true, record -> done.add(record.cell().id()));

        assertThat(done).hasSize(CELLS.size()).doesNotHaveDuplicates();
        assertThat(asked.most.get()).isBetween(2, 7);
    }

    @Test
    void theFirstQuestionAboutATextIsAnsweredBeforeTheOthersAreAsked() throws InterruptedException {
        Asked asked = new Asked();

        new CellBatch(asked, 5).run(CELLS, () -> true, record -> {});

        assertThat(asked.tooEarly).isEmpty();
        assertThat(asked.answeredTexts).as("texts have several questions").hasSizeLessThan(CELLS.size());
    }

    @Test
    void aTextIsBegunWhenItsQuestionsWillFindPlaces() throws InterruptedException {
        // given texts of eight questions each
        List<SuiteCell> cells = CELLS.stream()
                .filter(cell -> cell.stratum().equals("1K tokens"))
                .toList();
        Asked two = new Asked();
        Asked one = new Asked();

        // when there are places for two of them, and for none
        new CellBatch(two, 16).run(cells, () -> true, record -> {});
        new CellBatch(one, 3).run(cells, () -> true, record -> {});

        // then
        assertThat(two.mostOpen.get()).isLessThanOrEqualTo(2);
        assertThat(one.mostOpen.get()).isLessThanOrEqualTo(1);
    }

    @Test
    void nothingIsBegunOnceItShallStopAndWhatWasBegunIsWaitedFor() throws InterruptedException {
        Asked asked = new Asked();
        List<CellRecord> done = new ArrayList<>();

        new CellBatch(asked, 3).run(CELLS, () -> asked.begun.get() < 10, done::add);

        assertThat(asked.begun.get()).isEqualTo(10);
        assertThat(done).hasSize(10);
    }

    @Test
    void aFailureOfTheAskingItselfIsTold() {
        CellBatch batch = new CellBatch(cell -> CompletableFuture.failedFuture(new IllegalStateException("broken")), 2);

        assertThatThrownBy(() -> batch.run(CELLS, () -> true, record -> {}))
                .hasMessageContaining(CELLS.get(0).id())
                .hasRootCauseMessage("broken");
    }

    /** Answers every cell on another thread, and notes what it sees. */
    private final class Asked implements Function<SuiteCell, CompletableFuture<CellRecord>> {
        private final Set<String> begunTexts = ConcurrentHashMap.newKeySet();
        private final Set<String> answeredTexts = ConcurrentHashMap.newKeySet();
        private final Queue<String> tooEarly = new ConcurrentLinkedQueue<>();
        private final AtomicInteger begun = new AtomicInteger();
        private final AtomicInteger inFlight = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger();
        private final AtomicInteger mostOpen = new AtomicInteger();
        private final Map<String, Integer> asked = new ConcurrentHashMap<>();

        @Override
        public CompletableFuture<CellRecord> apply(SuiteCell cell) {
            begun.incrementAndGet();
            most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
            if (!begunTexts.add(cell.textId()) && !answeredTexts.contains(cell.textId())) {
                tooEarly.add(cell.id());
            }
            asked.merge(cell.textId(), 1, Integer::sum);
            long open = asked.values().stream()
                    .filter(some -> some < cell.needles().size())
                    .count();
            mostOpen.accumulateAndGet((int) open, Math::max);
            return CompletableFuture.supplyAsync(
                    () -> {
                        answeredTexts.add(cell.textId());
                        inFlight.decrementAndGet();
                        return CellRecord.missing(cell);
                    },
                    pool);
        }
    }
}
