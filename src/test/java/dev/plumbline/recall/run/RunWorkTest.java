package dev.plumbline.recall.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.plumbline.database.Database;
import dev.plumbline.recall.remote.PromptMeasure;
import dev.plumbline.recall.remote.TargetException;
import dev.plumbline.recall.suite.Edges;
import dev.plumbline.testing.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What servers do to the runs of a database, step by step; no server is there that would do it by itself. */
class RunWorkTest {
    private static final Edges EDGES = new Edges(16, 32);
    private static final String MODEL = "a".repeat(64);

    private static Database database;

    @BeforeAll
    static void start() {
        database = TestDatabase.empty();
    }

    @AfterAll
    static void stop() {
        database.close();
    }

    /** A run whose measure is found out once it begins, or another run's. */
    private static StoredRun unmeasured(UUID promptsOf) {
        return TestRuns.planned(EDGES, MODEL, TestRuns.suite(1), "baseline", promptsOf, "");
    }

    private static UUID stored(StoredRun run) {
        return TestRuns.store(database, run);
    }

    private static StoredRun run(UUID id) {
        return TestRuns.store(database).find(id).block();
    }

    private static void begin(UUID run, String measure) {
        assertThat(database.<Boolean>now(client -> RunTable.begin(client, run, run(run).target(), Map.of(), measure)))
                .isTrue();
    }

    @Test
    void promptsOfARunThatBeganWhileTheOtherWasPlannedAreMeasuredAsThere() {
        UUID first = stored(unmeasured(null));
        StoredRun planned = unmeasured(first);
        begin(first, "characters");

        assertThat(run(stored(planned)).measure()).isEqualTo("characters");
    }

    @Test
    void everyRunDownTheLineIsMeasuredAsTheFirst() {
        UUID first = stored(unmeasured(null));
        UUID second = stored(unmeasured(first));
        UUID third = stored(unmeasured(second));
        begin(first, "characters");

        assertThat(run(second).measure()).isEqualTo("characters");
        assertThat(run(third).measure()).isEqualTo("characters");
    }

    @Test
    void runsWhosePromptsWillNeverBeMeasuredFail() {
        UUID cancelled = stored(unmeasured(null));
        UUID ofCancelled = stored(unmeasured(cancelled));
        UUID last = stored(unmeasured(ofCancelled));
        UUID deleted = stored(unmeasured(null));
        UUID ofDeleted = stored(unmeasured(deleted));
        TestRuns.store(database).cancel(cancelled).block();
        TestRuns.store(database).delete(deleted).block();

        assertThat(run(ofCancelled).failure()).contains(cancelled.toString(), "was cancelled before it began");
        assertThat(run(last).failure()).contains(ofCancelled.toString(), "was failed before it began");
        assertThat(run(ofDeleted).failure()).contains(deleted.toString(), "was deleted before it began");
        assertThatThrownBy(() -> stored(unmeasured(cancelled)))
                .isInstanceOf(RunRefusedException.class)
                .hasMessageContaining(cancelled.toString())
                .hasMessageContaining("allowed: a run that has begun or waits");
        assertThatThrownBy(() -> stored(unmeasured(deleted)))
                .isInstanceOf(RunRefusedException.class)
                .hasMessageContaining("No run");
    }

    @Test
    void runsOfOneThatWasCancelledAfterItBeganGoOn() {
        UUID first = stored(unmeasured(null));
        UUID second = stored(unmeasured(first));
        begin(first, "characters");
        TestRuns.store(database).cancel(first).block();

        assertThat(run(second).state()).isEqualTo(RunState.WAITING);
        assertThat(run(stored(unmeasured(first))).measure()).isEqualTo("characters");
    }

    private static RunWork server(String model) {
        RunWork server = new RunWork(database, Duration.ofSeconds(20));
        server.touch(model);
        return server;
    }

    private static StoredRun of(String model) {
        return TestRuns.planned(EDGES, model, TestRuns.suite(1), "baseline", null, PromptMeasure.TOKENIZER + model);
    }

    private static void sql(String statement) {
        database.now(client -> client.sql(statement).update());
    }

    private static List<UUID> claimable(RunWork server, String model) {
        return server.claimable(model).stream().map(RunTable.Claimable::id).toList();
    }

    @Test
    void runsOfAnotherModelDoNotHideThoseThatCanBeAsked() {
        String model = "b".repeat(64);
        for (int i = 0; i < 101; i++) {
            stored(of("c".repeat(64)));
        }
        UUID own = stored(of(model));

        assertThat(claimable(server(model), model)).containsExactly(own);
    }

