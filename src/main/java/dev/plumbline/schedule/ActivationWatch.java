package dev.plumbline.schedule;

import dev.plumbline.database.Database;
import dev.plumbline.runconfig.Activations;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Fires schedules that wait for what has become active; of several activations in a row the last counts. */
@Component
final class ActivationWatch implements Recurring {
    private static final Duration PERIOD = Duration.ofSeconds(2);

    private final Database database;
    private final Firings firings;

    ActivationWatch(Database database, Firings firings) {
        this.database = database;
        this.firings = firings;
    }

    @Override
    public String name() {
        return "schedule-activations";
    }

    @Override
    public Duration period() {
        return PERIOD;
    }

    @Override
    public void run() {
        Activations.Active active = database.now(Activations::active);
        for (UUID id : database.now(client -> ScheduleTable.unseen(client, active.activation()))) {
            database.now(client -> look(client, id, active));
        }
    }

    private boolean look(JdbcClient client, UUID id, Activations.Active active) {
        Optional<Schedule> schedule = ScheduleTable.lock(client, id);
        boolean unseen = ScheduleTable.unseen(client, active.activation()).contains(id);
        if (schedule.isEmpty() || !unseen) {
            return false;
        }
        boolean meant = Questions.isCandidate(schedule.get(), active.config());
        if (meant && FiringTable.running(client, id).isPresent()) {
            // It is looked at again when that firing is over.
            return false;
        }
        ScheduleTable.seen(client, id, active.activation());
        if (meant) {
            firings.fire(client, id, Firing.Reason.ACTIVATION, Instant.now());
        }
        return meant;
    }
}
