package dev.plumbline.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;

/** A PostgreSQL server of this process's own. It outlives a killed process; the next one then takes it over. */
final class EmbeddedPostgres implements AutoCloseable {
    /** The only role, a superuser of its own server. */
    static final String USER = "plumbline";

    /** Durable; small, since the model needs the memory; reachable from this machine by password alone. */
    private static final String SETTINGS = " -c listen_addresses=127.0.0.1 -c unix_socket_directories=''"
            + " -c fsync=on -c synchronous_commit=on -c full_page_writes=on"
            + " -c max_connections=30 -c shared_buffers=32MB -c work_mem=4MB -c maintenance_work_mem=32MB"
            + " -c max_wal_size=256MB -c jit=off -c max_parallel_workers_per_gather=0"
            + " -c autovacuum_max_workers=1 -c max_logical_replication_workers=0 -c log_checkpoints=off";

    private static final String VERSION = "17";
    private static final int PORT_LINE = 3;

    private final DataFolder folder;
    private final Programs programs;
    private final String password;
    private int port;

    private EmbeddedPostgres(DataFolder folder, Programs programs, String password) {
        this.folder = folder;
        this.programs = programs;
        this.password = password;
    }

    /** Starts the server of a data folder, with a new database if there is none. */
    static EmbeddedPostgres start(Path data, Path cache) {
        DataFolder folder = DataFolder.open(data);
        try {
            Programs programs = Programs.in(cache);
            EmbeddedPostgres postgres = new EmbeddedPostgres(folder, programs, folder.password());
            postgres.create();
            postgres.ensureRunning();
            return postgres;
        } catch (IOException e) {
            folder.close();
            throw new DatabaseException("cannot use the data folder " + data + ": " + FileTrouble.words(e), e);
        } catch (RuntimeException e) {
            folder.close();
            throw e;
        }
    }

    /** Made under another name first: a start that was cut leaves no half of a database. */
    private void create() throws IOException {
        Path cluster = folder.cluster();
        if (Files.isDirectory(cluster)) {
            requireVersion(cluster);
            return;
        }
        Path fresh = cluster.resolveSibling("postgres.new");
        Trees.delete(fresh);
        Files.createDirectory(fresh);
        Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rwx------"));
        programs.own(fresh);
        Programs.Outcome made = programs.run(
                folder.root(),
                fresh,
                "initdb",
                "--username=" + USER,
                "--auth=scram-sha-256",
                "--pwfile=" + folder.passwordFile(),
                "--encoding=UTF8",
                "--locale=C",
                "--lc-ctype=C.UTF-8");
        if (!made.ok()) {
            throw new DatabaseException("cannot create a database in " + cluster + ": " + made.output());
        }
        Files.move(fresh, cluster);
    }

    private static void requireVersion(Path cluster) throws IOException {
        Path file = cluster.resolve("PG_VERSION");
        String version = Files.exists(file) ? Files.readString(file).strip() : "unknown";
        if (!version.equals(VERSION)) {
            throw new DatabaseException(cluster + " was made by PostgreSQL " + version + " and this build has "
                    + VERSION + "; bring it over with pg_dump, or choose another folder with --data");
        }
    }

    /** Starts the server unless it runs, whoever started it. */
    synchronized void ensureRunning() throws IOException {
        Optional<Integer> running = runningPort();
        if (running.isPresent()) {
            port = running.get();
            return;
        }
        programs.own(folder.cluster());
        if (Files.exists(folder.log())) {
            programs.own(folder.log());
        }
        port = folder.port();
        Programs.Outcome started = start(port);
        if (!started.ok()) {
            // Somebody may have taken the port just now; then this is another one.
            int other = folder.port();
            started = other == port ? started : start(other);
            if (!started.ok()) {
                throw new DatabaseException(
                        "PostgreSQL does not start: " + lastWords(started) + "; all of it is in " + folder.log());
            }
            port = other;
        }
    }

    private Programs.Outcome start(int on) throws IOException {
        folder.startLog();
        return programs.run(
                folder.root(),
                folder.cluster(),
                "pg_ctl",
                "--log=" + folder.log().getFileName(),
                "--wait",
                "--timeout=60",
                "--options=-p " + on + SETTINGS,
                "start");
    }

    /** What PostgreSQL complained of at last, without its time stamp. */
    private String lastWords(Programs.Outcome started) throws IOException {
        return folder.logTail()
                .lines()
                .filter(line -> line.matches(".*\\b(FATAL|PANIC|ERROR): .*"))
                .reduce((first, second) -> second)
                .map(line -> line.replaceFirst("^.*?\\b(FATAL|PANIC|ERROR): +", ""))
                .orElseGet(() -> started.output().replaceAll("\\s*\\R\\s*", "; "));
    }

    /** The port of the server that runs on this folder; a file left by a crash of the machine does not count. */
    private Optional<Integer> runningPort() throws IOException {
        Path file = folder.cluster().resolve("postmaster.pid");
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        List<String> lines = Files.readAllLines(file);
        if (lines.size() < PORT_LINE + 1 || !isOurs(lines.get(0).strip())) {
            return Optional.empty();
        }
        return Optional.of(Integer.valueOf(lines.get(PORT_LINE).strip()));
    }

    /** A PostgreSQL server works in its data directory; a dead or another process does not. */
    private boolean isOurs(String pid) throws IOException {
        try {
            Path works = Files.readSymbolicLink(Path.of("/proc", pid, "cwd"));
            return works.equals(folder.cluster().toRealPath());
        } catch (IOException e) {
            return false;
        }
    }

    synchronized int port() {
        return port;
    }

    String password() {
        return password;
    }

    /** Stops the server; open transactions are rolled back. */
    @Override
    public synchronized void close() {
        try {
            programs.run(folder.root(), folder.cluster(), "pg_ctl", "--mode=fast", "--wait", "--timeout=6", "stop");
        } finally {
            folder.close();
        }
    }
}
