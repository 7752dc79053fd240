package dev.plumbline.target;

import dev.plumbline.target.EmbeddedModels.Embedded;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.stream.Stream;

/**
 * Puts embedded models into folders, since weights are memory-mapped. A model inside a jar is unpacked once: the folder
 * is named by the content's hash and appears whole or not at all.
 */
final class ModelCache {
    private final Path cache;

    ModelCache(Path cache) {
        this.cache = cache;
    }

    /**
     * The folder of a model's files.
     *
     * @throws TargetException if it cannot be unpacked
     */
    Path place(String name, Embedded model) {
        return model.folder() != null ? model.folder() : unpack(name, model);
    }

    private Path unpack(String name, Embedded model) {
        try {
            Path target = cache.resolve(name + "-" + hash(model));
            if (!Files.isDirectory(target)) {
                Files.createDirectories(cache);
                Path partial = Files.createTempDirectory(cache, "." + name);
                try {
                    copy(model, partial);
                    publish(partial, target);
                } finally {
                    delete(partial);
                }
            }
            return target;
        } catch (IOException e) {
            throw new TargetException(
                    "embedded model " + name + " cannot be unpacked into " + cache
                            + " (PLUMBLINE_CACHE names another folder): " + e,
                    e);
        }
    }

    private static void copy(Embedded model, Path folder) throws IOException {
        for (String file : model.files().keySet()) {
            try (InputStream in = model.open(file)) {
                Files.copy(in, folder.resolve(file));
            }
        }
    }

    private static void publish(Path partial, Path target) throws IOException {
        try {
            Files.move(partial, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            if (!Files.isDirectory(target)) {
                throw e;
            }
            // Another process published the same content first.
        }
    }

    private static void delete(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(folder);
        }
    }

    private static String hash(Embedded model) throws IOException {
        MessageDigest digest = sha256();
        for (String file : model.files().keySet()) {
            digest.update((file + "\n").getBytes(StandardCharsets.UTF_8));
            try (InputStream in = new DigestInputStream(model.open(file), digest)) {
                in.transferTo(OutputStream.nullOutputStream());
            }
        }
        return HexFormat.of().formatHex(digest.digest()).substring(0, 16);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
