package dev.plumbline.kernel.cpu;

import dev.plumbline.kernel.KernelException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Loads the native library out of the class path: it is copied to a private folder named after its hash and loaded from
 * there, once per process.
 */
final class NativeLibrary {
    private static final String FILE = "libplumbline_cpu.so";
    private static final String HOW_TO_GET_IT =
            "build Plumbline on Linux with g++, CMake and a JDK (JAVA_HOME), or run with the backend 'reference'";

    private NativeLibrary() {}

    /** The outcome of the one attempt; a class initialiser makes it happen once. */
    private static final class Attempt {
        static final Optional<String> FAILURE = attempt(resource(), candidates());
    }

    /** Why the library cannot be used, or nothing if it can. */
    static Optional<String> unavailableReason() {
        return Attempt.FAILURE;
    }

    /** Throws the reason if the library cannot be used. */
    static void require() {
        unavailableReason().ifPresent(reason -> {
            throw new KernelException(reason);
        });
    }

    static String resource() {
        String arch = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
        return "/native/linux-" + (arch.equals("amd64") ? "x86_64" : arch) + "/" + FILE;
    }

    private static List<Path> candidates() {
        return List.of(
                Path.of(System.getProperty("java.io.tmpdir")),
                Path.of(System.getProperty("user.home"), ".cache"),
                Path.of("").toAbsolutePath());
    }

    /** Tries to load the resource from a private folder under one of the parents; the reason if that fails. */
    static Optional<String> attempt(String resource, List<Path> parents) {
        byte[] library;
        try (InputStream in = NativeLibrary.class.getResourceAsStream(resource)) {
            if (in == null) {
                return Optional.of("the backend 'cpu' is not part of this build: " + HOW_TO_GET_IT);
            }
            library = in.readAllBytes();
        } catch (IOException e) {
            return Optional.of("the backend 'cpu' cannot be read: " + e.getMessage());
        }
        List<String> failures = new ArrayList<>();
        for (Path parent : parents) {
            try {
                System.load(extract(library, parent).toString());
                return wrongVersion();
            } catch (IOException | UnsatisfiedLinkError e) {
                failures.add(parent + ": " + e.getMessage());
            }
        }
        return Optional.of("the library of the backend 'cpu' could not be loaded (" + String.join("; ", failures)
                + "); if the folder is mounted noexec, start Java with -Djava.io.tmpdir=<a folder that allows it>");
    }

    private static Optional<String> wrongVersion() {
        int version = Native.abiVersion();
        return version == Native.ABI_VERSION
                ? Optional.empty()
                : Optional.of("the library of the backend 'cpu' has interface version " + version + ", expected "
                        + Native.ABI_VERSION + ": build Plumbline again");
    }

    /** The file under a folder that only this user may write, complete or absent at any time. */
    static Path extract(byte[] library, Path parent) throws IOException {
        Path folder = parent.resolve("plumbline-" + System.getProperty("user.name") + "-" + hash(library));
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(parent);
            createPrivate(folder);
        }
        if (!Files.getOwner(folder).getName().equals(System.getProperty("user.name"))
                || !PosixFilePermissions.toString(Files.getPosixFilePermissions(folder))
                        .endsWith("------")) {
            throw new IOException(folder + " can be written by other users");
        }
        Path target = folder.resolve(FILE);
        if (Files.exists(target) && Arrays.equals(Files.readAllBytes(target), library)) {
            return target;
        }
        Path partial = Files.createTempFile(folder, "partial", ".so");
        try {
            Files.write(partial, library);
            Files.move(partial, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(partial, target, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(partial);
        }
        return target;
    }

    private static void createPrivate(Path folder) throws IOException {
        try {
            Files.createDirectory(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (java.nio.file.FileAlreadyExistsException raced) {
            // Another process of this user was faster; the caller checks whose it is.
        }
    }

    /** The library's name and the SHA-256 of its bytes. */
    static Map<String, String> code() {
        return Code.OF_LIBRARY;
    }

    /** Hashing megabytes takes as long as many steps, and every new lane asks. */
    private static final class Code {
        static final Map<String, String> OF_LIBRARY = hashed();

        private static Map<String, String> hashed() {
            try (InputStream in = NativeLibrary.class.getResourceAsStream(resource())) {
                return in == null ? Map.of() : Map.of(FILE, HexFormat.of().formatHex(sha256(in.readAllBytes())));
            } catch (IOException e) {
                throw new KernelException("the library of the backend 'cpu' cannot be read: " + e.getMessage());
            }
        }
    }

    private static String hash(byte[] library) {
        return HexFormat.of().formatHex(sha256(library), 0, 12);
    }

    private static byte[] sha256(byte[] library) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(library);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
