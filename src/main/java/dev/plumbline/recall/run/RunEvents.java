package dev.plumbline.recall.run;

import dev.plumbline.database.Database;
import dev.plumbline.recall.suite.SuiteCell;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What happens to runs, as it is committed on whatever server, for any number of readers. */
@Component
public final class RunEvents {
    private static final int MOST_EVENTS = 200;

    /** A notice may get lost with its connection. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    /** Many results that come at once are read at once. */
    private static final Duration REST = Duration.ofMillis(100);

    private final Database database;
    private final Plans plans;
    private final RunNotices notices;

    RunEvents(Database database, Plans plans, RunNotices notices) {
        this.database = database;
        this.plans = plans;
        this.notices = notices;
    }

    /**
     * One event; exactly one of cell and state is not null.
     *
     * @param number from 1 on, without gaps; equal for every reader
     * @param cell the cell that got its result
     * @param state the run's new state
     */
    public record Event(long number, StoredCell cell, RunState state) {}

    /**
     * Some events and how the run stood when they were read, or later.
     *
     * @param events in their order; may be empty
     * @param run the run; null once it is deleted
     */
    public record Batch(List<Event> events, StoredRun run) {

        /** Copies the list. */
        public Batch {
            events = List.copyOf(events);
        }

        private long last(long before) {
            return events.isEmpty() ? before : events.get(events.size() - 1).number();
        }

        private boolean ends(long before) {
            return run == null || run.state().ended() && last(before) >= run.events();
        }
    }

    /**
     * A batch and where it was read from.
     *
     * @param after number of the event before its first
     * @param heard notices that had come before it was read
     */
    private record Part(long after, long heard, Batch batch) {
        boolean ends() {
            return batch.ends(after);
        }

        boolean tells() {
            return batch.run() == null || !batch.events().isEmpty();
        }
    }

    /**
     * Follows a run until it has ended or is deleted. Fails with
     * {@link dev.plumbline.database.DatabaseUnavailableException}.
     *
     * @param after number of the last event that is known
     * @return batches; the first one at once, however empty
     */
    public Flux<Batch> follow(UUID run, long after) {
        return read(run, after)
                .expand(part -> part.ends() ? Mono.empty() : next(run, part))
                .index()
                .filter(part -> part.getT1() == 0 || part.getT2().tells())
                .map(part -> part.getT2().batch());
    }

    private Mono<Part> next(UUID run, Part part) {
        Mono<Part> following = Mono.defer(() -> read(run, part.batch().last(part.after())));
        if (part.batch().events().size() == MOST_EVENTS) {
            return following;
        }
        return Mono.delay(REST)
                .then(Mono.firstWithSignal(
                        notices.since(part.heard()), Mono.delay(LOOK_AGAIN).then()))
                .then(following);
    }

    private Mono<Part> read(UUID run, long after) {
        return Mono.defer(() -> {
            long heard = notices.heard();
            return database.transaction(client -> new Part(after, heard, batch(client, run, after)));
        });
    }

    private Batch batch(JdbcClient client, UUID id, long after) {
        List<EventTable.Row> rows = EventTable.after(client, id, after, MOST_EVENTS);
        StoredRun run = RunTable.one(client, id).orElse(null);
        if (run == null) {
            return new Batch(List.of(), null);
        }
        List<Integer> ordinals = rows.stream()
                .map(EventTable.Row::ordinal)
                .filter(Objects::nonNull)
                .toList();
        Map<Integer, StoredCell> cells = new HashMap<>();
        if (!ordinals.isEmpty()) {
            List<SuiteCell> plan = plans.of(run);
            CellTable.some(client, id, plan, ordinals).forEach(cell -> cells.put(cell.ordinal(), cell));
        }
        List<Event> events = new ArrayList<>();
        for (EventTable.Row row : rows) {
            events.add(new Event(row.number(), row.ordinal() == null ? null : cells.get(row.ordinal()), row.state()));
        }
        return new Batch(events, run);
    }
}
