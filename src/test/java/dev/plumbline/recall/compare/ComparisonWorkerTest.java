package dev.plumbline.recall.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.plumbline.conversation.TimeOrderedId;
import dev.plumbline.database.Database;
import dev.plumbline.recall.judge.Judgement;
import dev.plumbline.recall.run.Purpose;
import dev.plumbline.recall.run.RunRefusedException;
import dev.plumbline.recall.run.RunStore;
import dev.plumbline.recall.run.TestRuns;
import dev.plumbline.recall.run.UnservedModels;
import dev.plumbline.recall.suite.Edges;
import dev.plumbline.recall.suite.Suite;
import dev.plumbline.recall.verdict.VerdictRule;
import dev.plumbline.runconfig.RunConfigRef;
import dev.plumbline.target.TargetSlot;
import dev.plumbline.testing.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Steps of a worker on comparisons of runs that nobody needs to ask: their results are written into the database. */
class ComparisonWorkerTest {
    private static final String MODEL = "the model here";
    private static final Suite SUITE = TestRuns.suite(10);
    private static final UnservedModels ONE_IN_HOURS = TestRuns.unserved(Duration.ofHours(6));

    private Database database;
    private ComparisonWorker worker;
    private Comparisons comparisons;

    @BeforeEach
    void open() {
        database = TestDatabase.empty();
        RunStore store = TestRuns.store(database);
        worker = new ComparisonWorker(
                database, new TargetSlot(), store, null, new StoredJudge(TestRuns.whole(database)), ONE_IN_HOURS);
        comparisons = new Comparisons(database, null, new StoredJudge(TestRuns.whole(database)));
    }

    @AfterEach
    void close() {
        worker.stop();
        database.close();
    }

    @Test
    void aComparisonThatTakesTooLongGivesWayToOthersAndFailsInTheEnd() {
        // given two, and a database that takes too long over the cells of the first
        UUID slow = compare(finished(), finished(), finished());
        UUID other = compare(finished(), finished(), finished());
        sql("ALTER TABLE run_cell RENAME TO stored_cell");
        sql("CREATE FUNCTION in_time(run uuid) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN"
                + " IF EXISTS (SELECT 1 FROM recall_comparison WHERE id = '" + slow + "' AND baseline_run = run)"
                + " THEN RAISE EXCEPTION 'canceling statement due to statement timeout' USING ERRCODE = '57014';"
                + " END IF; RETURN true; END $$");
        sql("CREATE VIEW run_cell AS SELECT * FROM stored_cell WHERE in_time(run_id)");

        // when
        worker.look(MODEL);
        worker.look(MODEL);

        // then
        assertThat(find(slow).state()).isEqualTo(ComparisonState.RUNNING);
        assertThat(find(other).state()).isEqualTo(ComparisonState.FINISHED);

        // when it has been tried as often as may be
        for (int attempt = 2; attempt <= ComparisonWorker.MOST_ATTEMPTS; attempt++) {
            assertThat(find(slow).state()).isEqualTo(ComparisonState.RUNNING);
            aMinutePasses();
            worker.look(MODEL);
        }

        // then
        assertThat(find(slow).state()).isEqualTo(ComparisonState.FAILED);
        assertThat(find(slow).failure())
                .isEqualTo("It could not be judged in 10 attempts; in the last one: the database took too long.");
    }

    @Test
    void aServerThatEndsLeavesAComparisonToTheNextOne() {
        // given a judgement that fails because its server ends
        UUID id = compare(finished(), finished(), finished());
        worker.stop();
        sql("ALTER TABLE run_cell RENAME TO stored_cell");

        // when
        worker.look(MODEL);

        // then
        assertThat(find(id).state()).isEqualTo(ComparisonState.RUNNING);

        // when another server looks right after
        sql("ALTER TABLE stored_cell RENAME TO run_cell");
        RunStore store = TestRuns.store(database);
        ComparisonWorker next = new ComparisonWorker(
                database, new TargetSlot(), store, null, new StoredJudge(TestRuns.whole(database)), ONE_IN_HOURS);
        next.look(MODEL);
        next.stop();

        // then
        assertThat(find(id).state()).isEqualTo(ComparisonState.FINISHED);
    }

    @Test
    void aComparisonThatEndsItsServersFailsToo() {
        // given
        UUID id = compare(finished(), finished(), finished());

        // when servers take it and are not heard of again
        for (int attempt = 1; attempt <= ComparisonWorker.MOST_ATTEMPTS; attempt++) {
            Optional<ComparisonTable.Claimed> claimed =
                    database.now(client -> ComparisonTable.claim(client, MODEL, Set.of()));
            assertThat(claimed).isPresent();
            aMinutePasses();
        }
        worker.look(MODEL);

        // then
        assertThat(find(id).failure()).isEqualTo("It could not be judged in 10 attempts; no server has said why.");
    }

    @Test
    void aComparisonThatLacksARunFailsThoughItsModelIsServedNoMore() {
        // given some of a model that this server does not have
        UUID cancelled = waiting();
        UUID deleted = finished();
        UUID hopeless = compare(finished(), cancelled, waiting());
        UUID without = compare(finished(), finished(), deleted);
        UUID open = compare(finished(), waiting(), waiting());
        UUID complete = compare(finished(), finished(), finished());
        RunStore store = TestRuns.store(database);
        store.cancel(cancelled).block();
        store.delete(deleted).block();

        // when a server looks that has another model, then one that has none
        worker.look("another model");
        worker.look("");
        worker.look("another model");

        // then
        assertThat(find(hopeless).failure()).isEqualTo("Its run " + cancelled + " was cancelled.");
        assertThat(find(without).failure()).isEqualTo("One of its runs has been deleted.");
        assertThat(find(open).state()).isEqualTo(ComparisonState.RUNNING);
        assertThat(find(complete).state()).as("it may need fresh cells").isEqualTo(ComparisonState.RUNNING);
    }

