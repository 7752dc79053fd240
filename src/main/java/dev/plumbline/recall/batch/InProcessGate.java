package dev.plumbline.recall.batch;

import dev.plumbline.engine.LaneKey;
import dev.plumbline.recall.judge.FreshRuns;
import dev.plumbline.recall.judge.Judge;
import dev.plumbline.recall.judge.Judgement;
import dev.plumbline.recall.result.RunRecord;
import dev.plumbline.recall.suite.Suite;
import dev.plumbline.recall.verdict.VerdictRule;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;

/** Asks a suite under two run configs on one loaded model and judges: both, the baseline once more, and fresh cells if needed. */
public final class InProcessGate {
    private static final String AGAIN = " again";
    private static final String CANDIDATE = " as candidate";

    private final SuiteRunner runner;
    private final Suite suite;
    private final List<Long> seeds;
    private final Consumer<CellWork> more;

    /**
     * A gate of a suite.
     *
     * @param more gets the work of fresh cells, each of which is asked twice, if there will be any
     */
    public InProcessGate(SuiteRunner runner, Suite suite, List<Long> seeds, Consumer<CellWork> more) {
        this.runner = runner;
        this.suite = suite;
        this.seeds = List.copyOf(seeds);
        this.more = more;
    }

    /** The work of all cells but fresh ones; each is asked three times. */
    public CellWork work() {
        return new CellWork(suite.cells(runner.edges(), seeds));
    }

    /**
     * Judges; takes as long as three runs, or more if answers seem lost.
     *
     * @throws CancellationException if the thread is interrupted meanwhile
     */
    public Judgement judge(LaneKey baseline, LaneKey candidate, VerdictRule rule) {
        // Every run has a lane of its own, so that none finds in a cache what another one computed.
        LaneKey again = new LaneKey(baseline.label() + AGAIN, baseline.profile());
        LaneKey other = candidate.equals(baseline)
                ? new LaneKey(candidate.label() + CANDIDATE, candidate.profile())
                : candidate;
        RunRecord first = run(suite, seeds, baseline, baseline.label());
        RunRecord second = run(suite, seeds, other, candidate.label());
        RunRecord noise = run(suite, seeds, again, baseline.label());
        return new Judge(rule).judge(first, second, noise, (part, fresh) -> {
            more.accept(new CellWork(part.cells(runner.edges(), fresh)));
            return new FreshRuns(
                    run(part, fresh, baseline, baseline.label()), run(part, fresh, other, candidate.label()));
        });
    }

    private RunRecord run(Suite part, List<Long> some, LaneKey lane, String name) {
        try {
            return runner.run(part, some, lane, name);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted");
        }
    }
}
