package dev.plumbline.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.plumbline.database.Database;
import dev.plumbline.recall.run.RunStore;
import dev.plumbline.recall.run.TestRuns;
import dev.plumbline.recall.suite.Edges;
import dev.plumbline.testing.TestDatabase;
import java.sql.Types;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which runs are deleted, on a real database. */
class RetentionTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final int OLD = 100;

    private Database database;
    private RunStore runs;

    @BeforeEach
    void open() {
        database = TestDatabase.empty();
        runs = TestRuns.store(database);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private void sweep(int days, int most) {
        new Retention(database, runs, days, most, HOUR).run();
    }

    private UUID running() {
        return TestRuns.create(database, new Edges(128, 256), "hash", TestRuns.suite(1), "baseline");
    }

    /** A run that ended so many days ago. */
    private UUID ended(int days) {
        UUID id = running();
        database.now(client -> client.sql("UPDATE run SET state = 'cancelled',"
                        + " ended_at = now() - make_interval(days => :days) WHERE id = :id")
                .param("days", days)
                .param("id", id)
                .update());
        return id;
    }

    private UUID comparison(UUID baseline, UUID candidate, boolean over) {
        UUID id = UUID.randomUUID();
        database.now(client -> client.sql(
                        "INSERT INTO recall_comparison (id, owner, purpose, suite_name, suite_version, seeds,"
                                + " baseline_name, baseline_version, candidate_name, candidate_version, margin, baseline_run,"
                                + " candidate_run, state, verdict, sentence, report, ended_at) VALUES (:id, 'ann', 'schedule',"
                                + " 'tiny', 1, '{1}', 'baseline', 1, 'fp8-index', 1, 0.05, :baseline, :candidate, :state, :verdict,"
                                + " :verdict, :report, " + (over ? "now()" : "NULL") + ")")
                .param("id", id)
                .param("baseline", baseline)
                .param("candidate", candidate)
                .param("state", over ? "finished" : "running")
                .param("verdict", over ? "SAFE" : null, Types.VARCHAR)
                .param("report", over ? "{}" : null, Types.VARCHAR)
                .update());
        return id;
    }

    /** A schedule that has found this last. */
    private void schedule(UUID comparison) {
        UUID id = UUID.randomUUID();
        UUID firing = UUID.randomUUID();
        database.now(client -> {
            client.sql(
                            "INSERT INTO schedule (id, name, suite, baseline, cron, zone, on_activation, enabled, author, verdict,"
                                    + " verdict_firing, verdict_since) VALUES (:id, :name, 'tiny', 'baseline@1', '0 2 * * *', 'UTC',"
                                    + " false, true, 'ann', 'safe', :firing, now())")
                    .param("id", id)
                    .param("name", id.toString())
                    .param("firing", firing)
                    .update();
            return client.sql(
                            "INSERT INTO schedule_firing (id, schedule, reason, due_at, ended_at, comparison, verdict,"
                                    + " summary, changed) VALUES (:firing, :id, 'cron', now(), now(), :comparison, 'safe', '', true)")
                    .param("firing", firing)
                    .param("id", id)
                    .param("comparison", comparison)
                    .update();
        });
    }

    private List<UUID> kept() {
        return database.now(
                client -> client.sql("SELECT id FROM run").query(UUID.class).list());
    }

    @Test
    void oldRunsGoAndTheirVerdictsStay() {
        // given
        UUID old = ended(OLD);
        UUID compared = ended(OLD);
        UUID verdict = comparison(compared, ended(OLD), true);
        UUID young = ended(1);
        UUID unfinished = running();

        // when
        sweep(90, 0);

        // then
        assertThat(kept()).containsExactlyInAnyOrder(young, unfinished).doesNotContain(old, compared);
        assertThat(database.<String>now(client -> client.sql("SELECT verdict FROM recall_comparison WHERE id = :id")
                        .param("id", verdict)
                        .query(String.class)
                        .single()))
                .isEqualTo("SAFE");
    }

    @Test
    void ofTooManyTheOldestGo() {
        UUID first = ended(0);
        UUID unfinished = running();
        UUID second = ended(0);
        UUID third = ended(0);

        sweep(0, 2);

        assertThat(kept()).containsExactlyInAnyOrder(unfinished, second, third).doesNotContain(first);
    }

    @Test
    void whatASchedulesLastVerdictAndOpenComparisonsReferToStays() {
        // given
        UUID before = ended(OLD);
        comparison(before, before, true);
        UUID baseline = ended(OLD);
        UUID candidate = ended(OLD);
        schedule(comparison(baseline, candidate, true));
        UUID half = ended(OLD);
        comparison(half, running(), false);

        // when
        sweep(1, 1);

        // then
        assertThat(kept()).contains(baseline, candidate, half).doesNotContain(before);
    }

    @Test
    void withoutLimitsNothingGoes() {
        UUID old = ended(OLD);

        sweep(0, 0);

        assertThat(kept()).containsExactly(old);
        assertThatThrownBy(() -> sweep(-1, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("plumbline.retention-days is -1");
    }
}
