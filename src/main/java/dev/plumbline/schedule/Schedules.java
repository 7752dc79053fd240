package dev.plumbline.schedule;

import dev.plumbline.conversation.Page;
import dev.plumbline.conversation.PageRequest;
import dev.plumbline.conversation.TimeOrderedId;
import dev.plumbline.database.Database;
import dev.plumbline.runconfig.Activations;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The schedules of the database. A Mono is empty when there is none of that id. */
@Component
public final class Schedules {
    private static final int SECRET_BYTES = 24;

    private final Database database;
    private final Questions questions;
    private final Firings firings;
    private final Due due;
    private final WebhookSender sender;

    Schedules(Database database, Questions questions, Firings firings, Due due, WebhookSender sender) {
        this.database = database;
        this.questions = questions;
        this.firings = firings;
        this.due = due;
        this.sender = sender;
    }

    /**
     * A schedule that was just written.
     *
     * @param schedule as it is stored
     * @param secret that signs its events, if it was made now; null otherwise. It is never shown again
     */
    public record Saved(Schedule schedule, String secret) {}

    /** Where the secret of a schedule's webhook is, for its encryption. */
    static String place(UUID schedule) {
        return "schedule.webhook_secret/" + schedule;
    }

    /**
     * Makes a schedule.
     *
     * @return fails with {@link dev.plumbline.recall.suite.stored.UnknownSuiteException},
     *     {@link dev.plumbline.runconfig.UnknownRunConfigException}, {@link dev.plumbline.document.DocumentException} if the
     *     webhook leads to a forbidden address, {@link ScheduleException} if the name is taken, and
     *     {@link dev.plumbline.database.SecretException}
     */
    public Mono<Saved> create(NewSchedule wanted, String author) {
        return checked(wanted)
                .flatMap(checked -> database.transaction(client -> {
                    questions.require(client, wanted);
                    UUID id = TimeOrderedId.at(Instant.now());
                    String made = made(wanted, null);
                    byte[] sealed = sealed(client, id, wanted, made);
                    ScheduleTable.insert(
                            client,
                            id,
                            wanted,
                            sealed,
                            Activations.active(client).activation(),
                            author);
                    return saved(client, id, made);
                }));
    }

    /** Replaces a schedule; a webhook without a secret keeps the one that is stored. Fails as {@link #create} does. */
    public Mono<Saved> replace(UUID id, NewSchedule wanted) {
        return checked(wanted)
                .flatMap(checked -> database.transaction(client -> {
                    Schedule old = ScheduleTable.lock(client, id).orElse(null);
                    if (old == null) {
                        return null;
                    }
                    questions.require(client, wanted);
                    String made = made(wanted, old);
                    byte[] sealed = sealed(client, id, wanted, made);
                    ScheduleTable.update(
                            client,
                            old,
                            wanted,
                            sealed,
                            Activations.active(client).activation());
                    return saved(client, id, made);
                }));
    }

    /** Names may take their time to be looked up, hence not in a transaction. */
    private Mono<Boolean> checked(NewSchedule wanted) {
        return Mono.fromCallable(() -> {
                    if (wanted.webhook() != null) {
                        sender.require(
                                "webhook.url", URI.create(wanted.webhook().url()));
                    }
                    return true;
                })
                .subscribeOn(Schedulers.boundedElastic());
    }

    private static String made(NewSchedule wanted, Schedule old) {
        boolean given = wanted.webhook() == null || wanted.webhook().secret() != null;
        boolean kept = old != null && old.webhook() != null;
        if (given || kept) {
            return null;
        }
        byte[] bytes = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(bytes);
        return "whsec_" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private byte[] sealed(JdbcClient client, UUID id, NewSchedule wanted, String made) {
        if (wanted.webhook() == null) {
            return null;
        }
        String secret = made == null ? wanted.webhook().secret() : made;
        return secret == null
                ? ScheduleTable.secret(client, id)
                : database.secrets().seal(place(id), secret);
    }

    private Saved saved(JdbcClient client, UUID id, String made) {
        Schedule schedule = ScheduleTable.one(client, id).orElseThrow();
        due.clock(id, schedule.next(Instant.now()));
        return new Saved(schedule, made);
    }

    /** Deletes a schedule with its firings and events; what is being compared goes on by itself. */
    public Mono<Boolean> delete(UUID id) {
        return database.transaction(client -> {
            if (!ScheduleTable.delete(client, id)) {
                return null;
            }
            due.clock(id, Optional.empty());
            return true;
        });
    }

    /** One schedule. */
    public Mono<Schedule> one(UUID id) {
        return database.transaction(client -> ScheduleTable.one(client, id).orElse(null));
    }

    /** A part of the schedules; {@code page.after()} is an id. */
    public Mono<Page<Schedule>> page(PageRequest page) {
        return database.transaction(client -> page(ScheduleTable.page(client, page), page.limit()));
    }

    /** A part of a schedule's firings; {@code page.after()} is an id. */
    public Mono<Page<Firing>> firings(UUID schedule, PageRequest page) {
        return database.transaction(client -> ScheduleTable.one(client, schedule)
                .map(found -> page(FiringTable.page(client, schedule, page), page.limit()))
                .orElse(null));
    }

    /** Fires a schedule now, an enabled one or not; fails with {@link ScheduleException} while it is firing. */
    public Mono<Firing> runNow(UUID id) {
        return database.transaction(client -> {
            if (ScheduleTable.lock(client, id).isEmpty()) {
                return null;
            }
            FiringTable.running(client, id).ifPresent(running -> {
                throw ScheduleException.running(running.toString());
            });
            UUID firing = firings.fire(client, id, Firing.Reason.MANUAL, Instant.now());
            return FiringTable.one(client, firing).orElseThrow();
        });
    }

    private static <T> Page<T> page(List<T> found, int limit) {
        boolean more = found.size() > limit;
        return new Page<>(more ? found.subList(0, limit) : found, more);
    }
}
