package dev.plumbline.recall.run;

import dev.plumbline.conversation.Page;
import dev.plumbline.conversation.PageRequest;
import dev.plumbline.database.Database;
import java.util.List;
import java.util.OptionalInt;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** The runs of the database. A Mono is empty when there is none of that id. */
@Component
public final class RunStore {
    private final Database database;
    private final Plans plans;

    RunStore(Database database, Plans plans) {
        this.database = database;
        this.plans = plans;
    }

    /** Stores a new run as {@link #create(JdbcClient, PlannedRun)} does. */
    Mono<StoredRun> create(PlannedRun planned) {
        return database.transaction(client -> create(client, planned));
    }

    /**
     * Stores a new run with its cells in the caller's transaction, which may store what the run belongs to as well. A run
     * that asks prompts of another one is measured as that one is by now.
     *
     * @return the waiting run
     * @throws RunRefusedException if the measure of the other one will never be known
     */
    public static StoredRun create(JdbcClient client, PlannedRun planned) {
        StoredRun wanted = planned.run();
        boolean follows = wanted.promptsOf() != null && wanted.measure().isEmpty();
        StoredRun run = follows ? wanted.measured(PromptsOf.measure(client, wanted.promptsOf())) : wanted;
        RunTable.insert(client, run, planned.haystack());
        CellTable.insert(client, run.id(), planned.cells());
        EventTable.state(client, run.id(), RunState.WAITING);
        return RunTable.one(client, run.id()).orElseThrow();
    }

    /** One run. */
    public Mono<StoredRun> find(UUID id) {
        return database.transaction(client -> RunTable.one(client, id).orElse(null));
    }

    /** A part of the runs; {@code page.after()} is an id. Ids grow with time. */
    public Mono<Page<StoredRun>> page(PageRequest page, RunFilter filter) {
        return database.transaction(client -> Page.cut(RunTable.page(client, page, filter), page.limit()));
    }

    /**
     * A part of a run's cells in the suite's order; {@code page.after()} is the id of a cell. Fails with
     * {@link RunRefusedException} if the run has no such cell.
     */
    public Mono<Page<StoredCell>> cells(UUID id, PageRequest page, CellFilter filter) {
        return database.transaction(client -> {
            StoredRun run = RunTable.one(client, id).orElse(null);
            if (run == null) {
                return null;
            }
            int start = page.ascending() ? -1 : Integer.MAX_VALUE;
            if (page.after() != null) {
                start = CellTable.ordinal(client, id, page.after())
                        .orElseThrow(() -> RunRefusedException.invalid(
                                "after",
                                "Invalid value for 'after': the run has no such cell; allowed: the id of one."));
            }
            return Page.cut(
                    CellTable.page(client, id, plans.of(run), filter, start, page.ascending(), page.limit()),
                    page.limit());
        });
    }

    /** A run by length and depth. */
    public Mono<RunGrid> grid(UUID id) {
        return database.transaction(client -> RunTable.one(client, id)
                .map(run -> new RunGrid(run, CellTable.groups(client, id)))
                .orElse(null));
    }

    /** One cell of a run by its id; empty if run or cell do not exist. */
    public Mono<StoredCell> cell(UUID id, String cell) {
        return database.transaction(client -> {
            StoredRun run = RunTable.one(client, id).orElse(null);
            OptionalInt ordinal = CellTable.ordinal(client, id, cell);
            if (run == null || ordinal.isEmpty()) {
                return null;
            }
            return CellTable.some(client, id, plans.of(run), List.of(ordinal.getAsInt()))
                    .get(0);
        });
    }

    /** The user's own text of a run; empty if it hides needles in the built-in ones. */
    Mono<String> haystack(UUID id) {
        return database.transaction(client -> RunTable.haystack(client, id).orElse(null));
    }

    /** Ends a run; what is being asked is not counted any more. Does nothing to one that has ended. */
    public Mono<StoredRun> cancel(UUID id) {
        return database.transaction(client -> {
            PromptsOf.end(client, id, RunState.CANCELLED, null);
            return RunTable.one(client, id).orElse(null);
        });
    }

    /** Deletes a run with its cells, also one that is being asked. */
    public Mono<Boolean> delete(UUID id) {
        return database.transaction(client -> {
            if (!PromptsOf.delete(client, id)) {
                return null;
            }
            EventTable.tell(client, id);
            return true;
        });
    }
}
