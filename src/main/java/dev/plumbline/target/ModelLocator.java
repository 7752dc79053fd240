package dev.plumbline.target;

import dev.plumbline.model.Checkpoint;
import dev.plumbline.model.ConfigReader;
import dev.plumbline.model.Overlay;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/** Finds a model by an embedded model's name or by its folder's path, and for an overlay the base as well. */
public final class ModelLocator {
    private static final String CONFIG = "config.json";

    /**
     * A found model.
     *
     * @param name what clients call it
     * @param base the folder with configuration, tokenizer and tensors
     * @param overlay the folder whose tensors take the place of the base's, if any
     */
    public record Location(String name, Path base, Optional<Path> overlay) {
        /**
         * Opens the checkpoint.
         *
         * @throws dev.plumbline.model.InvalidModelException if the model's files are wrong
         */
        public Checkpoint open() {
            return overlay.map(folder -> Checkpoint.open(base, folder)).orElseGet(() -> Checkpoint.open(base));
        }

        /**
         * What the model says of itself; may be empty.
         *
         * @throws TargetException if its file cannot be read
         */
        public String description() {
            if (overlay.isPresent()) {
                return Overlay.read(overlay.get()).description();
            }
            try {
                return ConfigReader.description(Files.readAllBytes(base.resolve(CONFIG)));
            } catch (IOException e) {
                throw new TargetException(base.resolve(CONFIG) + " cannot be read: " + e, e);
            }
        }

        /** The tokenizer's file. */
        public Path tokenizer() {
            return base.resolve("tokenizer.json");
        }
    }

    /**
     * An embedded model.
     *
     * @param base the model that it is an overlay of, if it is one
     * @param description for people; may be empty
     */
    public record Listed(String name, Optional<String> base, String description) {}

    private final EmbeddedModels embedded;
    private final ModelCache cache;

    ModelLocator(ClassLoader loader, Path cache) {
        this.embedded = new EmbeddedModels(loader);
        this.cache = new ModelCache(cache);
    }

    /** Looks on this program's class path; unpacks into {@code PLUMBLINE_CACHE}, else the user's cache folder. */
    public static ModelLocator standard() {
        return new ModelLocator(ModelLocator.class.getClassLoader(), cacheFolder(System.getenv()));
    }

    /**
     * Finds a model.
     *
     * @param nameOrFolder an embedded model's name, or a folder that holds {@code config.json} or {@code overlay.json}
     * @throws TargetException if there is neither, listing the embedded names, or no base for an overlay
     * @throws dev.plumbline.model.InvalidModelException if an {@code overlay.json} is wrong
     */
    public Location locate(String nameOrFolder) {
        SortedMap<String, EmbeddedModels.Embedded> models = embedded.all();
        EmbeddedModels.Embedded model = models.get(nameOrFolder);
        if (model != null) {
            return located(nameOrFolder, cache.place(nameOrFolder, model), models);
        }
        Path folder = folder(nameOrFolder);
        if (folder == null || !has(folder, CONFIG) && !has(folder, Overlay.FILE)) {
            throw new TargetException("model " + nameOrFolder + " is neither an embedded model (" + describe(models)
                    + ") nor a folder that holds " + CONFIG + " or " + Overlay.FILE);
        }
        return located(String.valueOf(folder.getFileName()), folder, models);
    }

    /**
     * The models that ship with this program, by name.
     *
     * @throws dev.plumbline.model.InvalidModelException if the files that describe one are wrong
     */
    public List<Listed> embedded() {
        List<Listed> listed = new ArrayList<>();
        embedded.all().forEach((name, model) -> listed.add(listed(name, model)));
        return listed;
    }

    private static Listed listed(String name, EmbeddedModels.Embedded model) {
        boolean isOverlay = model.has(Overlay.FILE);
        try (InputStream in = model.open(isOverlay ? Overlay.FILE : CONFIG)) {
            if (isOverlay) {
                Overlay overlay = Overlay.parse(in.readAllBytes());
                return new Listed(name, Optional.of(overlay.base()), overlay.description());
            }
            return new Listed(name, Optional.empty(), ConfigReader.description(in.readAllBytes()));
        } catch (IOException e) {
            throw new TargetException("embedded model " + name + " cannot be read: " + e, e);
        }
    }

    private Location located(String name, Path folder, SortedMap<String, EmbeddedModels.Embedded> models) {
        if (!has(folder, Overlay.FILE)) {
            return new Location(name, folder, Optional.empty());
        }
        if (has(folder, CONFIG)) {
            throw new TargetException("model " + name + " holds both " + CONFIG + " and " + Overlay.FILE
                    + ": a model is either complete or an overlay");
        }
        String base = Overlay.read(folder).base();
        EmbeddedModels.Embedded model = models.get(base);
        Path below = model != null ? cache.place(base, model) : folder(folder, base);
        if (below == null || !has(below, CONFIG)) {
            throw new TargetException("overlay " + name + " names the base " + base
                    + ", which is neither an embedded model nor a folder that holds " + CONFIG);
        }
        return new Location(name, below, Optional.of(folder));
    }

    private static boolean has(Path folder, String file) {
        return Files.isRegularFile(folder.resolve(file));
    }

    private static String describe(Map<String, ?> models) {
        return models.isEmpty() ? "none is embedded" : "embedded: " + String.join(", ", models.keySet());
    }

    private static Path folder(String path) {
        return folder(Path.of(""), path);
    }

    private static Path folder(Path from, String path) {
        try {
            return from.resolve(path).toAbsolutePath().normalize();
        } catch (InvalidPathException e) {
            return null;
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
