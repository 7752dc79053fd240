package dev.plumbline.database;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs PostgreSQL's programs. They refuse root, hence root runs them in a user namespace where it is nobody; where there is
 * none, as in most containers, as the user nobody who may reach root's folders.
 */
final class Programs {
    private static final int LIMIT_SECONDS = 90;

    /** How a program ended and what it said. */
    record Outcome(int status, String output) {
        boolean ok() {
            return status == 0;
        }
    }

    private static final int ROOT = 0;
    private static final int NOBODY = 65_534;

    /** Of root, and open to nobody: PostgreSQL asks by access(2), which counts no capabilities, whether it may run. */
    private static final Path OPEN_CACHE = Path.of("/var/cache/plumbline");

    /** A way to run programs that refuse root. */
    private record Disguise(List<String> prefix, int user) {
        static final Disguise NAMESPACE = new Disguise(List.of("unshare", "--user"), ROOT);
        static final Disguise OTHER_USER = new Disguise(
                List.of(
                        "setpriv",
                        "--reuid=" + NOBODY,
                        "--regid=" + NOBODY,
                        "--clear-groups",
                        "--inh-caps=-all,+dac_override",
                        "--ambient-caps=+dac_override"),
                NOBODY);

        boolean works() {
            try {
                List<String> probe = new ArrayList<>(prefix);
                probe.add("true");
                return execute(new ProcessBuilder(probe)).ok();
            } catch (DatabaseException e) {
                // The program is missing.
                return false;
            }
        }
    }

    private final Path bin;
    private final Disguise disguise;

    private Programs(Path bin, Disguise disguise) {
        this.bin = bin;
        this.disguise = disguise;
    }

    /** The programs; unpacked into a folder if they are not there yet. */
    static Programs in(Path cache) {
        if (!isRoot()) {
            return new Programs(PostgresBinaries.unpacked(cache), null);
        }
        Disguise disguise = Stream.of(Disguise.NAMESPACE, Disguise.OTHER_USER)
                .filter(Disguise::works)
                .findFirst()
                .orElseThrow(() -> new DatabaseException("PostgreSQL does not run as root, and this machine has neither"
                        + " unshare --user nor setpriv for it; start as another user, or name a PostgreSQL server in"
                        + " PLUMBLINE_DB_URL"));
        return new Programs(PostgresBinaries.unpacked(disguise.user() == ROOT ? cache : OPEN_CACHE), disguise);
    }

    /** Gives a folder of PostgreSQL's to the user that its programs run as. */
    void own(Path folder) throws IOException {
        if (disguise != null) {
            Trees.own(folder, disguise.user());
        }
    }

    /** Runs one in a folder on a cluster; both may have any name, since no shell sees them. */
    Outcome run(Path folder, Path cluster, String program, String... arguments) {
        List<String> command = new ArrayList<>(disguise == null ? List.of() : disguise.prefix());
        command.add(bin.resolve(program).toString());
        command.addAll(List.of(arguments));
        return execute(new ProcessBuilder(command), folder, cluster);
    }

    private static Outcome execute(ProcessBuilder builder, Path folder, Path cluster) {
        builder.directory(folder.toFile()).environment().put("PGDATA", cluster.toString());
        return execute(builder);
    }

    private static Outcome execute(ProcessBuilder builder) {
        List<String> command = builder.command();
        try {
            Path output = Files.createTempFile("plumbline-", ".out");
            try {
                Process process = builder.redirectErrorStream(true)
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
            return Integer.valueOf(ROOT).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
        } catch (IOException | UnsupportedOperationException e) {
            return "root".equals(System.getProperty("user.name"));
        }
    }
}
