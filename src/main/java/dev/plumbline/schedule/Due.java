package dev.plumbline.schedule;

import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.exceptions.TaskInstanceCurrentlyExecutingException;
import com.github.kagkarlsson.scheduler.exceptions.TaskInstanceNotFoundException;
import com.github.kagkarlsson.scheduler.jdbc.JdbcCustomization;
import com.github.kagkarlsson.scheduler.jdbc.PostgreSqlJdbcCustomization;
import com.github.kagkarlsson.scheduler.task.TaskDescriptor;
import dev.plumbline.database.Database;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Says what is to be done when, in the caller's transaction: it is to be done if that commits. */
@Component
final class Due {
    static final String TABLE = "scheduled_task";

    /** Named, since a database that is not there yet cannot be asked what it is. */
    static final JdbcCustomization POSTGRES = new PostgreSqlJdbcCustomization(false, true);

    /** Looks whether a schedule's time has come; by the schedule's id. */
    static final TaskDescriptor<Void> CLOCK = TaskDescriptor.of("schedule-clock");

    /** Takes a firing one step further; by the firing's id. */
    static final TaskDescriptor<Void> FIRING = TaskDescriptor.of("schedule-firing");

    /** Tells a webhook; by the event's id. */
    static final TaskDescriptor<Void> EVENT = TaskDescriptor.of("schedule-event");

    private static final Logger LOG = LoggerFactory.getLogger(Due.class);

    private final SchedulerClient client;

    Due(Database database) {
        this.client = SchedulerClient.Builder.create(database.connections())
                .tableName(TABLE)
                .jdbcCustomization(POSTGRES)
                .build();
    }

    void at(TaskDescriptor<Void> task, UUID id, Instant time) {
        client.scheduleIfNotExists(task.instance(id.toString()).build(), time);
    }

    /**
     * Replaces the time of the clock of a schedule; none if it has none.
     *
     * @throws ScheduleException if a server is just looking at it
     */
    void clock(UUID schedule, Optional<Instant> time) {
        try {
            client.cancel(CLOCK.instanceId(schedule.toString()));
        } catch (TaskInstanceNotFoundException e) {
            LOG.debug("The schedule {} had no time", schedule);
        } catch (TaskInstanceCurrentlyExecutingException e) {
            throw ScheduleException.firing();
        }
        time.ifPresent(next -> at(CLOCK, schedule, next));
    }
}
