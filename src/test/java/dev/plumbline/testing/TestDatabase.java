package dev.plumbline.testing;

import dev.plumbline.database.Database;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A real PostgreSQL server, one for all tests of this process. */
public final class TestDatabase {
    private TestDatabase() {}

    /** Connects to it as to a server that somebody else runs. */
    public static Database open() {
        return connect(Shared.FOLDER);
    }

    /** Connects to the server of a data folder as if somebody else ran it. */
    public static Database connect(Path folder) {
        try {
            String port = Files.readString(folder.resolve("port")).strip();
            String password = Files.readString(folder.resolve("password")).strip();
            return Database.external("jdbc:postgresql://127.0.0.1:" + port + "/postgres", "plumbline", password);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
