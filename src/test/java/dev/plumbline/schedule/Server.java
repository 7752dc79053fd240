package dev.plumbline.schedule;

import dev.plumbline.conversation.PageRequest;
import dev.plumbline.database.Database;
import dev.plumbline.recall.suite.BuiltInSuites;
import dev.plumbline.recall.suite.stored.SuiteStore;
import dev.plumbline.testing.TestDatabase;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** One of the servers of a database, without its web: what is due is done here too. */
final class Server implements AutoCloseable {
    private static final String NETWORKS = "127.0.0.1/32";

    final Database database;
    final Schedules schedules;
    private final Jobs jobs;

    /** On a database of that name. */
    Server(String name, Comparer comparer) {
        database = TestDatabase.named(name);
        new SuiteStore(database)
                .save(BuiltInSuites.find("smoke").orElseThrow(), "test")
                .block();
        Questions questions = new Questions();
        Due due = new Due(database);
        WebhookSender sender = new WebhookSender(NETWORKS);
        Firings firings = new Firings(database, comparer, questions, due);
        schedules = new Schedules(database, questions, firings, due, sender);
        jobs = new Jobs(
                database,
                firings,
                new Deliveries(database, sender, Duration.ofMillis(1)),
                List.of(new ActivationWatch(database, firings)));
        jobs.start();
    }

    /** A new schedule: a month from now at the earliest, unless {@code more} says otherwise. */
    Schedule create(Map<String, ?> more) {
        return schedules
                .create(NewSchedule.of(document("s" + UUID.randomUUID(), more)), "ann")
                .block()
                .schedule();
    }

    /** Replaces a schedule by what {@link #create} would make under its name. */
    Schedule replace(Schedule old, Map<String, ?> more) {
        return schedules
                .replace(old.id(), NewSchedule.of(document(old.name(), more)))
                .block()
                .schedule();
    }

    private static Map<String, Object> document(String name, Map<String, ?> more) {
        Map<String, Object> document = new HashMap<>(Map.of(
                "name",
                name,
                "suite",
                "smoke",
                "candidate",
                "fp8-index",
                "baseline",
                "baseline@1",
                "cron",
                "0 0 1 1 *"));
        document.putAll(more);
        return document;
    }

    Schedule one(UUID id) {
        return schedules.one(id).block();
    }

    /** Its firings, the first first. */
    List<Firing> firings(UUID id) {
        return schedules.firings(id, new PageRequest(100, null, true)).block().items();
    }

    /** Makes as if the time of a schedule had come then. */
    void due(UUID id, Instant time) {
        database.now(client -> client.sql("UPDATE scheduled_task SET execution_time = :time"
                        + " WHERE task_name = 'schedule-clock' AND task_instance = :id")
                .param("time", Timestamp.from(time))
                .param("id", id.toString())
                .update());
    }

    /** When the clock of a schedule is looked at next. */
    Instant next(UUID id) {
        return database.now(client -> client.sql("SELECT execution_time FROM scheduled_task"
                        + " WHERE task_name = 'schedule-clock' AND task_instance = :id")
                .param("id", id.toString())
                .query((row, number) -> row.getTimestamp(1).toInstant())
                .single());
    }

    @Override
    public void close() {
        jobs.stop();
        database.close();
    }
}
