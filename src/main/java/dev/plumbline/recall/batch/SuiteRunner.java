package dev.plumbline.recall.batch;

import dev.plumbline.engine.LaneKey;
import dev.plumbline.recall.CellExecutor;
import dev.plumbline.recall.ModelCodec;
import dev.plumbline.recall.NativeCells;
import dev.plumbline.recall.Scorer;
import dev.plumbline.recall.SuitePromptBuilder;
import dev.plumbline.recall.result.CellRecord;
import dev.plumbline.recall.result.RunRecord;
import dev.plumbline.recall.suite.Edges;
import dev.plumbline.recall.suite.Suite;
import dev.plumbline.recall.suite.SuiteCell;
import dev.plumbline.target.NativeTarget;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;

/** Runs suites on a loaded model, one run after the other. Prompts are built once for all of them. */
public final class SuiteRunner implements AutoCloseable {
    private final NativeTarget target;
    private final int parallel;
    private final BiConsumer<LaneKey, CellRecord> done;
    private final PromptStore prompts;

    /**
     * A runner without runs.
     *
     * @param parallel cells at once, as far as a lane's pools reach
     * @param done gets every record as it comes
     */
    public SuiteRunner(NativeTarget target, int parallel, BiConsumer<LaneKey, CellRecord> done) {
        this.target = target;
        this.parallel = parallel;
        this.done = done;
        ModelCodec codec = new ModelCodec(target.tokenizer(), target.encoding());
        int builders = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        this.prompts = new PromptStore(() -> SuitePromptBuilder.inHeldOutTexts(codec), builders);
    }

    /** The edges of the model. */
    public Edges edges() {
        return NativeCells.edges(target.status().config());
    }

    /**
     * Asks every cell under a lane. A lane that no run had before begins with empty caches.
     *
     * @param name of the run config, for the record
     * @throws InterruptedException if the thread is interrupted meanwhile
     */
    public RunRecord run(Suite suite, List<Long> seeds, LaneKey lane, String name) throws InterruptedException {
        Instant created = Instant.now();
        List<SuiteCell> cells = suite.cells(edges(), seeds);
        prompts.expect(cells);
        try (NativeCells asked = NativeCells.open(target, lane).join()) {
            Scorer scorer = Scorer.containing();
            CellExecutor executor = new CellExecutor(prompts, scorer, asked);
            Map<String, CellRecord> records = new LinkedHashMap<>();
            Instant started = Instant.now();
            new CellBatch(executor::run, Math.min(parallel, asked.parallel())).run(cells, () -> true, record -> {
                records.put(record.cell().id(), record);
                done.accept(lane, record);
            });
            return new RunRecord(
                    UUID.randomUUID().toString(),
                    suite,
                    edges(),
                    seeds,
                    name,
                    asked.flags(),
                    asked.about(),
                    asked.measure(),
                    scorer.version(),
                    created,
                    started,
                    Instant.now(),
                    CellBatch.inOrder(cells, records));
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : e;
        }
    }

    @Override
    public void close() {
        prompts.close();
    }
}
