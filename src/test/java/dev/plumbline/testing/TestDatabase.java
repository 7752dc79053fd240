package dev.plumbline.testing;

import dev.plumbline.database.Database;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;

/** A real PostgreSQL server, one for all tests of this process. */
public final class TestDatabase {
    private static final String USER = "plumbline";

    /** For secrets, of every server that connects. */
    private static final String SECRET_KEY = "4492".repeat(16);

    private TestDatabase() {}

    /** Connects to it as to a server that somebody else runs. */
    public static Database open() {
        return connect(Shared.FOLDER);
    }

    /** Connects to a new, empty database on it. */
    public static Database empty() {
        return named(create());
    }

    /** Makes a new, empty database on it; its name. */
    public static String create() {
        String name = "empty_" + UUID.randomUUID().toString().replace("-", "");
        try (Connection connection = DriverManager.getConnection(url(Shared.FOLDER, "postgres"), USER, password());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return name;
    }

    /** Connects to a database of that name on it. */
    public static Database named(String name) {
        return Database.external(url(Shared.FOLDER, name), USER, password(), SECRET_KEY);
    }

    private static String password() {
        return read(Shared.FOLDER.resolve("password"));
    }

    private static String url(Path folder, String database) {
        return "jdbc:postgresql://127.0.0.1:" + read(folder.resolve("port")) + "/" + database;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Connects to the server of a data folder as if somebody else ran it. */
    public static Database connect(Path folder) {
        return Database.external(url(folder, "postgres"), USER, read(folder.resolve("password")), SECRET_KEY);
    }

    /** Starts a server of its own on a folder. */
    public static Database start(Path folder) {
        return Database.embedded(folder, cache());
    }

    /** Where PostgreSQL's programs are unpacked: kept between runs, so that tests pay for it once. */
    public static Path cache() {
        return Path.of("target", "postgres-cache").toAbsolutePath();
    }

    /** Started when it is first asked for, stopped with the process. */
    private static final class Shared {
        static final Path FOLDER = begin();

        private static Path begin() {
            try {
                Path folder = Files.createTempDirectory("plumbline-test-db");
                Database database = start(folder);
                Runtime.getRuntime().addShutdownHook(new Thread(() -> end(database, folder)));
                return folder;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static void end(Database database, Path folder) {
            database.close();
            Folders.delete(folder);
        }
    }
}
