package dev.plumbline.kernel.cuda;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/**
 * Compiled kernels on disk, a file each, in a folder that only this user may write. A file holds the hash of the rest,
 * the kernel's name in the object, and the object; one that does not match its hash is compiled again.
 */
final class KernelCache {
    private static final System.Logger LOG = System.getLogger(KernelCache.class.getName());
    private static final int HASH_BYTES = 32;

    /** A compiled kernel. */
    record Entry(String name, byte[] object) {
        /** SHA-256 of the object, in hex. */
        String hash() {
            return HexFormat.of().formatHex(sha256().digest(object));
        }
    }

    private final Path folder;

    /** {@code folder}: made if absent; a cache that cannot be used keeps nothing. */
    KernelCache(Path folder) {
        this.folder = folder;
    }

    /** The user's cache folder: {@code XDG_CACHE_HOME}, else {@code ~/.cache}. */
    static Path standardFolder(Map<String, String> environment, String home) {
        String xdg = environment.getOrDefault("XDG_CACHE_HOME", "");
        Path base = xdg.isBlank() ? Path.of(home, ".cache") : Path.of(xdg);
        return base.resolve("plumbline").resolve("cuda");
    }

    /** The key of everything that decides what comes out of the compiler. */
    static String key(String... parts) {
        MessageDigest digest = sha256();
        for (String part : parts) {
            byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
            digest.update(
                    ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
            digest.update(bytes);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    Optional<Entry> find(String key) {
        Path file = folder.resolve(key + ".cubin");
        try {
            if (!Files.isRegularFile(file) || !ours()) {
                return Optional.empty();
            }
            byte[] all = Files.readAllBytes(file);
            if (all.length < HASH_BYTES + Integer.BYTES) {
                return Optional.empty();
            }
            byte[] rest = Arrays.copyOfRange(all, HASH_BYTES, all.length);
            if (!MessageDigest.isEqual(sha256().digest(rest), Arrays.copyOf(all, HASH_BYTES))) {
                return Optional.empty();
            }
            ByteBuffer buffer = ByteBuffer.wrap(rest);
            byte[] name = new byte[buffer.getInt()];
            buffer.get(name);
            byte[] object = new byte[buffer.remaining()];
            buffer.get(object);
            return Optional.of(new Entry(new String(name, StandardCharsets.UTF_8), object));
        } catch (IOException | RuntimeException unreadable) {
            return Optional.empty();
        }
    }

    /** Keeps a kernel: the file is there whole or not at all. A failure costs a compilation the next time. */
    void keep(String key, Entry entry) {
        byte[] name = entry.name().getBytes(StandardCharsets.UTF_8);
        byte[] rest = ByteBuffer.allocate(Integer.BYTES + name.length + entry.object().length)
                .putInt(name.length)
                .put(name)
                .put(entry.object())
                .array();
        try {
            if (!Files.isDirectory(folder)) {
                Files.createDirectories(folder.getParent());
                Files.createDirectory(
                        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            }
            if (!ours()) {
                return;
            }
            Path partial = Files.createTempFile(folder, "partial", ".cubin");
            try {
                Files.write(
                        partial,
                        ByteBuffer.allocate(HASH_BYTES + rest.length)
                                .put(sha256().digest(rest))
                                .put(rest)
                                .array());
                Files.move(partial, folder.resolve(key + ".cubin"), StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(partial);
            }
        } catch (IOException | UnsupportedOperationException e) {
            LOG.log(System.Logger.Level.DEBUG, "a compiled kernel is not kept in " + folder, e);
        }
    }

    /** Whether nobody else may write here: what lies here is loaded into the GPU. */
    private boolean ours() throws IOException {
        return Files.getOwner(folder).getName().equals(System.getProperty("user.name"))
                && PosixFilePermissions.toString(Files.getPosixFilePermissions(folder))
                        .endsWith("------");
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
