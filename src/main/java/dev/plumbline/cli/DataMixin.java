package dev.plumbline.cli;

import dev.plumbline.database.Database;
import dev.plumbline.database.DatabaseException;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Option;

/** Which database a server uses. */
final class DataMixin {
    private static final String URL = "PLUMBLINE_DB_URL";
    private static final String USER = "PLUMBLINE_DB_USER";
    private static final String PASSWORD = "PLUMBLINE_DB_PASSWORD";
    private static final String SECRET_KEY = "PLUMBLINE_SECRET_KEY";

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = "data",
            description = "Folder of the embedded database (default: ./data); unused when " + URL
                    + " names a PostgreSQL server.")
    private Path folder;

    /** Starts the embedded database, or connects to the one that the environment names. */
    Database open() {
        Map<String, String> environment = System.getenv();
        String url = environment.getOrDefault(URL, "");
        String key = environment.getOrDefault(SECRET_KEY, "").isBlank() ? null : environment.get(SECRET_KEY);
        try {
            return url.isBlank()
                    ? Database.embedded(folder, cache(environment), key)
                    : Database.external(url, environment.get(USER), environment.get(PASSWORD), key);
        } catch (DatabaseException e) {
            throw new CliException(e.getMessage());
        }
    }

    private static Path cache(Map<String, String> environment) {
        String chosen = environment.getOrDefault("PLUMBLINE_CACHE", "");
        if (!chosen.isBlank()) {
            return Path.of(chosen).toAbsolutePath();
        }
        String xdg = environment.getOrDefault("XDG_CACHE_HOME", "");
        Path base = xdg.isBlank() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(xdg);
        return base.resolve("plumbline").toAbsolutePath();
    }
}
