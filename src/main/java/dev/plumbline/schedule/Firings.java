package dev.plumbline.schedule;

import dev.plumbline.conversation.TimeOrderedId;
import dev.plumbline.database.Database;
import dev.plumbline.database.DatabaseUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Fires schedules and follows their comparisons, a step at a time; what it waits for may take hours. */
@Component
final class Firings {
    private static final Logger LOG = LoggerFactory.getLogger(Firings.class);
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(2);

    /** For so long a firing waits until a model is loaded and its comparison can begin. */
    private static final Duration PATIENCE = Duration.ofHours(1);

    /** After so long nothing more is expected of a comparison, so that the schedule can fire again. */
    private static final Duration LONGEST = Duration.ofDays(3);

    private final Database database;
    private final Comparer comparer;
    private final Questions questions;
    private final Due due;

    Firings(Database database, Comparer comparer, Questions questions, Due due) {
        this.database = database;
        this.comparer = comparer;
        this.questions = questions;
        this.due = due;
    }

    /** When a task goes on. */
    record Next(Instant at) {
        static Optional<Next> in(Duration wait) {
            return Optional.of(new Next(Instant.now().plus(wait)));
        }
    }

    /** Fires a schedule whose time has come, once for all times that were missed; waits while it is firing already. */
    Optional<Next> clock(UUID id, Instant time) {
        return database.now(client -> {
            Optional<Schedule> schedule = ScheduleTable.lock(client, id);
            Optional<Instant> next = schedule.flatMap(found -> found.next(Instant.now()));
            if (next.isEmpty()) {
                return Optional.<Next>empty();
            }
            if (FiringTable.running(client, id).isPresent()) {
                return Next.in(LOOK_AGAIN);
            }
            // The time comes again if a server ends between this transaction and the clock's next time, which is
            // another's.
            if (ScheduleTable.fires(client, id, time)) {
                fire(client, id, Firing.Reason.CRON, time);
            }
            return next.map(Next::new);
        });
    }

    /** Begins a firing of a schedule that is locked and fires not yet. */
    UUID fire(JdbcClient client, UUID schedule, Firing.Reason reason, Instant time) {
        UUID id = TimeOrderedId.at(Instant.now());
        FiringTable.insert(client, id, schedule, reason, time);
        due.at(Due.FIRING, id, Instant.now());
        return id;
    }

    /** Begins the comparison of a firing, or looks whether it has ended. */
    Optional<Next> step(UUID id) {
        Firing firing = database.now(client -> FiringTable.one(client, id).orElse(null));
        if (firing == null || firing.ended() != null) {
            return Optional.empty();
        }
        try {
            return firing.comparison() == null ? begin(firing) : look(firing);
        } catch (DatabaseUnavailableException | Comparer.NotYetException e) {
            // What has begun goes on without this server, however old it is when the database is away for a moment.
            if (firing.comparison() != null || firing.started().plus(PATIENCE).isAfter(Instant.now())) {
                return Next.in(LOOK_AGAIN);
            }
            return end(firing, new Comparer.Finding(Verdict.ERROR, "Nothing could be compared: " + e.getMessage()));
        } catch (NotWantedException e) {
            return Next.in(LOOK_AGAIN);
        } catch (RuntimeException e) {
            if (interrupted(e)) {
                throw e;
            }
            LOG.info("A schedule could not compare: {}", e.getMessage());
            String words = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
            return end(firing, new Comparer.Finding(Verdict.ERROR, words));
        }
    }

    private Optional<Next> begin(Firing firing) {
        // By itself, so that it stays even if there is no such question.
        database.now(client -> {
            ScheduleTable.lock(client, firing.schedule());
            FiringTable.asks(client, firing);
            return true;
        });
        Comparer.Question question = database.now(client -> questions.of(client, firing));
        comparer.start(question, (client, comparison) -> {
            if (!FiringTable.began(client, firing.id(), question, comparison)) {
                throw new NotWantedException();
            }
        });
        return Next.in(LOOK_AGAIN);
    }

    /** A firing is gone, has ended, or has begun on another server, which took this one for dead. */
    private static final class NotWantedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NotWantedException() {
            super("this firing compares nothing more", null, false, false);
        }
    }

    /** Whether something failed because this server ends: another one goes on then. */
    private static boolean interrupted(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof InterruptedException) {
                return true;
            }
        }
        return Thread.currentThread().isInterrupted();
    }

    private Optional<Next> look(Firing firing) {
        Optional<Comparer.Finding> finding = comparer.finding(firing.comparison());
        if (finding.isEmpty() && firing.started().plus(LONGEST).isAfter(Instant.now())) {
            return Next.in(LOOK_AGAIN);
        }
        return end(
                firing,
                finding.orElseGet(() -> new Comparer.Finding(
                        Verdict.ERROR, "The comparison had not ended after " + LONGEST.toDays() + " days.")));
    }

    private Optional<Next> end(Firing firing, Comparer.Finding finding) {
        database.now(client -> {
            Optional<Schedule> schedule = ScheduleTable.lock(client, firing.schedule());
            schedule.ifPresent(found -> end(client, found, firing, finding));
            return true;
        });
        return Optional.empty();
    }

    private void end(JdbcClient client, Schedule schedule, Firing firing, Comparer.Finding finding) {
        // The answer to what the schedule asked before is not its verdict, and no change of it.
        boolean asked = FiringTable.asked(client, firing);
        boolean changed = asked && finding.verdict() != schedule.verdict();
        if (!FiringTable.end(client, firing.id(), finding, changed) || !asked) {
            return;
        }
        ScheduleTable.verdict(client, schedule.id(), firing.id(), finding.verdict(), changed);
        if (changed && schedule.webhook() != null) {
            UUID event = TimeOrderedId.at(Instant.now());
            EventTable.insert(client, event, firing.id(), Payload.of(event, schedule, firing, finding));
            due.at(Due.EVENT, event, Instant.now());
        }
    }
}
