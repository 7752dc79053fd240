package dev.plumbline.database;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;

/** The folder of an embedded database, held by one process at a time: lock, port, password and PostgreSQL's own files. */
final class DataFolder implements AutoCloseable {
    private static final int PASSWORD_BYTES = 24;
    private static final int LAST_PORT = 65_535;
    private static final int LARGE_LOG = 16 << 20;
    private static final int LOG_TAIL = 4000;

    private final Path root;
    private final FileChannel channel;

    private DataFolder(Path root, FileChannel channel) {
        this.root = root;
        this.channel = channel;
    }

    /**
     * Takes the folder.
     *
     * @throws DatabaseException if another process has it; the message names that process
     */
    static DataFolder open(Path folder) {
        Path root = folder.toAbsolutePath().normalize();
        FileChannel channel = null;
        try {
            if (!Files.isDirectory(root)) {
                Files.createDirectories(root);
                Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwx------"));
            }
            channel = FileChannel.open(root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (!lock(channel)) {
                channel.close();
                throw new DatabaseException("the data folder " + root + " is in use by process " + owner(root)
                        + "; --data chooses another");
            }
            Files.writeString(root.resolve("owner"), ProcessHandle.current().pid() + "\n");
            return new DataFolder(root, channel);
        } catch (IOException e) {
            throw new DatabaseException("cannot use the data folder " + root + ": " + FileTrouble.words(e), e);
        }
    }

    private static boolean lock(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    private static String owner(Path root) {
        try {
            return Files.readString(root.resolve("owner")).strip();
        } catch (IOException e) {
            return "unknown";
        }
    }

    Path root() {
        return root;
    }

    /** PostgreSQL's data directory. */
    Path cluster() {
        return root.resolve("postgres");
    }

    /** PostgreSQL's log. */
    Path log() {
        return root.resolve("postgres.log");
    }

    /** Begins a new log if the old one is large; that is kept until the next time. */
    void startLog() throws IOException {
        if (Files.exists(log()) && Files.size(log()) > LARGE_LOG) {
            Files.move(log(), root.resolve("postgres.log.old"), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** The end of PostgreSQL's log. */
    String logTail() throws IOException {
        if (!Files.exists(log())) {
            return "";
        }
        try (InputStream in = Files.newInputStream(log())) {
            in.skipNBytes(Math.max(0, Files.size(log()) - LOG_TAIL));
            return new String(in.readNBytes(LOG_TAIL), StandardCharsets.UTF_8);
        }
    }

    /** The file that holds the password. */
    Path passwordFile() {
        return root.resolve("password");
    }

    /** The password; made at the first call. */
    String password() throws IOException {
        Path file = passwordFile();
        if (!Files.exists(file)) {
            byte[] bytes = new byte[PASSWORD_BYTES];
            new SecureRandom().nextBytes(bytes);
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(file, HexFormat.of().formatHex(bytes) + "\n");
        }
        return Files.readString(file).strip();
    }

    /** The port that was chosen at the first start, unless something else has it now: then a new one. */
    int port() throws IOException {
        Path file = root.resolve("port");
        int kept = Files.exists(file) ? parse(Files.readString(file).strip()) : 0;
        int port = kept != 0 && isFree(kept) ? kept : freePort();
        if (port != kept) {
            Files.writeString(file, port + "\n");
        }
        return port;
    }

    private static int parse(String text) {
        return text.matches("[0-9]{1,5}") && Integer.parseInt(text) <= LAST_PORT ? Integer.parseInt(text) : 0;
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new DatabaseException("cannot release the data folder " + root, e);
        }
    }
}
