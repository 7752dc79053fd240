package dev.plumbline.runconfig;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.plumbline.conversation.Page;
import dev.plumbline.conversation.PageRequest;
import dev.plumbline.database.Database;
import java.time.Duration;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** The run configs of the database. */
@Component
public final class RunConfigs {
    /** For so long a name without a version may stand for the one before the latest. */
    private static final Duration FRESH = Duration.ofSeconds(1);

    private static final int CACHED = 1000;

    private final Database database;
    private final Cache<RunConfigRef, RunConfig> used =
            Caffeine.newBuilder().maximumSize(CACHED).expireAfterWrite(FRESH).build();

    /** Those of a database that the caller owns. */
    public RunConfigs(Database database) {
        this.database = database;
    }

    /**
     * A saved version.
     *
     * @param config the version
     * @param created false if the latest version said the same already
     */
    public record Saved(RunConfig config, boolean created) {}

    /** Saves a new version, unless the latest one of that name says the same. */
    public Mono<Saved> save(NewRunConfig wanted, String author) {
        return database.transaction(client -> {
            RunConfigTable.lock(client, wanted.name());
            Optional<RunConfig> latest = RunConfigTable.one(client, new RunConfigRef(wanted.name(), null));
            if (latest.isPresent() && wanted.sameAs(latest.get())) {
                return new Saved(latest.get(), false);
            }
            int version = latest.map(RunConfig::version).orElse(0) + 1;
            return new Saved(RunConfigTable.insert(client, wanted, version, author), true);
        });
    }

    /** One version; fails with {@link UnknownRunConfigException}. */
    public Mono<RunConfig> one(RunConfigRef ref) {
        return database.transaction(client -> require(client, ref));
    }

    /**
     * The same within a transaction.
     *
     * @throws UnknownRunConfigException if there is none
     */
    public static RunConfig require(JdbcClient client, RunConfigRef ref) {
        return RunConfigTable.one(client, ref).orElseThrow(() -> UnknownRunConfigException.of(client, ref));
    }

    /** The same for a request that is to be answered with it: asks the database at most once a second. */
    public Mono<RunConfig> used(RunConfigRef ref) {
        return Mono.defer(() -> {
            RunConfig cached = used.getIfPresent(ref);
            return cached != null ? Mono.just(cached) : one(ref).doOnNext(found -> used.put(ref, found));
        });
    }

    /** The latest version of each name, by name; {@code page.after()} is a name. */
    public Mono<Page<RunConfig>> page(PageRequest page) {
        return database.transaction(client ->
                Page.cut(RunConfigTable.latest(client, page.after(), page.ascending(), page.limit()), page.limit()));
    }

    /** The versions of a name; {@code page.after()} is a version. Fails with {@link UnknownRunConfigException}. */
    public Mono<Page<RunConfig>> versions(String name, PageRequest page) {
        RunConfigRef latest = new RunConfigRef(name, null);
        Integer after = page.after() == null ? null : Integer.valueOf(page.after());
        return one(latest)
                .then(database.transaction(client -> Page.cut(
                        RunConfigTable.versions(client, name, after, page.ascending(), page.limit()), page.limit())));
    }
}
