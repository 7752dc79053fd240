package dev.plumbline.cli;

import dev.plumbline.engine.LaneKey;
import dev.plumbline.model.ModelConfig;
import dev.plumbline.recall.batch.CellWork;
import dev.plumbline.recall.batch.InProcessGate;
import dev.plumbline.recall.batch.SuiteRunner;
import dev.plumbline.recall.judge.Judgement;
import dev.plumbline.recall.report.ComparisonReport;
import dev.plumbline.recall.result.CellRecord;
import dev.plumbline.recall.suite.Suite;
import dev.plumbline.recall.verdict.CellState;
import dev.plumbline.recall.verdict.VerdictRule;
import dev.plumbline.target.ModelLocator;
import dev.plumbline.target.NativeTarget;
import dev.plumbline.target.TargetLoader;
import dev.plumbline.target.TargetOptions;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** Loads a model and compares two run configs on it, in this process. */
final class LocalGate {
    /** The baseline, the candidate and the baseline once more. */
    private static final int RUNS = 3;

    private static final int FRESH_RUNS = 2;

    private final TargetOptions options;
    private final int parallel;
    private final String command;
    private final PrintWriter err;

    /** @param command the one that asks the same again, for the reports */
    LocalGate(TargetOptions options, int parallel, String command, PrintWriter err) {
        this.options = options;
        this.parallel = parallel;
        this.command = command;
        this.err = err;
    }

    GateResult judge(
            Suite suite, List<Long> seeds, ConfigArgument baseline, ConfigArgument candidate, VerdictRule rule) {
        RecallLanes lanes = new RecallLanes(options);
        AtomicReference<State> state = new AtomicReference<>();
        try (NativeTarget loaded = new TargetLoader(ModelLocator.standard(), err::println)
                        .load(options, model -> lanes.of(baseline, model));
                SuiteRunner runner = new SuiteRunner(
                        loaded, parallel, (lane, record) -> state.get().done(lane, record))) {
            InProcessGate gate = new InProcessGate(runner, suite, seeds, work -> {
                state.get().close();
                err.println("Answers seem lost: fresh cells are asked.");
                state.set(new State("fresh cells", work, FRESH_RUNS));
            });
            state.set(new State("gate", gate.work(), RUNS));
            try {
                ModelConfig model = loaded.status().config();
                Judgement judgement = gate.judge(lanes.of(baseline, model), lanes.of(candidate, model), rule);
                ComparisonReport report = new ComparisonReport(judgement, command);
                return new GateResult(
                        judgement.title(), VerdictText.of(judgement), report::json, report::junit, report::markdown);
            } finally {
                state.get().close();
            }
        }
    }

    /** How far the runs are. */
    private static final class State {
        private final CellProgress progress;
        private final CellWork work;
        private LaneKey lane;
        private int asked;
        private int passed;

        /** Every cell is asked so many times. */
        State(String task, CellWork work, int times) {
            this.work = work;
            this.progress = CellProgress.of(task, times * work.total(), System.err);
        }

        void done(LaneKey of, CellRecord record) {
            if (!of.equals(lane)) {
                lane = of;
                asked = 0;
                passed = 0;
            }
            asked++;
            passed += record.state() == CellState.PASSED ? 1 : 0;
            progress.done(work.of(record.cell()), of.label() + ", " + passed + " of " + asked + " right");
        }

        void close() {
            progress.close();
        }
    }
}
