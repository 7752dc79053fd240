package dev.plumbline.database;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/** PostgreSQL's programs, unpacked once per user from the archive on the class path. */
final class PostgresBinaries {
    private static final String ARCHIVE = "/postgres-linux-x86_64.txz";
    private static final String FOLDER = "postgres-17.11.0";
    private static final int OWNER_EXECUTES = 0b001_000_000;

    private PostgresBinaries() {}

    /** The folder of the programs below {@code cache}; unpacks them if they are not there. */
    static Path unpacked(Path cache) {
        Path home = cache.resolve(FOLDER);
        if (!Files.isDirectory(home)) {
            unpack(cache, home);
        }
        return home.resolve("bin");
    }

    private static void unpack(Path cache, Path home) {
        requirePlatform();
        try (InputStream archive = PostgresBinaries.class.getResourceAsStream(ARCHIVE)) {
            if (archive == null) {
                throw new DatabaseException("this build lacks PostgreSQL; name a server in PLUMBLINE_DB_URL");
            }
            if (!Files.isDirectory(cache)) {
                Files.createDirectories(cache);
                Trees.open(cache);
            }
            Path fresh = Files.createTempDirectory(cache, "unpacking-");
            try {
                extract(archive, fresh);
                Trees.open(fresh);
                publish(fresh, home);
            } finally {
                Trees.delete(fresh);
            }
        } catch (IOException e) {
            throw new DatabaseException("cannot unpack PostgreSQL into " + cache + ": " + FileTrouble.words(e), e);
        }
    }

    private static void requirePlatform() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String machine = System.getProperty("os.arch");
        if (!system.equals("linux") || !machine.equals("amd64")) {
            throw new DatabaseException("the embedded PostgreSQL is for Linux on x86-64, this is " + system + " on "
                    + machine + "; name a server in PLUMBLINE_DB_URL");
        }
    }

    /** Whoever comes second finds it there. */
    private static void publish(Path fresh, Path home) throws IOException {
        try {
            Files.move(fresh, home, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            if (!Files.isDirectory(home)) {
                throw e;
            }
        }
    }

    private static void extract(InputStream archive, Path folder) throws IOException {
        try (TarArchiveInputStream tar =
                new TarArchiveInputStream(new XZCompressorInputStream(new BufferedInputStream(archive)))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                Path path = folder.resolve(entry.getName()).normalize();
                if (!path.startsWith(folder)) {
                    throw new IOException("the archive leaves its folder: " + entry.getName());
                }
                write(tar, entry, path);
            }
        }
    }

    private static void write(InputStream tar, TarArchiveEntry entry, Path path) throws IOException {
        if (entry.isDirectory()) {
            Files.createDirectories(path);
            return;
        }
        Files.createDirectories(path.getParent());
        if (entry.isSymbolicLink()) {
            try {
                Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
            } catch (FileAlreadyExistsException e) {
                throw new IOException("the archive has " + entry.getName() + " twice", e);
            }
            return;
        }
        Files.copy(tar, path, StandardCopyOption.REPLACE_EXISTING);
        boolean program = (entry.getMode() & OWNER_EXECUTES) != 0;
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(program ? "rwxr-xr-x" : "rw-r--r--"));
    }
}
