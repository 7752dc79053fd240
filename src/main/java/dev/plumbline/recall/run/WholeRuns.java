package dev.plumbline.recall.run;

import dev.plumbline.database.Database;
import dev.plumbline.recall.result.CellRecord;
import dev.plumbline.recall.result.RunRecord;
import dev.plumbline.recall.suite.SuiteCell;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Reads runs with all their cells. One may have 200,000 of them, which take hundreds of megabytes, so that requests have
 * them read one after the other, and what is made of them is made before the next ones are read; who waits holds no thread.
 */
@Component
public final class WholeRuns implements DisposableBean {
    private static final int MOST_WAITING = 100;
    private static final long IDLE_SECONDS = 60;

    private final Database database;
    private final Plans plans;
    private final Scheduler readers;

    WholeRuns(Database database, Plans plans) {
        this.database = database;
        this.plans = plans;
        CustomizableThreadFactory threads = new CustomizableThreadFactory("recall-reader-");
        threads.setDaemon(true);
        ThreadPoolExecutor executor = new ThreadPoolExecutor(
                1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MOST_WAITING), threads);
        executor.allowCoreThreadTimeOut(true);
        this.readers = Schedulers.fromExecutorService(executor, "recall-reader");
    }

    /**
     * Does work that reads whole runs, when its turn has come, on a thread that may block.
     *
     * @return what it gives; empty for null. Fails with {@link TooManyReadersException} if too many wait
     */
    public <T> Mono<T> reading(Supplier<T> work) {
        return Mono.fromSupplier(work)
                .subscribeOn(readers)
                .onErrorMap(RejectedExecutionException.class, e -> new TooManyReadersException(MOST_WAITING));
    }

    /** One run, without its cells. Blocks. */
    public Optional<StoredRun> find(UUID id) {
        return database.now(client -> RunTable.one(client, id));
    }

    /** A run with all that is known of its cells, those without a result as missing. Blocks. */
    public Optional<RunRecord> record(UUID id) {
        return read(id, CellTable::all);
    }

    /** The same with what a verdict needs of a cell: state and prompt, no texts and no traces. Blocks. */
    public Optional<RunRecord> outcomes(UUID id) {
        return read(id, CellTable::outcomes);
    }

    private interface Cells {
        List<CellRecord> of(JdbcClient client, UUID run, List<SuiteCell> plan);
    }

    private Optional<RunRecord> read(UUID id, Cells cells) {
        return database.now(
                client -> RunTable.one(client, id).map(run -> run.with(cells.of(client, id, plans.of(run)))));
    }

    @Override
    public void destroy() {
        readers.dispose();
    }
}
