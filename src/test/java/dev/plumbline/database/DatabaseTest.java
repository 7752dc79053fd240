package dev.plumbline.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.plumbline.testing.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real PostgreSQL server in a data folder. */
class DatabaseTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    @Test
    void itsSettingsAreDurableAndItsFolderIsPrivate() throws IOException {
        try (Database database = TestDatabase.start(folder.resolve("new/data"))) {
            Map<String, String> expected = Map.of(
                    "fsync", "on",
                    "synchronous_commit", "on",
                    "full_page_writes", "on",
                    "server_encoding", "UTF8",
                    "listen_addresses", "127.0.0.1");
            expected.forEach((name, value) ->
                    assertThat(ask(database, "SHOW " + name)).as(name).isEqualTo(value));
            assertThat(ask(database, "SELECT lower('ÄÉ')")).isEqualTo("äé");
            assertThat(ask(database, "SELECT datctype FROM pg_database WHERE datname = current_database()"))
                    .isEqualTo("C.UTF-8");
            assertThat(permissions("new/data")).isEqualTo("rwx------");
            assertThat(permissions("new/data/password")).isEqualTo("rw-------");
        }
    }

    @Test
    void rowsAndPortOutliveARestartAndTheNextStartIsTheSameServer() throws IOException {
        String port;
        try (Database database = TestDatabase.start(folder)) {
            run(database, "CREATE TABLE kept AS SELECT 7 AS n");
            port = Files.readString(folder.resolve("port"));
        }
        assertThat(folder.resolve("postgres/postmaster.pid")).doesNotExist();
        try (Database database = TestDatabase.start(folder)) {
            assertThat(ask(database, "SELECT n FROM kept")).isEqualTo("7");
            assertThat(Files.readString(folder.resolve("port"))).isEqualTo(port);
        }
    }

    @Test
    void twoOnTwoFoldersRunSideBySide() {
        try (Database one = TestDatabase.start(folder.resolve("one"));
                Database two = TestDatabase.start(folder.resolve("two"))) {
            run(one, "CREATE TABLE mine AS SELECT 1 AS n");
            assertThat(ask(two, "SELECT to_regclass('mine') IS NULL")).isEqualTo("t");
            assertThat(one.exclusive()).isTrue();
        }
    }

    @Test
    void aKilledServerIsStartedAgain() throws IOException {
        try (Database database = TestDatabase.start(folder)) {
            run(database, "CREATE TABLE kept AS SELECT 7 AS n");
            kill();
            await().atMost(PATIENCE).until(() -> !database.up());
            assertThatThrownBy(() -> ask(database, "SELECT 1")).isInstanceOf(DatabaseUnavailableException.class);
            await().atMost(PATIENCE).until(database::up);
            assertThat(ask(database, "SELECT n FROM kept")).isEqualTo("7");
        }
    }

    @Test
    void aStrangersServerThatIsLostAndFoundAgainIsUsedAgain() throws IOException {
        Database owner = TestDatabase.start(folder);
        try (Database stranger = TestDatabase.connect(folder)) {
            assertThat(stranger.exclusive()).isFalse();
            assertThat(ask(stranger, "SELECT 1")).isEqualTo("1");
            owner.close();
            await().atMost(PATIENCE).until(() -> !stranger.up());
            assertThatThrownBy(() -> stranger.transaction(client -> 1).block())
                    .isInstanceOf(DatabaseUnavailableException.class);
            owner = TestDatabase.start(folder);
            await().atMost(PATIENCE).until(stranger::up);
            assertThat(ask(stranger, "SELECT 1")).isEqualTo("1");
        } finally {
            owner.close();
        }
    }

    @Test
    void aServerThatIsNotThereYetIsAwaited() {
        try (Database database = Database.external("jdbc:postgresql://127.0.0.1:1/none", "nobody", "")) {
            assertThat(database.up()).isFalse();
        }
        assertThatThrownBy(() -> Database.external("postgres://127.0.0.1", null, null))
                .isInstanceOf(DatabaseException.class)
                .hasMessageContaining("allowed: jdbc:postgresql://HOST:PORT/DATABASE");
    }

    private void kill() throws IOException {
        long pid = Long.parseLong(Files.readAllLines(folder.resolve("postgres/postmaster.pid"))
                .get(0)
                .strip());
        assertThat(ProcessHandle.of(pid).orElseThrow().destroyForcibly()).isTrue();
    }

    private static String ask(Database database, String sql) {
        return database.now(client -> client.sql(sql).query(String.class).single());
    }

    private static void run(Database database, String sql) {
        database.now(client -> client.sql(sql).update());
    }

    private String permissions(String path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(path)));
    }
}
