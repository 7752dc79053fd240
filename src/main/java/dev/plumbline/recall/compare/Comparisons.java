package dev.plumbline.recall.compare;

import dev.plumbline.conversation.Page;
import dev.plumbline.conversation.PageRequest;
import dev.plumbline.conversation.TimeOrderedId;
import dev.plumbline.database.Database;
import dev.plumbline.database.DatabaseUnavailableException;
import dev.plumbline.recall.judge.Judgement;
import dev.plumbline.recall.run.RunRefusedException;
import dev.plumbline.recall.run.Runs;
import dev.plumbline.recall.verdict.VerdictRule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Makes comparisons, and tells what came of them. */
@Component
public final class Comparisons {
    private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

    private final Database database;
    private final ComparisonRuns runs;
    private final StoredJudge judge;

    Comparisons(Database database, ComparisonRuns runs, StoredJudge judge) {
        this.database = database;
        this.runs = runs;
        this.judge = judge;
    }

    /**
     * Makes a comparison with its first three runs; servers of the database do the rest. All of it is stored, or nothing,
     * however this ends.
     *
     * @return what is stored of it. Fails with {@link RunRefusedException} if a loss could not be asked afresh, and with what
     *     {@link Runs#start} fails with
     */
    public Mono<StoredComparison> start(NewComparison wanted) {
        return start(wanted, (client, id) -> {});
    }

    /**
     * The same together with what somebody else keeps of it.
     *
     * @param also gets the comparison's id in its transaction; what it throws undoes all
     */
    public Mono<StoredComparison> start(NewComparison wanted, BiConsumer<JdbcClient, UUID> also) {
        long fresh = Judgement.mostFreshCells(wanted.suite(), wanted.seeds().size());
        if (fresh > Runs.MOST_CELLS) {
            return Mono.error(RunRefusedException.invalid(
                    "seeds",
                    "'seeds' has " + wanted.seeds().size() + ", so that losses in all required strata of "
                            + wanted.suite().label() + " would ask " + fresh + " fresh cells; allowed: at most "
                            + Runs.MOST_CELLS + " cells of a run."));
        }
        return runs.first(wanted)
                .flatMap(planned -> database.transaction(client -> {
                    UUID id = TimeOrderedId.at(Instant.now());
                    RunIds stored = planned.store(client);
                    ComparisonTable.insert(client, id, wanted, planned.baselineSide(), planned.candidateSide(), stored);
                    also.accept(client, id);
                    return ComparisonTable.one(client, id).orElseThrow();
                }));
    }

    /** One comparison; empty if there is none of that id. */
    public Mono<StoredComparison> find(UUID id) {
        return database.transaction(client -> ComparisonTable.one(client, id).orElse(null));
    }

    /** A part of the comparisons; {@code page.after()} is an id. Ids grow with time. */
    public Mono<Page<StoredComparison>> page(PageRequest page) {
        return database.transaction(client -> {
            List<StoredComparison> found = ComparisonTable.page(client, page);
            boolean more = found.size() > page.limit();
            return new Page<>(more ? found.subList(0, page.limit()) : found, more);
        });
    }

    /** The whole report as JSON; empty without a verdict. */
    public Mono<String> report(UUID id) {
        return database.transaction(client -> ComparisonTable.report(client, id).orElse(null));
    }

    /** Waits for the end of a comparison, whichever servers bring it there; empty if it does not exist. */
    public Mono<StoredComparison> whenFinished(UUID id) {
        return look(id).expand(seen ->
                        over(seen) ? Mono.empty() : Mono.delay(LOOK_AGAIN).then(look(id)))
                .filter(Comparisons::over)
                .next()
                .flatMap(seen -> Mono.justOrEmpty(seen.orElseThrow().found()));
    }

    /** What a look found; the outer one is empty while the database does not answer. */
    private record Seen(Optional<StoredComparison> found) {}

    private static boolean over(Optional<Seen> seen) {
        return seen.isPresent()
                && seen.get().found().map(one -> one.state().ended()).orElse(true);
    }

    private Mono<Optional<Seen>> look(UUID id) {
        return find(id).map(found -> Optional.of(new Seen(Optional.of(found))))
                .defaultIfEmpty(Optional.of(new Seen(Optional.empty())))
                .onErrorReturn(DatabaseUnavailableException.class, Optional.empty());
    }

    /**
     * Judges finished runs. Where only the first two are named, those are taken besides that a stored comparison of the two
     * has made. Fails as {@link StoredJudge#judge} does.
     *
     * @param use makes of the judgement, which may be large, what is wanted of it
     */
    public <T> Mono<T> judge(VerdictRule rule, RunIds ids, Function<Judgement, T> use) {
        boolean alone = ids.equals(RunIds.of(ids.baseline(), ids.candidate()));
        return alone ? known(ids).flatMap(all -> judge.judge(rule, all, use)) : judge.judge(rule, ids, use);
    }

    private Mono<RunIds> known(RunIds ids) {
        return database.transaction(client -> ComparisonTable.between(client, ids.baseline(), ids.candidate())
                .map(StoredComparison::runs)
                .orElse(ids));
    }

    /**
     * Judges the runs of a comparison that has a verdict once more; fails as {@link StoredJudge#judge} does. With a run that
     * the verdict rests on gone it would be another verdict, so this fails with {@link RunRefusedException} then.
     *
     * @param use makes of the judgement, which may be large, what is wanted of it
     */
    public <T> Mono<T> judge(StoredComparison comparison, Function<Judgement, T> use) {
        RunIds ids = comparison.runs();
        if (comparison.state() != ComparisonState.FINISHED) {
            return Mono.error(new ComparisonRefusedException(
                    "comparison_not_finished",
                    "The comparison " + comparison.id() + " is "
                            + comparison.state().text() + "; allowed: finished ones."));
        }
        boolean halfFresh = (ids.freshBaseline() == null) != (ids.freshCandidate() == null);
        if (ids.baseline() == null || ids.candidate() == null || ids.again() == null || halfFresh) {
            return Mono.error(deleted(comparison));
        }
        return judge.judge(VerdictRule.withMargin(comparison.margin()), ids, judgement -> {
            // A verdict asks for nothing: there were fresh cells once.
            if (judgement.freshPart().isPresent()) {
                throw deleted(comparison);
            }
            return use.apply(judgement);
        });
    }

    private static RunRefusedException deleted(StoredComparison comparison) {
        return RunRefusedException.missing(
                "comparison",
                "not_found",
                "Runs of the comparison " + comparison.id() + " have been deleted; its JSON is still there.");
    }
}
