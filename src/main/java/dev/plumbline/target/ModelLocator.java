package dev.plumbline.target;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Stream;

/**
 * Finds a model's folder by an embedded model's name or by path. A model inside a jar is unpacked once, since weights
 * are memory-mapped: the folder is named by the content's hash and appears whole or not at all.
 */
public final class ModelLocator {
    /** A found model. */
    public record Location(String name, Path folder) {}

    private final EmbeddedModels embedded;
    private final Path cache;

    ModelLocator(ClassLoader loader, Path cache) {
        this.embedded = new EmbeddedModels(loader);
        this.cache = cache;
    }

    /** Looks on this program's class path; unpacks into {@code PLUMBLINE_CACHE}, else the user's cache folder. */
    public static ModelLocator standard() {
        return new ModelLocator(ModelLocator.class.getClassLoader(), cacheFolder(System.getenv()));
    }

    /**
     * Finds a model.
     *
     * @param nameOrFolder an embedded model's name, or a folder that holds {@code config.json}
     * @throws TargetException if there is neither, listing the embedded names
     */
    public Location locate(String nameOrFolder) {
        SortedMap<String, EmbeddedModels.Embedded> models = embedded.all();
        EmbeddedModels.Embedded model = models.get(nameOrFolder);
        if (model != null) {
            Path folder = model.folder() != null ? model.folder() : unpack(nameOrFolder, model);
            return new Location(nameOrFolder, folder);
        }
        Path folder = folder(nameOrFolder);
        if (folder == null || !Files.isRegularFile(folder.resolve("config.json"))) {
            throw new TargetException("model " + nameOrFolder + " is neither an embedded model (" + describe(models)
                    + ") nor a folder that holds config.json");
        }
        return new Location(String.valueOf(folder.getFileName()), folder);
    }

    private static String describe(Map<String, ?> models) {
        return models.isEmpty() ? "none is embedded" : "embedded: " + String.join(", ", models.keySet());
    }

    private static Path folder(String path) {
        try {
            return Path.of(path).toAbsolutePath().normalize();
        } catch (InvalidPathException e) {
            return null;
        }
    }

    private Path unpack(String name, EmbeddedModels.Embedded model) {
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

    private static void copy(EmbeddedModels.Embedded model, Path folder) throws IOException {
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

    private static String hash(EmbeddedModels.Embedded model) throws IOException {
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

    static Path cacheFolder(Map<String, String> environment) {
        String chosen = environment.getOrDefault("PLUMBLINE_CACHE", "");
        if (!chosen.isBlank()) {
            return Path.of(chosen);
        }
        String xdg = environment.getOrDefault("XDG_CACHE_HOME", "");
        Path base = xdg.isBlank() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(xdg);
        return base.resolve("plumbline").resolve("models");
    }
}
