package dev.plumbline.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelLocatorTest {
    @TempDir
    Path folder;

    private Path cache;

    @BeforeEach
    void chooseCache() {
        cache = folder.resolve("cache");
    }

    @Test
    void aModelInAJarIsUnpackedWholeAndOnce() throws IOException {
        ModelLocator locator = inJar("a.jar", "weights");

        ModelLocator.Location first = locator.locate("mini");

        assertThat(first.name()).isEqualTo("mini");
        assertThat(first.folder().resolve("config.json")).hasContent("{}");
        assertThat(first.folder().resolve("model.safetensors")).hasContent("weights");
        Path marker = Files.createFile(first.folder().resolve("marker"));
        assertThat(locator.locate("mini").folder()).isEqualTo(first.folder());
        assertThat(marker).exists();
        assertThat(cached()).hasSize(1);
    }

    @Test
    void otherContentGetsAnotherFolder() throws IOException {
        Path first = inJar("a.jar", "weights").locate("mini").folder();
        Path second = inJar("b.jar", "other weights").locate("mini").folder();

        assertThat(second).isNotEqualTo(first);
        assertThat(second.resolve("model.safetensors")).hasContent("other weights");
    }

    @Test
    void manyProcessesThatUnpackAtOnceAgree() throws IOException {
        inJar("a.jar", "weights".repeat(100_000));
        URL jar = folder.resolve("a.jar").toUri().toURL();
        List<CompletableFuture<Path>> found = IntStream.range(0, 8)
                .mapToObj(i -> CompletableFuture.supplyAsync(
                        () -> new ModelLocator(new URLClassLoader(new URL[] {jar}, null), cache)
                                .locate("mini")
                                .folder()))
                .toList();

        assertThat(found.stream().map(CompletableFuture::join).distinct()).hasSize(1);
        assertThat(cached()).hasSize(1);
    }

    @Test
    void aModelInAFolderOfTheClassPathIsUsedInPlace() throws IOException {
        Path model = Files.createDirectories(folder.resolve("classes/models/mini"));
        Files.writeString(model.resolve("config.json"), "{}");
        URL classes = folder.resolve("classes").toUri().toURL();

        assertThat(new ModelLocator(new URLClassLoader(new URL[] {classes}, null), cache)
                        .locate("mini")
                        .folder())
                .isEqualTo(model);
        assertThat(cache).doesNotExist();
    }

    @Test
    void aFolderIsUsedDirectlyAndGivesTheName() throws IOException {
        Path model = Files.createDirectories(folder.resolve("my-model"));
        Files.writeString(model.resolve("config.json"), "{}");

        ModelLocator.Location found = inJar("a.jar", "weights").locate(model + "/");

        assertThat(found).isEqualTo(new ModelLocator.Location("my-model", model));
    }

    @Test
    void whatIsNeitherIsRefusedWithTheEmbeddedNames() throws IOException {
        ModelLocator locator = inJar("a.jar", "weights");

        for (String name : new String[] {"maxi", folder.toString(), "../mini", "\0", ""}) {
            assertThatThrownBy(() -> locator.locate(name))
                    .isInstanceOf(TargetException.class)
                    .hasMessageContaining("embedded: mini")
                    .hasMessageContaining("config.json");
        }
    }

    @Test
    void aCacheThatCannotBeWrittenIsNamed() throws IOException {
        Files.writeString(folder.resolve("cache"), "a file");

        assertThatThrownBy(() -> inJar("a.jar", "weights").locate("mini"))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining(cache.toString())
                .hasMessageContaining("PLUMBLINE_CACHE");
    }

    @Test
    void theCacheFolderFollowsTheEnvironment() {
        assertThat(ModelLocator.cacheFolder(Map.of("PLUMBLINE_CACHE", "/x"))).isEqualTo(Path.of("/x"));
        assertThat(ModelLocator.cacheFolder(Map.of("XDG_CACHE_HOME", "/y"))).isEqualTo(Path.of("/y/plumbline/models"));
        assertThat(ModelLocator.cacheFolder(Map.of())).endsWith(Path.of(".cache/plumbline/models"));
    }

    private List<Path> cached() throws IOException {
        try (Stream<Path> entries = Files.list(cache)) {
            return entries.toList();
        }
    }

    /** A class path of one jar that holds the model mini, without folder entries for its files. */
    private ModelLocator inJar(String name, String weights) throws IOException {
        Path jar = folder.resolve(name);
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file)) {
            entry(out, "models/", "");
            entry(out, "models/mini/config.json", "{}");
            entry(out, "models/mini/model.safetensors", weights);
            entry(out, "models/README.md", "no model");
            entry(out, "models/notes/README.md", "no model either");
        }
        return new ModelLocator(new URLClassLoader(new URL[] {jar.toUri().toURL()}, null), cache);
    }

    private static void entry(JarOutputStream out, String name, String content) throws IOException {
        out.putNextEntry(new JarEntry(name));
        out.write(content.getBytes(StandardCharsets.UTF_8));
        out.closeEntry();
    }
}
