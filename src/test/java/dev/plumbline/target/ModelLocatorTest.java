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
import java.util.Optional;
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
        assertThat(first.base().resolve("config.json")).hasContent("{}");
        assertThat(first.base().resolve("model.safetensors")).hasContent("weights");
        Path marker = Files.createFile(first.base().resolve("marker"));
        assertThat(locator.locate("mini").base()).isEqualTo(first.base());
        assertThat(marker).exists();
        assertThat(cached()).hasSize(1);
    }

    @Test
    void otherContentGetsAnotherFolder() throws IOException {
        Path first = inJar("a.jar", "weights").locate("mini").base();
        Path second = inJar("b.jar", "other weights").locate("mini").base();

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
                                .base()))
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
                        .base())
                .isEqualTo(model);
        assertThat(cache).doesNotExist();
    }

    @Test
    void aFolderIsUsedDirectlyAndGivesTheName() throws IOException {
        Path model = Files.createDirectories(folder.resolve("my-model"));
        Files.writeString(model.resolve("config.json"), "{}");

        ModelLocator.Location found = inJar("a.jar", "weights").locate(model + "/");

        assertThat(found).isEqualTo(new ModelLocator.Location("my-model", model, Optional.empty()));
    }

    @Test
    void anOverlayIsFoundWithItsBaseInAJar() throws IOException {
        ModelLocator.Location found = inJar("a.jar", "weights").locate("mini-twin");

        assertThat(found.name()).isEqualTo("mini-twin");
        assertThat(found.base().resolve("model.safetensors")).hasContent("weights");
        assertThat(found.tokenizer()).isEqualTo(found.base().resolve("tokenizer.json"));
        assertThat(found.overlay()).hasValueSatisfying(twin -> assertThat(twin.resolve("model.safetensors"))
                .hasContent("twin"));
        assertThat(found.description()).isEqualTo("made on purpose");
    }

    @Test
    void anOverlayInAFolderNamesAnEmbeddedModelOrAFolder() throws IOException {
        ModelLocator locator = inJar("a.jar", "weights");
        Path base = Files.createDirectories(folder.resolve("base"));
        Files.writeString(base.resolve("config.json"), "{}");
        Path twin = Files.createDirectories(folder.resolve("twin"));

        Files.writeString(twin.resolve("overlay.json"), overlay("../base"));
        assertThat(locator.locate(twin.toString()))
                .isEqualTo(new ModelLocator.Location("twin", base, Optional.of(twin)));
        Files.writeString(twin.resolve("overlay.json"), overlay("mini"));
        assertThat(locator.locate(twin.toString()).base())
                .isEqualTo(locator.locate("mini").base());
    }

    @Test
    void anOverlayWithoutABaseIsRefused() throws IOException {
        ModelLocator locator = inJar("a.jar", "weights");
        Path twin = Files.createDirectories(folder.resolve("twin"));

        for (String base : new String[] {"maxi", "../nowhere", "mini-twin"}) {
            Files.writeString(twin.resolve("overlay.json"), overlay(base));
            assertThatThrownBy(() -> locator.locate(twin.toString()))
                    .isInstanceOf(TargetException.class)
                    .hasMessageContaining("overlay twin")
                    .hasMessageContaining(base);
        }
        Files.writeString(twin.resolve("overlay.json"), overlay("mini"));
        Files.writeString(twin.resolve("config.json"), "{}");
        assertThatThrownBy(() -> locator.locate(twin.toString()))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("both config.json and overlay.json");
    }

    @Test
    void embeddedModelsAreListedWithTheirDescriptions() throws IOException {
        assertThat(inJar("a.jar", "weights").embedded())
                .containsExactly(
                        new ModelLocator.Listed("mini", Optional.empty(), ""),
                        new ModelLocator.Listed("mini-twin", Optional.of("mini"), "made on purpose"));
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
            entry(out, "models/mini-twin/overlay.json", overlay("mini"));
            entry(out, "models/mini-twin/model.safetensors", "twin");
            entry(out, "models/README.md", "no model");
            entry(out, "models/notes/README.md", "no model either");
        }
        return new ModelLocator(new URLClassLoader(new URL[] {jar.toUri().toURL()}, null), cache);
    }

    private static String overlay(String base) {
        return "{\"base\": \"" + base + "\", \"base_sha256\": \"" + "0".repeat(64)
                + "\", \"replaces\": [\"*\"], \"description\": \"made on purpose\"}";
    }

    private static void entry(JarOutputStream out, String name, String content) throws IOException {
        out.putNextEntry(new JarEntry(name));
        out.write(content.getBytes(StandardCharsets.UTF_8));
        out.closeEntry();
    }
}
