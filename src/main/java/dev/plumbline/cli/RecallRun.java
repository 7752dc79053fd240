package dev.plumbline.cli;

import dev.plumbline.engine.LaneKey;
import dev.plumbline.recall.CellExecutor;
import dev.plumbline.recall.NativeCells;
import dev.plumbline.recall.Scorer;
import dev.plumbline.recall.SuitePrompts;
import dev.plumbline.recall.batch.CellBatch;
import dev.plumbline.recall.batch.CellWork;
import dev.plumbline.recall.result.CellRecord;
import dev.plumbline.recall.suite.SuiteCell;
import dev.plumbline.recall.suite.SuiteStratum;
import dev.plumbline.recall.table.ConfigRun;
import dev.plumbline.recall.table.KeptCell;
import dev.plumbline.recall.table.Measurement;
import dev.plumbline.recall.verdict.CellState;
import dev.plumbline.target.NativeTarget;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Asks a measurement's cells under one run config after the other, and hands over now and then what is done. */
final class RecallRun {
    private static final double NANOS = 1e9;
    private static final long SAVE_NANOS = Duration.ofSeconds(20).toNanos();

    private final NativeTarget target;
    private final SuitePrompts prompts;
    private final int parallel;
    private final BooleanSupplier goOn;
    private final Consumer<Measurement> save;
    private final CellProgress progress;
    private Measurement measured;
    private long saved = System.nanoTime();

    /** {@code save} gets the measurement whenever it is worth keeping. */
    RecallRun(
            NativeTarget target,
            SuitePrompts prompts,
            int parallel,
            BooleanSupplier goOn,
            Consumer<Measurement> save,
            CellProgress progress,
            Measurement measured) {
        this.target = target;
        this.prompts = prompts;
        this.parallel = parallel;
        this.goOn = goOn;
        this.save = save;
        this.progress = progress;
        this.measured = measured;
    }

    /** Cells of a config that have no answer yet; what could not be asked is asked again. */
    static List<SuiteCell> open(Measurement measured, String config) {
        Set<String> done = measured.run(config).stream()
                .flatMap(run -> run.cells().stream())
                .filter(cell -> cell.state() != CellState.ERROR)
                .map(KeptCell::id)
                .collect(Collectors.toSet());
        return measured.cells().stream()
                .filter(cell -> !done.contains(cell.id()))
                .toList();
    }

    /**
     * Asks what is open under a lane, stratum by stratum.
     *
     * @return the measurement with what was done
     */
    Measurement run(LaneKey lane) throws InterruptedException {
        List<SuiteCell> open = open(measured, lane.label());
        if (open.isEmpty() || !goOn.getAsBoolean()) {
            return measured;
        }
        try (NativeCells cells = NativeCells.open(target, lane).join()) {
            Turn turn = new Turn(lane.label(), cells.flags(), open);
            CellExecutor executor = new CellExecutor(prompts, Scorer.containing(), cells);
            CellBatch batch = new CellBatch(executor::run, Math.min(parallel, cells.parallel()));
            for (SuiteStratum stratum : measured.suite().strata()) {
                turn.ask(batch, stratum.name());
            }
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : e;
        }
        return measured;
    }

    /** One config, as far as this call gets. */
    private final class Turn {
        private final String config;
        private final Map<String, String> flags;
        private final List<SuiteCell> open;
        private final CellWork work;
        private final List<KeptCell> done;
        private final Map<String, Double> seconds;
        private int passed;
        private int asked;

        Turn(String config, Map<String, String> flags, List<SuiteCell> open) {
            this.config = config;
            this.flags = flags;
            this.open = open;
            this.work = new CellWork(open);
            ConfigRun before = measured.run(config).orElse(new ConfigRun(config, flags, Map.of(), List.of()));
            if (!before.flags().equals(flags)) {
                throw new CliException("the file has " + config + " with other flags; give another --json");
            }
            Set<String> ids = open.stream().map(SuiteCell::id).collect(Collectors.toSet());
            this.done = new ArrayList<>(before.cells().stream()
                    .filter(cell -> !ids.contains(cell.id()))
                    .toList());
            this.seconds = new LinkedHashMap<>(before.seconds());
        }

        void ask(CellBatch batch, String stratum) throws InterruptedException {
            List<SuiteCell> cells =
                    open.stream().filter(cell -> cell.stratum().equals(stratum)).toList();
            if (cells.isEmpty() || !goOn.getAsBoolean()) {
                return;
            }
            double before = seconds.getOrDefault(stratum, 0.0);
            long start = System.nanoTime();
            batch.run(cells, goOn, record -> {
                seconds.put(stratum, before + (System.nanoTime() - start) / NANOS);
                add(record);
            });
            keep();
        }

        private void add(CellRecord record) {
            done.add(KeptCell.of(record));
            asked++;
            passed += record.state() == CellState.PASSED ? 1 : 0;
            progress.done(
                    work.of(record.cell()),
                    config + " " + record.cell().stratum() + ", " + passed + " of " + asked + " right");
            if (System.nanoTime() - saved > SAVE_NANOS) {
                keep();
            }
        }

        private void keep() {
            String today = LocalDate.now(ZoneOffset.UTC).toString();
            measured = measured.with(new ConfigRun(config, flags, seconds, done), today);
            save.accept(measured);
            saved = System.nanoTime();
        }
    }
}
