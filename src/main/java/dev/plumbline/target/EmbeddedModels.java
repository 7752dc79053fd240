package dev.plumbline.target;

import dev.plumbline.model.Overlay;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.stream.Stream;

/**
 * Models that ship on the class path as {@code models/NAME/}, in a jar or in a folder: a folder with
 * {@code config.json}, or an overlay.
 */
final class EmbeddedModels {
    private static final String ROOT = "models/";
    private static final Set<String> KINDS = Set.of("config.json", Overlay.FILE);

    /** A model's files by name: {@code folder} if they lie in one, else null. */
    record Embedded(Path folder, SortedMap<String, URL> files) {
        InputStream open(String file) throws IOException {
            return folder != null
                    ? Files.newInputStream(folder.resolve(file))
                    : files.get(file).openStream();
        }

        boolean has(String file) {
            return folder != null ? Files.isRegularFile(folder.resolve(file)) : files.containsKey(file);
        }

        private boolean isModel() {
            return KINDS.stream().anyMatch(this::has);
        }
    }

    private final ClassLoader loader;

    EmbeddedModels(ClassLoader loader) {
        this.loader = loader;
    }

    /** All embedded models by name. */
    SortedMap<String, Embedded> all() {
        SortedMap<String, Embedded> models = new TreeMap<>();
        try {
            for (URL root : Collections.list(roots())) {
                if (root.getProtocol().equals("file")) {
                    addFolders(Path.of(root.toURI()), models);
                } else if (root.openConnection() instanceof JarURLConnection jar) {
                    addEntries(jar, root, models);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("embedded models cannot be listed", e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException("a class path URL is not a URI", e);
        }
        return models;
    }

    private Enumeration<URL> roots() throws IOException {
        return loader.getResources(ROOT);
    }

    private static void addFolders(Path root, SortedMap<String, Embedded> models) throws IOException {
        try (Stream<Path> folders = Files.list(root)) {
            for (Embedded model :
                    folders.map(f -> new Embedded(f, new TreeMap<>())).toList()) {
                if (model.isModel()) {
                    models.putIfAbsent(String.valueOf(model.folder().getFileName()), model);
                }
            }
        }
    }

    private static void addEntries(JarURLConnection connection, URL root, SortedMap<String, Embedded> models)
            throws IOException, URISyntaxException {
        SortedMap<String, Embedded> found = new TreeMap<>();
        for (JarEntry entry : Collections.list(connection.getJarFile().entries())) {
            String[] parts = entry.getName().split("/");
            if (entry.getName().startsWith(ROOT) && parts.length == 3 && !entry.isDirectory()) {
                URL url = new URI(root + parts[1] + "/" + parts[2]).toURL();
                found.computeIfAbsent(parts[1], name -> new Embedded(null, new TreeMap<>()))
                        .files()
                        .put(parts[2], url);
            }
        }
        found.values().removeIf(model -> !model.isModel());
        found.forEach(models::putIfAbsent);
    }
}
