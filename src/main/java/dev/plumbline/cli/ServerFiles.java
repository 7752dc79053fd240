package dev.plumbline.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.JsonNode;

/** Run configs and suites for a server: what is in a file here is saved there, as a version of its name, before it is used. */
final class ServerFiles {
    private final CommandSpec spec;
    private final ApiClient api;
    private final PrintWriter err;

    ServerFiles(CommandSpec spec, ApiClient api, PrintWriter err) {
        this.spec = spec;
        this.api = api;
        this.err = err;
    }

    /** What the server knows something by; saves it there if it is a file. */
    interface Named {
        /** Errors: {@link CliException} if the server refuses the file. */
        String name() throws InterruptedException;
    }

    /**
     * A suite.
     *
     * @throws picocli.CommandLine.ParameterException if it is a file and no suite
     */
    Named suite(String given) {
        if (!SuiteArgument.isFile(given)) {
            return () -> given;
        }
        SuiteArgument.of(spec, given);
        byte[] document = read(given);
        return () -> {
            JsonNode saved = api.postYaml("/api/suites", document);
            return told(
                    given,
                    saved.path("name").asString() + "/" + saved.path("version").asInt());
        };
    }

    /**
     * A run config.
     *
     * @throws picocli.CommandLine.ParameterException if it is a file and no run config
     */
    Named config(String option, String given) {
        if (!ConfigArgument.isFile(given)) {
            return () -> given;
        }
        ConfigArgument.of(spec, option, given);
        byte[] document = read(given);
        return () -> told(
                given, api.postYaml("/api/run-configs", document).path("id").asString());
    }

    private String told(String file, String name) {
        err.println(file + " is " + name + " on the server");
        return name;
    }

    private static byte[] read(String file) {
        try {
            return Files.readAllBytes(Path.of(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
