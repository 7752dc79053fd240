package dev.plumbline.recall.batch;

import dev.plumbline.recall.result.CellRecord;
import dev.plumbline.recall.suite.SuiteCell;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Asks cells, so many at once. Of the cells of one text the first is asked alone: where a prefix cache is on, the others find the
 * text computed.
 */
public final class CellBatch {
    private final Function<SuiteCell, CompletableFuture<CellRecord>> ask;
    private final int parallel;

    /**
     * Asks through a function.
     *
     * @param ask a future that does not fail
     * @param parallel cells at once, at least 1
     */
    public CellBatch(Function<SuiteCell, CompletableFuture<CellRecord>> ask, int parallel) {
        if (parallel < 1) {
            throw new IllegalArgumentException("parallel is " + parallel + "; allowed: 1 and more");
        }
        this.ask = ask;
        this.parallel = parallel;
    }

    /**
     * Asks cells until all are done or no more shall be begun; what was begun is waited for.
     *
     * @param cells those to ask
     * @param goOn asked before every cell
     * @param done gets every record, in the caller's thread
     * @throws InterruptedException if the thread is interrupted; cells that were begun are then on their own
     */
    public void run(List<SuiteCell> cells, BooleanSupplier goOn, Consumer<CellRecord> done)
            throws InterruptedException {
        new Turn(cells).run(goOn, done);
    }

    /** One run; confined to its thread but for {@link #ended}. */
    private final class Turn {
        private final Deque<Deque<SuiteCell>> texts = new ArrayDeque<>();
        private final Map<String, Deque<SuiteCell>> begun = new LinkedHashMap<>();
        private final Deque<SuiteCell> ready = new ArrayDeque<>();
        private final BlockingQueue<Ended> ended = new LinkedBlockingQueue<>();
        private int inFlight;

        Turn(List<SuiteCell> cells) {
            Map<String, Deque<SuiteCell>> byText = new LinkedHashMap<>();
            cells.forEach(cell -> byText.computeIfAbsent(cell.stratum() + " " + cell.textId(), id -> new ArrayDeque<>())
                    .add(cell));
            texts.addAll(byText.values());
        }

        void run(BooleanSupplier goOn, Consumer<CellRecord> done) throws InterruptedException {
            boolean more = true;
            while (more || inFlight > 0) {
                while (more && inFlight < parallel) {
                    SuiteCell next = goOn.getAsBoolean() ? next() : null;
                    if (next == null) {
                        // Either all are begun, or those of a text wait for its first one.
                        break;
                    }
                    begin(next);
                }
                if (inFlight == 0) {
                    return;
                }
                finish(ended.take(), done);
                more = goOn.getAsBoolean();
            }
        }

        private SuiteCell next() {
            if (!ready.isEmpty()) {
                return ready.poll();
            }
            if (texts.isEmpty() || !hasPlaces(texts.peek().size())) {
                return null;
            }
            Deque<SuiteCell> text = texts.poll();
            SuiteCell first = text.poll();
            begun.put(first.id(), text);
            return first;
        }

        /**
         * Whether all cells of one more text find places as soon as its first one is answered. If they waited, others would push
         * the text out of the prefix cache meanwhile. A text of more cells than places is begun when no other one waits.
         */
        private boolean hasPlaces(int cells) {
            int promised = begun.values().stream().mapToInt(Deque::size).sum();
            return begun.isEmpty() || inFlight + promised + cells <= parallel;
        }

        private void begin(SuiteCell cell) {
            inFlight++;
            ask.apply(cell).whenComplete((record, failure) -> ended.add(new Ended(cell, record, failure)));
        }

        private void finish(Ended end, Consumer<CellRecord> done) {
            inFlight--;
            if (end.failure != null) {
                throw new IllegalStateException("the cell " + end.cell.id() + " was not answered", end.failure);
            }
            Deque<SuiteCell> others = begun.remove(end.cell.id());
            if (others != null) {
                ready.addAll(others);
            }
            done.accept(end.record);
        }
    }

    private record Ended(SuiteCell cell, CellRecord record, Throwable failure) {}

    /** The records of cells in the cells' order. */
    static List<CellRecord> inOrder(List<SuiteCell> cells, Map<String, CellRecord> records) {
        List<CellRecord> ordered = new ArrayList<>();
        cells.forEach(cell -> ordered.add(records.getOrDefault(cell.id(), CellRecord.missing(cell))));
        return List.copyOf(ordered);
    }
}
