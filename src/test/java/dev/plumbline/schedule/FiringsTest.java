package dev.plumbline.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.plumbline.runconfig.Activations;
import dev.plumbline.runconfig.RunConfigRef;
import dev.plumbline.testing.TestDatabase;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Schedules that fire, on a real database that two servers share. */
class FiringsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static Findings findings;
    private static Server one;
    private static Server other;

    @BeforeAll
    static void start() {
        String database = TestDatabase.create();
        findings = new Findings(() -> one.database);
        one = new Server(database, findings);
        other = new Server(database, findings);
    }

    @AfterAll
    static void stop() {
        one.close();
        other.close();
    }

    @BeforeEach
    void compare() {
        findings.refuse(null);
        findings.away(false);
        findings.meanwhile(null);
        findings.find(Verdict.SAFE);
    }

    private static List<Firing> awaitEnded(UUID schedule, int count) {
        await().atMost(PATIENCE).until(() -> {
            List<Firing> firings = one.firings(schedule);
            return firings.size() >= count && firings.stream().allMatch(firing -> firing.ended() != null);
        });
        return one.firings(schedule);
    }

    @Test
    void ofManyMissedTimesOneIsMadeUpForAndTheNextIsTheClocks() {
        // given: hourly, and nobody looked for three days
        Schedule hourly = one.create(Map.of("cron", "0 * * * *"));
        Instant missed = Instant.now().minus(Duration.ofDays(3));

        // when
        one.due(hourly.id(), missed);

        // then
        List<Firing> firings = awaitEnded(hourly.id(), 1);
        assertThat(firings).singleElement().satisfies(firing -> {
            assertThat(firing.reason()).isEqualTo(Firing.Reason.CRON);
            assertThat(firing.due()).isBetween(missed.minusSeconds(1), missed.plusSeconds(1));
            assertThat(firing.suite()).isEqualTo("smoke/1");
            assertThat(firing.candidate()).isEqualTo("fp8-index@1");
            assertThat(firing.baseline()).isEqualTo("baseline@1");
            assertThat(firing.verdict()).isEqualTo(Verdict.SAFE);
        });
        await().atMost(PATIENCE).until(() -> one.next(hourly.id()).isAfter(Instant.now()));
        assertThat(one.next(hourly.id())).isBefore(Instant.now().plus(Duration.ofHours(1)));
    }

    @Test
    void twoServersNeverCompareForOneScheduleAtOnce() {
        // given: a comparison that takes its time
        findings.find(null);
        Schedule hourly = one.create(Map.of("cron", "0 * * * *", "candidate", "mxfp4-index"));
        one.due(hourly.id(), Instant.now().minusSeconds(5));
        await().atMost(PATIENCE).until(() -> begun("mxfp4-index") == 1);
        await().atMost(PATIENCE).until(() -> one.next(hourly.id()).isAfter(Instant.now()));

        // when: its time comes again, and somebody asks for it as well
        one.due(hourly.id(), Instant.now().minusSeconds(5));
        await().atMost(PATIENCE).until(() -> one.next(hourly.id()).isAfter(Instant.now()));
        assertThatThrownBy(() -> other.schedules.runNow(hourly.id()).block())
                .isInstanceOf(ScheduleException.class)
                .hasMessageContaining("comparing already");
        assertThat(one.firings(hourly.id())).hasSize(1);

        // then: once the first is over, the missed time is made up for
        findings.find(Verdict.SAFE);
        assertThat(awaitEnded(hourly.id(), 2)).hasSize(2);
        assertThat(begun("mxfp4-index")).isEqualTo(2);
    }

    @Test
    void aTimeThatComesAgainBecauseAServerWasKilledIsFiredOnce() {
        // given
        Schedule hourly = one.create(Map.of("cron", "0 * * * *"));
        Instant time = Instant.now().minusSeconds(5).truncatedTo(ChronoUnit.MILLIS);
        one.due(hourly.id(), time);
        awaitEnded(hourly.id(), 1);
        await().atMost(PATIENCE).until(() -> one.next(hourly.id()).isAfter(Instant.now()));

        // when: the clock was not moved on
        one.due(hourly.id(), time);
        await().atMost(PATIENCE).until(() -> one.next(hourly.id()).isAfter(Instant.now()));

        // then
        assertThat(awaitEnded(hourly.id(), 1)).hasSize(1);
    }

    private static long begun(String candidate) {
        return findings.asked().stream()
                .filter(question -> question.candidate().name().equals(candidate))
                .count();
    }

    @Test
    void whatAServerLeftWhenItWasKilledAnotherGoesOnWith() {
        // given: a firing that a server had taken and that was not heard of since
        findings.find(null);
        Schedule schedule = one.create(Map.of());
        UUID firing = one.schedules.runNow(schedule.id()).block().id();
        await().atMost(PATIENCE).until(() -> one.firings(schedule.id()).get(0).comparison() != null);
        await().atMost(PATIENCE)
                .until(() -> one.database.now(client -> client.sql("UPDATE scheduled_task SET picked = true,"
                                        + " picked_by = 'gone', last_heartbeat = now() - interval '1 hour', version = version + 1"
                                        + " WHERE task_instance = :id AND NOT picked")
                                .param("id", firing.toString())
                                .update())
                        == 1);

        // when
        findings.find(Verdict.SAFE);

        // then
        assertThat(awaitEnded(schedule.id(), 1)).singleElement().satisfies(ended -> assertThat(ended.verdict())
                .isEqualTo(Verdict.SAFE));
    }

    @Test
    void aVersionThatBecomesActiveIsComparedByThoseWhoWaitForIt() {
        // given
        Schedule any = one.create(without("candidate", Map.of("on_activation", true)));
        Schedule fp8 = one.create(Map.of("on_activation", true));
        Schedule mxfp4 = one.create(Map.of("on_activation", true, "candidate", "mxfp4-index"));
        Schedule disabled = one.create(Map.of("on_activation", true, "enabled", false));

        // when
        activate("fp8-index");

        // then
        assertThat(awaitEnded(any.id(), 1)).singleElement().satisfies(firing -> {
            assertThat(firing.reason()).isEqualTo(Firing.Reason.ACTIVATION);
            assertThat(firing.candidate()).isEqualTo("fp8-index@1");
        });
        assertThat(awaitEnded(fp8.id(), 1)).hasSize(1);
        await().atMost(PATIENCE).until(() -> unseen() == 1);
        assertThat(one.firings(mxfp4.id())).isEmpty();
        assertThat(one.firings(disabled.id())).isEmpty();
    }

    /** Schedules that wait for activations and have not looked at the active one. */
    private static int unseen() {
        return one.database.now(client -> client.sql("SELECT count(*) FROM schedule s, active_run_config a"
                        + " WHERE s.on_activation AND s.seen_activation IS DISTINCT FROM a.activation")
                .query(Integer.class)
                .single());
    }

    private static Map<String, Object> without(String field, Map<String, ?> more) {
        Map<String, Object> map = new HashMap<>(more);
        map.put(field, null);
        return map;
    }

    private static void activate(String name) {
        one.database.now(client -> {
            UUID id = UUID.randomUUID();
            client.sql("INSERT INTO activation (id, kind, from_name, from_version, to_name, to_version, reason, author,"
                            + " instance, status, ended_at) VALUES (:id, 'activate', 'baseline', 1, :name, 1, 'test',"
                            + " 'ann', 'test', 'complete', now())")
                    .param("id", id)
                    .param("name", name)
                    .update();
            return client.sql("UPDATE active_run_config SET name = :name, version = 1, activation = :id")
                    .param("id", id)
                    .param("name", name)
                    .update();
        });
    }

    @Test
    void aConfigOrASuiteThatIsGoneIsAnErrorThatSaysSo() {
        // given: a config that somebody deleted by hand, past what protects it
        Schedule schedule = one.create(Map.of("candidate", "fast-all"));
        Schedule asked = one.create(Map.of());
        one.database.now(client -> {
            client.sql("ALTER TABLE run_config DISABLE TRIGGER run_config_is_immutable")
                    .update();
            client.sql("DELETE FROM run_config WHERE name = 'fast-all'").update();
            return client.sql("ALTER TABLE run_config ENABLE TRIGGER run_config_is_immutable")
                    .update();
        });
        one.database.now(client -> client.sql("UPDATE schedule SET suite = 'smoky' WHERE id = :id")
                .param("id", asked.id())
                .update());

        // when
        one.schedules.runNow(schedule.id()).block();
        one.schedules.runNow(asked.id()).block();

        // then
        assertThat(awaitEnded(schedule.id(), 1)).singleElement().satisfies(firing -> {
            assertThat(firing.verdict()).isEqualTo(Verdict.ERROR);
            assertThat(firing.summary()).contains("No run config 'fast-all' exists");
            assertThat(firing.comparison()).isNull();
        });
        assertThat(awaitEnded(asked.id(), 1)).singleElement().satisfies(firing -> assertThat(firing.summary())
                .contains("No suite 'smoky' exists", "smoke"));
        assertThat(one.one(schedule.id()).verdict()).isEqualTo(Verdict.ERROR);
        assertThat(one.firings(schedule.id())).as("it goes on at its next time").hasSize(1);
    }

    @Test
    void aRefusedComparisonIsAnErrorAndALoadingModelIsWaitedFor() {
        Schedule schedule = one.create(Map.of());
        findings.refuse(new Comparer.NotYetException(new IllegalStateException("the model is loading")));
        one.schedules.runNow(schedule.id()).block();
        await().atMost(PATIENCE).until(() -> !one.firings(schedule.id()).isEmpty());
        assertThat(one.firings(schedule.id()).get(0).ended()).isNull();
        findings.refuse(new IllegalStateException("a length is impossible"));

        assertThat(awaitEnded(schedule.id(), 1).get(0).summary()).isEqualTo("a length is impossible");
    }

    @Test
    void whatWasAskedBeforeAChangeIsNoVerdictOfWhatIsAskedNow() {
        // given: a comparison that takes its time
        findings.find(null);
        Map<String, Object> webhook = Map.of("url", "http://127.0.0.1:9/");
        Schedule schedule = one.create(Map.of("webhook", webhook));
        one.schedules.runNow(schedule.id()).block();
        await().atMost(PATIENCE).until(() -> one.firings(schedule.id()).get(0).comparison() != null);

        // when: another candidate takes the place of the one that is compared
        other.replace(schedule, Map.of("candidate", "mxfp4-index", "webhook", webhook));
        findings.find(Verdict.REGRESSION);

        // then
        assertThat(awaitEnded(schedule.id(), 1)).singleElement().satisfies(firing -> {
            assertThat(firing.candidate()).isEqualTo("fp8-index@1");
            assertThat(firing.verdict()).isEqualTo(Verdict.REGRESSION);
            assertThat(firing.changed()).isFalse();
            assertThat(firing.event()).isNull();
        });
        assertThat(one.one(schedule.id()).verdict()).isNull();

        // and: the next firing answers the new question
        one.schedules.runNow(schedule.id()).block();
        assertThat(awaitEnded(schedule.id(), 2).get(1).changed()).isTrue();
        assertThat(one.one(schedule.id()).verdict()).isEqualTo(Verdict.REGRESSION);
    }

    @Test
    void aDatabaseThatIsAwayForAMomentIsNoVerdictOfALongComparison() {
        // given: a comparison that has been going on for hours
        findings.find(null);
        Schedule schedule = one.create(Map.of());
        begin(schedule, Duration.ofHours(5));

        // when
        findings.away(true);
        int before = findings.lost();
        await().atMost(PATIENCE).until(() -> findings.lost() > before + 1);

        // then
        assertThat(one.firings(schedule.id()).get(0).ended()).isNull();
        findings.find(Verdict.SAFE);
        findings.away(false);
        assertThat(awaitEnded(schedule.id(), 1).get(0).verdict()).isEqualTo(Verdict.SAFE);
    }

    @Test
    void aComparisonThatNeverEndsDoesNotHoldItsScheduleForEver() {
        // given
        findings.find(null);
        Schedule schedule = one.create(Map.of());

        // when
        begin(schedule, Duration.ofDays(4));

        // then
        assertThat(awaitEnded(schedule.id(), 1)).singleElement().satisfies(firing -> {
            assertThat(firing.verdict()).isEqualTo(Verdict.ERROR);
            assertThat(firing.summary()).isEqualTo("The comparison had not ended after 3 days.");
        });
    }

    @Test
    void whatTwoServersBeginForOneFiringIsKeptOnce() {
        // given: a server that was taken for dead while it began, so that another one was first
        UUID first = findings.elsewhere();
        Schedule schedule = one.create(Map.of("candidate", "fp32-all"));
        findings.meanwhile(() -> one.database.now(
                client -> client.sql("UPDATE schedule_firing SET comparison = :first WHERE schedule = :schedule")
                        .param("first", first)
                        .param("schedule", schedule.id())
                        .update()));

        // when
        one.schedules.runNow(schedule.id()).block();

        // then
        assertThat(awaitEnded(schedule.id(), 1)).singleElement().satisfies(firing -> {
            assertThat(firing.comparison()).isEqualTo(first);
            assertThat(firing.verdict()).isEqualTo(Verdict.SAFE);
        });
        assertThat(begun("fp32-all")).isZero();
    }

    /** Fires a schedule as if that had been some time ago; its comparison has begun. */
    private static void begin(Schedule schedule, Duration ago) {
        UUID firing = one.schedules.runNow(schedule.id()).block().id();
        await().atMost(PATIENCE).until(() -> one.firings(schedule.id()).get(0).comparison() != null);
        one.database.now(client -> client.sql("UPDATE schedule_firing SET started_at = :started WHERE id = :id")
                .param("started", Timestamp.from(Instant.now().minus(ago)))
                .param("id", firing)
                .update());
    }

    @Test
    void aDeletedScheduleDoesNothingMore() {
        Schedule schedule = one.create(Map.of());
        one.due(schedule.id(), Instant.now().minusSeconds(5));
        await().atMost(PATIENCE).until(() -> one.next(schedule.id()).isAfter(Instant.now()));

        assertThat(other.schedules.delete(schedule.id()).block()).isTrue();

        assertThat(one.one(schedule.id())).isNull();
        assertThat(one.schedules.delete(schedule.id()).block()).isNull();
        await().atMost(PATIENCE)
                .until(() -> one.database.now(
                                client -> client.sql("SELECT count(*) FROM scheduled_task WHERE task_instance = :id")
                                        .param("id", schedule.id().toString())
                                        .query(Integer.class)
                                        .single())
                        == 0);
    }

    @Test
    void whatIsComparedIsLookedUpWhenItFires() {
        Schedule schedule = one.create(without("candidate", Map.of("margin", 0.02)));

        one.schedules.runNow(schedule.id()).block();
        awaitEnded(schedule.id(), 1);

        RunConfigRef active = one.database.now(Activations::active).config();
        assertThat(findings.asked()).anySatisfy(question -> {
            assertThat(question.candidate()).isEqualTo(active);
            assertThat(question.margin()).isEqualTo(0.02);
            assertThat(question.owner()).isEqualTo("ann");
        });
    }
}
