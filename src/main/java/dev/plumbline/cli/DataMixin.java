package dev.plumbline.cli;

import dev.plumbline.database.Database;
import dev.plumbline.database.DatabaseException;
import dev.plumbline.database.DatabaseUnavailableException;
import dev.plumbline.runconfig.RunConfig;
import dev.plumbline.runconfig.RunConfigRef;
import dev.plumbline.runconfig.RunConfigs;
import dev.plumbline.runconfig.UnknownRunConfigException;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Which database a server uses. */
final class DataMixin {
    static final String URL = "PLUMBLINE_DB_URL";
    private static final String USER = "PLUMBLINE_DB_USER";
    private static final String PASSWORD = "PLUMBLINE_DB_PASSWORD";
    private static final String SECRET_KEY = "PLUMBLINE_SECRET_KEY";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

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

    /** Run configs by name: those of the database if one was named, else those that come with the program. */
    ConfigArgument.Names runConfigs() {
        boolean named = spec.commandLine().getParseResult().hasMatchedOption("--data")
                || !System.getenv().getOrDefault(URL, "").isBlank();
        return named ? this::stored : ConfigArgument::builtIn;
    }

    private ConfigArgument stored(RunConfigRef ref) {
        try (Database database = open()) {
            RunConfig found = new RunConfigs(database).one(ref).blockOptional().orElseThrow();
            return new ConfigArgument(found.id(), found.profile());
        } catch (UnknownRunConfigException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        } catch (DatabaseUnavailableException e) {
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