    @Test
    void aComparisonEndsThoughNoServerWillHaveItsModelAgain() {
        // given one that needs no fresh cells, and one that does
        UUID quiet = compare(finished(), finished(), finished());
        UUID loss = compare(finished(), ended("failed", 1), finished());
        RunStore store = TestRuns.store(database);
        ComparisonWorker elsewhere = new ComparisonWorker(
                database,
                new TargetSlot(),
                store,
                null,
                new StoredJudge(TestRuns.whole(database)),
                TestRuns.unserved(Duration.ZERO));

        // when
        elsewhere.look("another model");
        elsewhere.look("another model");
        elsewhere.stop();

        // then
        assertThat(find(quiet).verdict()).isEqualTo("NOT ENOUGH EVIDENCE");
        assertThat(find(loss).failure())
                .isEqualTo("Answers seem lost, but they cannot be asked afresh: no server of this database has hosted"
                        + " the model the model here for 0 h.");
    }

    @Test
    void aVerdictIsNotFoundOnceMoreWithoutTheRunsItRestsOn() {
        // given verdicts, one of which has needed fresh cells
        UUID noise = finished();
        UUID quiet = compare(finished(), finished(), noise);
        worker.look(MODEL);
        UUID fresh = ended("failed", 2);
        UUID loss = compare(finished(), ended("failed", 1), finished());
        UUID freshBaseline = ended("passed", 2);
        database.now(client -> ComparisonTable.confirm(client, loss, freshBaseline, fresh));
        worker.look(MODEL);
        assertThat(find(loss).verdict()).isEqualTo("REGRESSION");
        assertThat(judged(loss).title()).isEqualTo("REGRESSION");
        assertThat(judged(quiet).title()).isEqualTo(find(quiet).verdict());
        RunStore store = TestRuns.store(database);

        // when runs besides those of both sides are deleted, then
        store.delete(noise).block();
        assertGone(quiet);
        store.delete(fresh).block();
        assertGone(loss);
        store.delete(freshBaseline).block();
        assertGone(loss);
        assertThat(find(loss).verdict()).isEqualTo("REGRESSION");
    }

    @Test
    void aComparisonThatCouldNotAskItsLossesAfreshIsRefused() {
        // given 100,008 cells, which a run may have, but not twice as many
        Suite large = TestRuns.suite(12_501);
        Side side = Side.of(new RunConfigRef("baseline", 1));
        NewComparison wanted =
                new NewComparison(large, List.of(1L, 2L), side, side, VerdictRule.STANDARD, "test", Purpose.MANUAL);

        // then
        assertThatThrownBy(() -> comparisons.start(wanted).block())
                .isInstanceOf(RunRefusedException.class)
                .hasMessage("'seeds' has 2, so that losses in all required strata of tiny/1 would ask 200016 fresh"
                        + " cells; allowed: at most 200000 cells of a run.");
    }

    private void assertGone(UUID id) {
        assertThatThrownBy(() -> judged(id))
                .isInstanceOfSatisfying(
                        RunRefusedException.class, e -> assertThat(e.missing()).isTrue())
                .hasMessageContaining("have been deleted; its JSON is still there");
    }

    private Judgement judged(UUID id) {
        return comparisons.judge(find(id), judgement -> judgement).block();
    }

    private UUID finished() {
        return ended("passed", 1);
    }

    /** A run all of whose cells have come to the same. */
    private UUID ended(String state, long seed) {
        UUID run = TestRuns.create(database, new Edges(8, 16), MODEL, SUITE, "baseline", List.of(seed));
        sql("UPDATE run_cell SET state = '" + state + "', prompt_hash = cell_id, ended_at = clock_timestamp()"
                + " WHERE run_id = '" + run + "'");
        sql("UPDATE run SET state = 'finished', ended_at = clock_timestamp(), " + state + " = cells WHERE id = '" + run
                + "'");
        return run;
    }

    private UUID waiting() {
        return TestRuns.create(database, new Edges(8, 16), MODEL, SUITE, "baseline");
    }

    private UUID compare(UUID baseline, UUID candidate, UUID again) {
        Side side = Side.of(new RunConfigRef("baseline", 1));
        NewComparison wanted =
                new NewComparison(SUITE, List.of(1L), side, side, VerdictRule.STANDARD, "test", Purpose.MANUAL);
        UUID id = TimeOrderedId.at(Instant.now());
        database.now(client -> {
            ComparisonTable.insert(client, id, wanted, side, side, new RunIds(baseline, candidate, again, null, null));
            return id;
        });
        return id;
    }

    private StoredComparison find(UUID id) {
        return database.now(client -> ComparisonTable.one(client, id)).orElseThrow();
    }

    private void aMinutePasses() {
        sql("UPDATE recall_comparison SET claimed_at = claimed_at - interval '61 seconds'");
    }

    private void sql(String statement) {
        database.now(client -> {
            client.sql(statement).update();
            return true;
        });
    }
}
