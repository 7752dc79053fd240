package dev.plumbline.database;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs PostgreSQL's programs. They refuse root, hence root runs them in a user namespace where it is nobody. */
final class Programs {
    private static final int LIMIT_SECONDS = 90;

    /** How a program ended and what it said. */
    record Outcome(int status, String output) {
        boolean ok() {
            return status == 0;
        }
    }

    private final Path bin;
    private final List<String> prefix;

    private Programs(Path bin, List<String> prefix) {
        this.bin = bin;
        this.prefix = prefix;
    }

    /** The programs of a folder. */
    static Programs in(Path bin) {
        if (!isRoot()) {
            return new Programs(bin, List.of());
        }
        List<String> prefix = List.of("unshare", "--user");
        try {
            List<String> probe = new ArrayList<>(prefix);
            probe.add("true");
            if (execute(probe).ok()) {
                return new Programs(bin, prefix);
            }
        } catch (DatabaseException e) {
            // Said below: the program is missing.
        }
        throw new DatabaseException("PostgreSQL does not run as root, and this machine allows root no user namespace"
                + " (unshare --user); start as another user, or name a PostgreSQL server in PLUMBLINE_DB_URL");
    }

    Outcome run(String program, String... arguments) {
        List<String> command = new ArrayList<>(prefix);
        command.add(bin.resolve(program).toString());
        command.addAll(List.of(arguments));
        return execute(command);
    }

    private static Outcome execute(List<String> command) {
        try {
            Path output = Files.createTempFile("plumbline-", ".out");
            try {
                Process process = new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .redirectInput(Path.of("/dev/null").toFile())
                        .start();
                if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                    throw new DatabaseException(command + " did not end within " + LIMIT_SECONDS + " s");
                }
                String said = new String(Files.readAllBytes(output), StandardCharsets.UTF_8);
                return new Outcome(process.exitValue(), said.strip());
            } finally {
                Files.delete(output);
            }
        } catch (IOException e) {
            throw new DatabaseException("cannot run " + command.get(0) + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DatabaseException("interrupted while running " + command, e);
        }
    }

    private static boolean isRoot() {
        try {
            return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
        } catch (IOException | UnsupportedOperationException e) {
            return "root".equals(System.getProperty("user.name"));
        }
    }
}
