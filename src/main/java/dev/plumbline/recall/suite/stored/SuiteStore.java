package dev.plumbline.recall.suite.stored;

import dev.plumbline.conversation.Page;
import dev.plumbline.conversation.PageRequest;
import dev.plumbline.database.Database;
import dev.plumbline.document.DocumentException;
import dev.plumbline.recall.suite.Suite;
import dev.plumbline.recall.suite.SuiteYaml;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** The suites of the database. */
@Component
public final class SuiteStore {
    /** Highest version that a document may bring, so that there is room above it. */
    public static final int MOST_VERSION = 1_000_000;

    private static final String PROGRAM = "plumbline";

    private final Database database;

    /** Those of a database that the caller owns. */
    public SuiteStore(Database database) {
        this.database = database;
    }

    /**
     * A saved version.
     *
     * @param suite the version
     * @param created false if there is a version that says the same already
     */
    public record Saved(StoredSuite suite, boolean created) {}

    /**
     * Saves a suite as a new version, unless the latest one of that name, or the one of that version, says the same. Its
     * version is kept if it is above the latest one, so that a suite of another database comes in as what it was there;
     * otherwise it is the next one.
     *
     * @throws DocumentException if its version is too high; the Mono fails with it if the suite is too large to be stored
     */
    public Mono<Saved> save(Suite wanted, String author) {
        if (wanted.version() > MOST_VERSION) {
            throw new DocumentException(
                    "version",
                    "Invalid value for 'version': " + wanted.version() + "; allowed: 1 to " + MOST_VERSION + ".");
        }
        return database.transaction(client -> {
            SuiteTable.lock(client, wanted.name());
            Optional<StoredSuite> latest = SuiteTable.one(client, new SuiteRef(wanted.name(), null));
            Optional<StoredSuite> same = latest.filter(stored -> same(stored.suite(), wanted))
                    .or(() -> SuiteTable.one(client, new SuiteRef(wanted.name(), wanted.version()))
                            .filter(stored -> same(stored.suite(), wanted)));
            if (same.isPresent()) {
                return new Saved(same.get(), false);
            }
            int next = latest.map(stored -> stored.suite().version()).orElse(0) + 1;
            Suite fresh = versioned(wanted, Math.max(next, wanted.version()));
            requireRoom(fresh);
            return new Saved(SuiteTable.insert(client, fresh, false, author), true);
        });
    }

    /**
     * Keeps a suite that came with the program: under its own version if the name is new, under the next one if it differs
     * from every version that came before. A name whose latest version is a user's is theirs.
     *
     * @return whether the database has it now
     */
    boolean keep(Suite builtIn) {
        return database.now(client -> {
            SuiteTable.lock(client, builtIn.name());
            if (SuiteTable.builtIn(client, builtIn.name()).stream().anyMatch(stored -> same(stored.suite(), builtIn))) {
                return true;
            }
            Optional<StoredSuite> latest = SuiteTable.one(client, new SuiteRef(builtIn.name(), null));
            if (latest.isPresent() && !latest.get().builtIn()) {
                return false;
            }
            int next = latest.map(stored -> stored.suite().version()).orElse(0) + 1;
            SuiteTable.insert(client, versioned(builtIn, Math.max(next, builtIn.version())), true, PROGRAM);
            return true;
        });
    }

    private static boolean same(Suite one, Suite other) {
        return one.description().equals(other.description()) && one.strata().equals(other.strata());
    }

    private static Suite versioned(Suite suite, int version) {
        return new Suite(suite.name(), version, suite.description(), suite.strata());
    }

    /** Written out, a list of depths is longer than their number. */
    private static void requireRoom(Suite suite) {
        int bytes = SuiteYaml.write(suite).getBytes(StandardCharsets.UTF_8).length;
        if (bytes > SuiteYaml.LIMIT) {
            throw new DocumentException(
                    "strata",
                    "'strata' has " + bytes + " bytes as it is stored; allowed: at most " + SuiteYaml.LIMIT + ".");
        }
    }

    /** One version; fails with {@link UnknownSuiteException}. */
    public Mono<StoredSuite> one(SuiteRef ref) {
        return database.transaction(client -> require(client, ref));
    }

    /**
     * The same within a transaction.
     *
     * @throws UnknownSuiteException naming what there is
     */
    public static StoredSuite require(JdbcClient client, SuiteRef ref) {
        return SuiteTable.one(client, ref)
                .orElseThrow(() -> new UnknownSuiteException(
                        ref, SuiteTable.names(client), SuiteTable.versionNumbers(client, ref.name())));
    }

    /**
     * The suite that a text such as {@code smoke} or {@code smoke/2} names, if there is one. Waits for the database.
     *
     * @throws dev.plumbline.database.DatabaseUnavailableException if the database does not answer
     */
    public Optional<Suite> find(String reference) {
        return SuiteRef.of(reference)
                .flatMap(ref -> database.now(client -> SuiteTable.one(client, ref)))
                .map(StoredSuite::suite);
    }

    /**
     * The same, or a refusal of the field that names it.
     *
     * @throws DocumentException if the text cannot name a suite
     * @throws UnknownSuiteException naming what there is
     */
    public Suite require(String field, String reference) {
        SuiteRef ref = SuiteRef.parse(field, reference);
        return database.now(client -> require(client, ref)).suite();
    }

    /** The latest version of each name, by name; {@code page.after()} is a name. */
    public Mono<Page<StoredSuite>> page(PageRequest page) {
        return database.transaction(client ->
                Page.cut(SuiteTable.latest(client, page.after(), page.ascending(), page.limit()), page.limit()));
    }

    /** The versions of a name; {@code page.after()} is a version. Fails with {@link UnknownSuiteException}. */
    public Mono<Page<StoredSuite>> versions(String name, PageRequest page) {
        Integer after = page.after() == null ? null : Integer.valueOf(page.after());
        return database.transaction(client -> {
            require(client, new SuiteRef(name, null));
            return Page.cut(SuiteTable.versions(client, name, after, page.ascending(), page.limit()), page.limit());
        });
    }
}
