package dev.plumbline.recall.remote;

import dev.plumbline.conversation.Page;
import dev.plumbline.conversation.PageRequest;
import dev.plumbline.database.Database;
import dev.plumbline.recall.CellTarget;
import dev.plumbline.target.TargetSlot;
import java.util.List;
import java.util.UUID;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.core.env.Environment;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.netty.resources.LoopResources;

/** The servers elsewhere that runs can be asked of, kept in the database. */
@Component
public final class Targets implements AutoCloseable {
    private static final int THREADS = 2;

    private final Database database;
    private final TargetSlot slot;
    private final TargetNetworks networks;
    private final Backoff backoff;
    private final LoopResources loops = LoopResources.create("targets", THREADS, true);

    @Autowired
    Targets(Database database, TargetSlot slot, Environment environment) {
        this(database, slot, TargetNetworks.of(environment.getProperty(TargetNetworks.SETTING)), Backoff.DEFAULT);
    }

    /** Those of a database that the caller owns. */
    Targets(Database database, TargetSlot slot, TargetNetworks networks, Backoff backoff) {
        this.database = database;
        this.slot = slot;
        this.networks = networks;
        this.backoff = backoff;
    }

    /** Keeps a new target; fails with {@link TargetException} if it may not be, or its name is taken. */
    public Mono<RemoteTarget> create(NewTarget wanted, String author) {
        UUID id = UUID.randomUUID();
        return Mono.fromCallable(() -> TargetUrl.of(wanted.url(), networks))
                .flatMap(url -> database.transaction(client -> TargetTable.insert(
                                client, id, wanted, url, wanted.hasKey() ? seal(id, wanted.key()) : null, author)
                        .target()))
                .onErrorMap(DuplicateKeyException.class, e -> taken(wanted));
    }

    /**
     * Replaces a target. Its key stays if none is given, but only for the server that it was entered for. Fails with {@link
     * UnknownTargetException}, and as {@link #create} does.
     */
    public Mono<RemoteTarget> replace(String idOrName, NewTarget wanted, String author) {
        return Mono.fromCallable(() -> TargetUrl.of(wanted.url(), networks))
                .flatMap(url -> database.transaction(client -> {
                    StoredTarget old =
                            TargetTable.one(client, idOrName).orElseThrow(() -> new UnknownTargetException(idOrName));
                    UUID id = old.target().id();
                    return TargetTable.replace(client, id, wanted, url, key(old, wanted, url), author)
                            .orElseThrow(() -> new UnknownTargetException(idOrName))
                            .target();
                }))
                .onErrorMap(DuplicateKeyException.class, e -> taken(wanted));
    }

    private byte[] key(StoredTarget old, NewTarget wanted, String url) {
        if (wanted.key() != null) {
            return wanted.hasKey() ? seal(old.target().id(), wanted.key()) : null;
        }
        boolean moved =
                !TargetUrl.origin(url).equals(TargetUrl.origin(old.target().url()));
        if (old.sealedKey() != null && moved) {
            throw new TargetException(
                    "key",
                    "missing_required_parameter",
                    "Missing required parameter: 'key'; the key that is stored was entered for another server. Enter it"
                            + " again, or \"\" for no key.");
        }
        return old.sealedKey();
    }

    private byte[] seal(UUID id, String key) {
        return database.secrets().seal(TargetTable.place(id), key);
    }

    private static TargetException taken(NewTarget wanted) {
        return new TargetException(
                "name", "target_exists", "A target '" + wanted.name() + "' exists already; allowed: another name.");
    }

    /** One target by id or name; fails with {@link UnknownTargetException}. */
    public Mono<RemoteTarget> one(String idOrName) {
        return stored(idOrName).map(StoredTarget::target);
    }

    private Mono<StoredTarget> stored(String idOrName) {
        return database.transaction(
                client -> TargetTable.one(client, idOrName).orElseThrow(() -> new UnknownTargetException(idOrName)));
    }

    /** The targets by name; {@code page.after()} is a name. */
    public Mono<Page<RemoteTarget>> page(PageRequest page) {
        return database.transaction(client -> {
            List<RemoteTarget> found = TargetTable.page(client, page.after(), page.ascending(), page.limit()).stream()
                    .map(StoredTarget::target)
                    .toList();
            return Page.cut(found, page.limit());
        });
    }

    /** Deletes a target; fails with {@link UnknownTargetException}, and {@link TargetException} if something needs it. */
    public Mono<RemoteTarget> delete(String idOrName) {
        return database.transaction(client -> TargetTable.one(client, idOrName)
                        .flatMap(found ->
                                TargetTable.delete(client, found.target().id()))
                        .orElseThrow(() -> new UnknownTargetException(idOrName))
                        .target())
                .onErrorMap(
                        DataIntegrityViolationException.class,
                        e -> new TargetException(
                                null, "target_in_use", "The target is in use by a schedule or a run that waits."));
    }

    /**
     * Opens a target for a run: asks it prompts of several lengths and finds out how to measure prompts. A server that cannot
     * be asked gives cells that are all errors. Fails with {@link UnknownTargetException}, {@link TargetException}.
     */
    public Mono<CellTarget> open(String idOrName) {
        return open(idOrName, null);
    }

    /**
     * The same with prompts as they were measured in a run before, be it another one or this one before a restart: equal
     * measures give equal prompts.
     *
     * @param measure that of the run; null finds one out
     */
    public Mono<CellTarget> open(String idOrName, String measure) {
        return stored(idOrName)
                .flatMap(stored -> Mono.usingWhen(
                        Mono.fromCallable(() -> new Attempt(client(stored, stored.target()))),
                        attempt -> opening(stored.target(), attempt.client)
                                .cells(
                                        measure == null
                                                ? null
                                                : PromptMeasure.named(
                                                        measure, slot.target().orElse(null)))
                                .doOnNext(cells -> attempt.taken = true),
                        Attempt::end));
    }

    /** Asks a target a short question and tells what was found; fails with {@link UnknownTargetException}. */
    public Mono<TargetCheck> check(String idOrName) {
        return stored(idOrName).flatMap(stored -> {
            RemoteTarget hurried = TargetChecker.hurried(stored.target());
            return Mono.using(
                    () -> client(stored, hurried),
                    client -> new TargetChecker(stored.target(), client, opening(hurried, client)).check(),
                    ServerClient::close);
        });
    }

    private Opening opening(RemoteTarget target, ServerClient client) {
        return new Opening(target, client, backoff, slot.target().orElse(null));
    }

    private ServerClient client(StoredTarget stored, RemoteTarget target) {
        try {
            // The setting may be stricter than when the target was entered.
            TargetUrl.of(target.url(), networks);
        } catch (TargetException e) {
            // Without the address: runs keep this.
            throw new TargetException(
                    "url",
                    "The address of the target " + target.name() + " is not allowed; PLUMBLINE_TARGETS="
                            + networks.text() + " says which are.");
        }
        String key = stored.sealedKey() == null
                ? null
                : database.secrets().open(TargetTable.place(target.id()), stored.sealedKey());
        return new ServerClient(target, key, networks, loops);
    }

    /** Closes a client that nobody took over. */
    private static final class Attempt {
        private final ServerClient client;
        private volatile boolean taken;

        Attempt(ServerClient client) {
            this.client = client;
        }

        Mono<Void> end() {
            return Mono.<Void>fromRunnable(() -> {
                if (!taken) {
                    client.close();
                }
            });
        }
    }

    @Override
    public void close() {
        loops.dispose();
    }
}