    @Test
    void aRunOfATargetIsLeftToAServerThatHasItsTokenizer() {
        UUID inTokens = stored(of("d".repeat(64)));
        UUID inCharacters = stored(unmeasured(null));
        begin(inCharacters, "characters");
        sql("UPDATE run SET target_id = gen_random_uuid() WHERE id IN ('" + inTokens + "', '" + inCharacters + "')");

        assertThat(claimable(server("e".repeat(64)), "e".repeat(64)))
                .contains(inCharacters)
                .doesNotContain(inTokens);
        assertThat(claimable(server("d".repeat(64)), "d".repeat(64))).contains(inCharacters, inTokens);
        TestRuns.store(database).delete(inCharacters).block();
        TestRuns.store(database).delete(inTokens).block();
    }

    @Test
    void onlyWhatEveryServerWouldMeetFailsARunEverywhere() {
        assertThatThrownBy(() -> PromptMeasure.named(PromptMeasure.TOKENIZER + MODEL, null))
                .isInstanceOfSatisfying(TargetException.class, failure -> assertThat(RunWorkers.everywhere(failure))
                        .isFalse());
    }

    @Test
    void aRunFailsOnceNoServerThatIsThereCanAskIt() {
        String model = "f".repeat(64);
        UUID run = stored(of(model));
        RunWork one = server(model);
        RunWork other = server(model);
        RunWork loading = server(null);
        server("0".repeat(64));

        one.fail(run, "no room", false);
        assertThat(run(run).state()).isEqualTo(RunState.WAITING);
        begin(run, PromptMeasure.TOKENIZER + model);
        one.fail(run, "no room", false);
        assertThat(run(run).state()).isEqualTo(RunState.RUNNING);
        other.fail(run, "no room", false);
        assertThat(run(run).state()).isEqualTo(RunState.RUNNING);
        loading.touch("0".repeat(64));
        other.fail(run, "no room", false);
        assertThat(run(run).failure()).isEqualTo("no room");
    }

    @Test
    void aRunFailsOnceNoServerHasHostedItsModelForLong() {
        // given a run that was made long ago, and one whose prompts are measured by the same model
        String model = "1".repeat(64);
        sql("DELETE FROM run_worker");
        RunWork host = server(model);
        server("2".repeat(64));
        UUID run = stored(of(model));
        UUID inTokens = stored(of(model));
        UUID late = stored(of(model));
        sql("UPDATE run SET target_id = gen_random_uuid(), model_hash = '' WHERE id = '" + inTokens + "'");
        sql("UPDATE run SET created_at = created_at - interval '1 hour' WHERE id IN ('" + run + "', '" + inTokens
                + "')");
        AtomicLong seconds = new AtomicLong();
        UnservedRuns unserved = new UnservedRuns(
                database, new UnservedModels(Duration.ofSeconds(100), () -> TimeUnit.SECONDS.toNanos(seconds.get())));
        Consumer<Integer> lookAfter = time -> {
            seconds.addAndGet(time);
            unserved.look(Duration.ofSeconds(20));
        };
        lookAfter.accept(50);
        lookAfter.accept(60);
        assertThat(run(run).state()).isEqualTo(RunState.WAITING);

        // when its server ends, and this one does not look for a while, or another one still loads a model
        host.leave();
        lookAfter.accept(500);
        lookAfter.accept(60);
        RunWork loading = server(null);
        lookAfter.accept(60);

        // then
        assertThat(run(run).state()).isEqualTo(RunState.WAITING);

        // when that is another one
        loading.touch("2".repeat(64));
        lookAfter.accept(1);

        // then
        assertThat(run(run).failure())
                .isEqualTo("no server of this database has hosted the model " + model + " for 100 s");
        assertThat(run(inTokens).state()).isEqualTo(RunState.FAILED);
        assertThat(run(late).state()).isEqualTo(RunState.WAITING);
    }

    @Test
    void cellsOfAnotherPlanAreNotTaken() {
        UUID run = stored(of(MODEL));
        begin(run, PromptMeasure.TOKENIZER + MODEL);
        sql("UPDATE run_cell SET cell_id = 'of another version' WHERE ordinal = 2 AND run_id = '" + run + "'");
        RunWork server = server(MODEL);

        assertThatThrownBy(() -> server.claim(run, TestRuns.plan(database, run), 64))
                .isInstanceOf(OtherPlanException.class)
                .hasMessageContaining("another version of this program: cell 2 is of another version");
        assertThat(database.<Integer>now(
                        client -> client.sql("SELECT count(*) FROM run_cell WHERE state = 'waiting' AND run_id = :run")
                                .param("run", run)
                                .query(Integer.class)
                                .single()))
                .isEqualTo(4);
    }
}
