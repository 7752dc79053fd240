package dev.plumbline.recall.run;

import dev.plumbline.database.Database;
import dev.plumbline.recall.CellTarget;
import dev.plumbline.recall.result.CellRecord;
import dev.plumbline.recall.suite.SuiteCell;
import dev.plumbline.runconfig.Instance;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * What a server does to runs in the database while it asks their cells; every call blocks. Whoever changes cells and their
 * run locks the run first.
 */
@Component
final class RunWork {
    /** Rows of servers that nobody will ask about any more. */
    private static final Duration FORGOTTEN = Duration.ofHours(1);

    private static final int MOST_RUNS = 100;
    private static final double MILLIS = 1000.0;

    private final Database database;
    private final Duration lease;
    private final String instance = Instance.create();

    /** @param lease after so long without a sign a server is taken for lost */
    RunWork(Database database, @Value("${plumbline.recall.lease:20s}") Duration lease) {
        this.database = database;
        this.lease = lease;
    }

    /** What became of a result. */
    enum Commit {
        STORED,
        /** Another server has taken the cell over, or the run has ended or is gone. */
        NOT_WANTED
    }

    Duration lease() {
        return lease;
    }

    boolean possible() {
        return database.up();
    }

    /** Nobody else can be at work on a database of one's own: what is claimed there was claimed by a server that is gone. */
    void arrive(String model) {
        if (database.exclusive()) {
            database.now(client -> client.sql("DELETE FROM run_worker").update());
        }
        touch(model);
        releaseLost();
    }

    /** Says that this server is there; {@code model} is the hash of what it hosts, null while that loads. */
    void touch(String model) {
        database.now(client -> {
            WorkerTable.touch(client, instance, model);
            return true;
        });
    }

    /** Frees what servers have claimed that are gone. */
    void releaseLost() {
        database.now(client -> {
            WorkerTable.forget(client, FORGOTTEN);
            return CellTable.releaseLost(client, lease.toMillis() / MILLIS);
        });
    }

    void leave() {
        database.now(client -> {
            WorkerTable.leave(client, instance);
            return true;
        });
    }

    /** Runs with cells that nobody has claimed and that a server can ask which hosts a model, the first first. */
    List<RunTable.Claimable> claimable(String modelHash) {
        return database.now(client -> RunTable.claimable(client, modelHash, MOST_RUNS));
    }

    Optional<StoredRun> find(UUID run) {
        return database.now(client -> RunTable.one(client, run));
    }

    Optional<String> haystack(UUID run) {
        return database.now(client -> RunTable.haystack(client, run));
    }

    /** Notes that cells of a run will be asked; the run as it is then, or empty if it has ended meanwhile. */
    Optional<StoredRun> begin(UUID run, CellTarget target) {
        return database.now(client -> {
            if (RunTable.begin(client, run, Facts.of(target), target.flags(), target.measure())) {
                EventTable.state(client, run, RunState.RUNNING);
            }
            WorkerTable.accept(client, run, instance);
            return RunTable.one(client, run).filter(begun -> begun.state() == RunState.RUNNING);
        });
    }

    /** Whether cells of a run are still wanted. */
    boolean wanted(UUID run) {
        return database.now(client -> client.sql("SELECT 1 FROM run WHERE id = :run AND state = 'running'")
                .param("run", run)
                .query(Integer.class)
                .optional()
                .isPresent());
    }

    /**
     * Fails a run that cannot be asked here.
     *
     * @param everywhere whether no server can ask it; otherwise it is left to other servers, if there is one that may
     */
    void fail(UUID run, String failure, boolean everywhere) {
        database.now(client -> {
            StoredRun stored = RunTable.lock(client, run).orElse(null);
            if (stored == null || stored.state().ended()) {
                return false;
            }
            WorkerTable.refuse(client, run, instance);
            if (everywhere || !WorkerTable.others(client, stored, instance, lease.toMillis() / MILLIS)) {
                PromptsOf.end(client, run, RunState.FAILED, failure);
            }
            return true;
        });
    }

    /**
     * Takes the waiting cells of one text, in their order.
     *
     * @throws OtherPlanException if they are not those of the plan; nothing is taken then
     */
    List<Integer> claim(UUID run, List<SuiteCell> plan, int most) {
        return database.now(client -> CellTable.claim(client, run, plan, instance, most));
    }

    /** Commits the result of a cell that this server has claimed, and with the last one the end of the run. */
    Commit commit(UUID run, int ordinal, CellRecord result) {
        return database.now(client -> {
            boolean running = client.sql("SELECT state FROM run WHERE id = :run FOR UPDATE")
                    .param("run", run)
                    .query(String.class)
                    .optional()
                    .filter(RunState.RUNNING.text()::equals)
                    .isPresent();
            if (!running || !CellTable.finish(client, run, ordinal, instance, result)) {
                return Commit.NOT_WANTED;
            }
            Counted counted = count(client, run, result);
            EventTable.cell(client, run, counted.event(), ordinal);
            if (counted.last()) {
                PromptsOf.end(client, run, RunState.FINISHED, null);
            }
            return Commit.STORED;
        });
    }

    /** Number of a result's event, and whether it was the last result. */
    private record Counted(long event, boolean last) {}

    private static Counted count(JdbcClient client, UUID run, CellRecord result) {
        String column =
                switch (result.state()) {
                    case PASSED -> "passed";
                    case FAILED -> "failed";
                    case TRUNCATED -> "truncated";
                    case ERROR -> "errors";
                    case MISSING -> throw new IllegalStateException("no result is to be stored of " + result.cell());
                };
        return client.sql("UPDATE run SET events = events + 1, " + column + " = " + column + " + 1 WHERE id = :run"
                        + " RETURNING events, passed + failed + truncated + errors = cells AS done")
                .param("run", run)
                .query((row, number) -> new Counted(row.getLong("events"), row.getBoolean("done")))
                .single();
    }

    /** Gives back what this server has claimed of a run. */
    void release(UUID run) {
        database.now(client -> {
            CellTable.release(client, run, instance);
            EventTable.tell(client, run);
            return true;
        });
    }
}
