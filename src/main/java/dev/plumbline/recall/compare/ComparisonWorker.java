package dev.plumbline.recall.compare;

import dev.plumbline.database.Database;
import dev.plumbline.database.DatabaseUnavailableException;
import dev.plumbline.recall.judge.Judgement;
import dev.plumbline.recall.report.ComparisonReport;
import dev.plumbline.recall.result.RunRecord;
import dev.plumbline.recall.result.TargetRecord;
import dev.plumbline.recall.run.RunStore;
import dev.plumbline.recall.run.StoredRun;
import dev.plumbline.recall.run.UnservedModels;
import dev.plumbline.recall.suite.Suite;
import dev.plumbline.recall.verdict.VerdictRule;
import dev.plumbline.runconfig.NotServedException;
import dev.plumbline.target.NativeTarget;
import dev.plumbline.target.TargetSlot;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.stereotype.Component;

/**
 * Brings comparisons of the database further whose runs have ended: judges, has fresh cells asked, stores verdicts. All that
 * it knows is in the database, so that any server goes on where another one ended.
 */
@Component
final class ComparisonWorker implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(ComparisonWorker.class);
    private static final long PERIOD_MILLIS = 500;
    private static final long END_SECONDS = 5;

    /** About a minute apart. */
    static final int MOST_ATTEMPTS = 10;

    private final Database database;
    private final TargetSlot slot;
    private final RunStore store;
    private final ComparisonRuns runs;
    private final StoredJudge judge;
    private final UnservedModels unserved;
    private final ScheduledExecutorService thread;
    private volatile boolean stopped;
    private volatile boolean running;

    ComparisonWorker(
            Database database,
            TargetSlot slot,
            RunStore store,
            ComparisonRuns runs,
            StoredJudge judge,
            UnservedModels unserved) {
        this.database = database;
        this.slot = slot;
        this.store = store;
        this.runs = runs;
        this.judge = judge;
        this.unserved = unserved;
        CustomizableThreadFactory threads = new CustomizableThreadFactory("recall-compare-");
        threads.setDaemon(true);
        this.thread = Executors.newSingleThreadScheduledExecutor(threads);
    }

    private void look() {
        if (stopped || !database.up()) {
            return;
        }
        try {
            look(slot.target()
                    .filter(NativeTarget::running)
                    .map(engine -> engine.model().hash())
                    .orElse(""));
        } catch (RuntimeException e) {
            LOG.debug("Comparisons could not be looked for", e);
        }
    }

    /** Brings one comparison further, if there is one; {@code modelHash} is empty without an engine. */
    void look(String modelHash) {
        database.now(client -> ComparisonTable.claim(client, modelHash, unserved.of(ComparisonTable.models(client))))
                .ifPresent(claimed -> advance(claimed, modelHash));
    }

    private void advance(ComparisonTable.Claimed claimed, String modelHash) {
        StoredComparison comparison = claimed.comparison();
        if (claimed.attempts() > MOST_ATTEMPTS) {
            fail(comparison, "It could not be judged in " + MOST_ATTEMPTS + " attempts; no server has said why.");
            return;
        }
        try {
            Optional<String> obstacle = obstacle(comparison);
            if (obstacle.isPresent()) {
                fail(comparison, obstacle.get());
                return;
            }
            Judgement judgement = judge.now(VerdictRule.withMargin(comparison.margin()), comparison.runs());
            Optional<String> missing = judgement.freshPart().isEmpty()
                    ? Optional.empty()
                    : models(judgement)
                            .filter(model -> !model.equals(modelHash))
                            .findFirst();
            if (missing.isPresent()) {
                fail(
                        comparison,
                        "Answers seem lost, but they cannot be asked afresh: " + unserved.words(missing.get()) + ".");
            } else if (judgement.freshPart().isPresent()) {
                confirm(comparison, judgement, judgement.freshPart().get());
            } else {
                finish(comparison, judgement);
            }
        } catch (DatabaseUnavailableException | NotServedException e) {
            if (stopped) {
                giveBack(comparison, e);
                return;
            }
            again(claimed, e);
        } catch (RuntimeException e) {
            if (stopped) {
                giveBack(comparison, e);
                return;
            }
            LOG.warn("The comparison {} failed", comparison.id(), e);
            fail(comparison, e.getMessage() == null ? e.toString() : e.getMessage());
        }
    }

    /** What fails while this server ends says nothing of the comparison: the next server takes it, at once if this succeeds. */
    private void giveBack(StoredComparison comparison, RuntimeException reason) {
        LOG.info("The comparison {} is left to another server: {}", comparison.id(), reason.toString());
        database.now(client -> {
            ComparisonTable.giveBack(client, comparison.id());
            return true;
        });
    }

    /** What may pass is tried again once the claim is too old, so that others have their turn; but not for ever. */
    private void again(ComparisonTable.Claimed claimed, RuntimeException reason) {
        StoredComparison comparison = claimed.comparison();
        if (claimed.attempts() < MOST_ATTEMPTS) {
            LOG.warn(
                    "The comparison {} could not be judged in attempt {} of {}, another one follows: {}",
                    comparison.id(),
                    claimed.attempts(),
                    MOST_ATTEMPTS,
                    reason.getMessage());
        } else {
            fail(
                    comparison,
                    "It could not be judged in " + MOST_ATTEMPTS + " attempts; in the last one: " + reason.getMessage()
                            + ".");
        }
    }

    /** Models of the sides that the engine of a server answers for. */
    private static Stream<String> models(Judgement judgement) {
        return Stream.of(judgement.baseline(), judgement.candidate())
                .map(RunRecord::target)
                .filter(target -> target.kind().equals(TargetRecord.NATIVE))
                .map(TargetRecord::modelHash);
    }

    /** What makes a verdict impossible. */
    private Optional<String> obstacle(StoredComparison comparison) {
        RunIds ids = comparison.runs();
        boolean confirming = comparison.state() == ComparisonState.CONFIRMING;
        if (ids.baseline() == null
                || ids.candidate() == null
                || ids.again() == null
                || confirming && (ids.freshBaseline() == null || ids.freshCandidate() == null)) {
            return Optional.of("One of its runs has been deleted.");
        }
        for (var id : ids.all()) {
            StoredRun run = store.find(id).block();
            if (run == null) {
                return Optional.of("Its run " + id + " has been deleted.");
            }
            switch (run.state()) {
                case CANCELLED:
                    return Optional.of("Its run " + id + " was cancelled.");
                case FAILED:
                    return Optional.of("Its run " + id + " under " + run.configLabel() + " failed: " + run.failure());
                default:
            }
        }
        return Optional.empty();
    }

    private void confirm(StoredComparison comparison, Judgement judgement, Suite part) {
        if (comparison.state() == ComparisonState.CONFIRMING) {
            throw new IllegalStateException("fresh cells were asked, and more are needed");
        }
        NewComparison fresh = new NewComparison(
                part,
                judgement.freshSeeds(),
                comparison.baseline(),
                comparison.candidate(),
                judgement.outcome().rule(),
                comparison.owner(),
                comparison.purpose());
        ComparisonRuns.Planned planned = runs.fresh(fresh).block();
        boolean first = database.now(client -> {
            if (!ComparisonTable.lockRunning(client, comparison.id())) {
                return false;
            }
            RunIds ids = planned.store(client);
            return ComparisonTable.confirm(client, comparison.id(), ids.baseline(), ids.candidate());
        });
        if (first) {
            LOG.info(
                    "Comparison {}: answers seem lost, fresh cells are asked: {}",
                    comparison.id(),
                    judgement.sentence());
        }
    }

    private void finish(StoredComparison comparison, Judgement judgement) {
        String report = new ComparisonReport(judgement, Commands.gate(comparison)).json();
        database.now(client -> {
            ComparisonTable.finish(client, comparison.id(), judgement.title(), judgement.sentence(), report);
            return true;
        });
        LOG.info(
                "Comparison {} of {} against {}: {}. {}",
                comparison.id(),
                comparison.candidate().label(),
                comparison.baseline().label(),
                judgement.title(),
                judgement.sentence());
    }

    private void fail(StoredComparison comparison, String failure) {
        LOG.warn("Comparison {} has no verdict: {}", comparison.id(), failure);
        database.now(client -> {
            ComparisonTable.fail(client, comparison.id(), failure);
            return true;
        });
    }

    @Override
    public void start() {
        running = true;
        thread.scheduleWithFixedDelay(this::look, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void stop() {
        stopped = true;
        // A judgement that is being made is not interrupted: what would come of that is no reason to fail a comparison.
        thread.shutdown();
        try {
            if (!thread.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
                LOG.info("A comparison is left in the middle of its judgement; another server takes it in a minute");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Stops after the web server. */
    @Override
    public int getPhase() {
        return 0;
    }
}
