package dev.plumbline.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A few tensors in the place of the base's. */
class OverlayTest {
    private static final String INDEXER = ".attn.indexer.";

    @TempDir
    Path folder;

    private final Map<String, StoredTensor> indexers = new LinkedHashMap<>();
    private String baseHash;

    @BeforeEach
    void readTheBase() {
        Restyled.golden().forEach((name, tensor) -> {
            if (name.contains(INDEXER)) {
                indexers.put(name, tensor);
            }
        });
        try (Checkpoint base = Checkpoint.open(Golden.directory())) {
            baseHash = base.contentHash();
        }
    }

    @Test
    void itsTensorsTakeThePlaceOfTheBasesAndOfNoOthers() throws IOException {
        // given
        String replaced = indexers.keySet().iterator().next();
        describe("layers.*.attn.indexer.*");
        float[] changed = Restyled.floats(indexers.get(replaced));
        changed[0] += 1;
        write(Map.of(replaced, changed));

        // when
        try (Checkpoint base = Checkpoint.open(Golden.directory());
                Checkpoint overlaid = Checkpoint.open(Golden.directory(), folder)) {
            // then
            assertThat(overlaid.config()).isEqualTo(base.config());
            assertThat(overlaid.names()).containsExactlyElementsOf(base.names());
            assertThat(overlaid.parameters()).isEqualTo(base.parameters());
            for (String name : base.names()) {
                float[] expected = name.equals(replaced) ? changed : Restyled.floats(base.tensor(name));
                assertThat(Restyled.floats(overlaid.tensor(name))).as(name).isEqualTo(expected);
            }
        }
    }

    @Test
    void theContentHashCoversBoth() throws IOException {
        describe("layers.*.attn.indexer.*");
        write(Map.of());
        String same = hash();
        String name = indexers.keySet().iterator().next();
        float[] changed = Restyled.floats(indexers.get(name));
        changed[0] += 1;
        write(Map.of(name, changed));

        assertThat(same).as("equal tensors are an equal model").isEqualTo(baseHash);
        assertThat(hash()).isNotEqualTo(baseHash);
    }

    @Test
    void missingExtraAndWronglyShapedTensorsAreRefusedTogether() throws IOException {
        // given
        describe("layers.*.attn.indexer.*");
        List<String> names = List.copyOf(indexers.keySet());
        StoredTensor wrong = indexers.remove(names.get(1));
        indexers.remove(names.get(0));
        Restyled.writer(indexers, Map.of())
                .float32(names.get(1), new long[] {3}, new float[3])
                .float32("norm.weight", new long[] {64}, new float[64])
                .float32("layers.9.surprise", new long[] {1}, new float[1])
                .write(folder.resolve("model.safetensors"));

        // when
        InvalidModelException refusal = refusal();

        // then
        String foreign = "is not among those that the overlay replaces: layers.*.attn.indexer.*";
        assertThat(refusal.problems())
                .anyMatch(problem -> problem.matches("tensor \\Q" + names.get(0) + "\\E \\[.*] is missing"))
                .contains("tensor " + names.get(1) + " has shape [3]; allowed: " + Arrays.toString(wrong.shape()))
                .contains("tensor norm.weight " + foreign)
                .contains("tensor layers.9.surprise " + foreign)
                .hasSize(4);
        assertThat(refusal).hasMessageContaining(String.valueOf(folder.getFileName()));
    }

    @Test
    void anotherBaseIsRefused() throws IOException {
        baseHash = "0".repeat(64);
        describe("layers.*.attn.indexer.*");
        write(Map.of());

        assertThat(refusal()).hasMessageContaining(baseHash).hasMessageContaining("content hash");
    }

    @Test
    void aPatternThatMatchesNothingIsRefused() throws IOException {
        describe("layers.*.attn.indexr.*");
        write(Map.of());

        assertThat(refusal()).hasMessageContaining("layers.*.attn.indexr.*").hasMessageContaining("no tensor");
    }

    @Test
    void anOverlayWithoutTensorsIsRefused() throws IOException {
        describe("layers.*.attn.indexer.*");

        assertThat(refusal()).hasMessageContaining("model.safetensors");
    }

    @Test
    void everyWrongFieldIsNamedAtOnce() {
        String json = "{\"base\": 7, \"base_sha256\": \"abc\", \"replaces\": [], \"colour\": \"red\"}";

        InvalidModelException refusal = catchThrowableOfType(
                InvalidModelException.class, () -> Overlay.parse(json.getBytes(StandardCharsets.UTF_8)));

        assertThat(refusal.problems())
                .anyMatch(p -> p.startsWith("base is 7; allowed: "))
                .anyMatch(p -> p.startsWith("base_sha256 is abc; allowed: 64 hex digits"))
                .anyMatch(p -> p.startsWith("replaces is missing; allowed: patterns"))
                .anyMatch(p -> p.startsWith("description is missing; allowed: "))
                .anyMatch(p -> p.startsWith("colour is unknown; allowed: base, base_sha256, description, replaces"))
                .hasSize(5);
    }

    @ParameterizedTest
    @CsvSource({
        "layers.*.attn.indexer.*, layers.2.attn.indexer.compressor.ape, true",
        "layers.*.attn.indexer.*, layers.2.attn.compressor.ape, false",
        "norm.weight, norm.weight, true",
        "norm.weight, normXweight, false",
        "*\\E.*, norm.weight, false",
    })
    void onlyTheStarStandsForOtherCharacters(String pattern, String name, boolean replaced) {
        Overlay overlay = new Overlay("mini", baseHash, List.of(pattern, "any.other"), "a test");

        assertThat(overlay.replacedOf(List.of(name, "any.other", pattern)).contains(name))
                .isEqualTo(replaced);
    }

    private void describe(String pattern) throws IOException {
        Files.writeString(folder.resolve(Overlay.FILE), """
                {"base": "golden", "base_sha256": "%s", "replaces": ["%s"], "description": "a test"}
                """.formatted(baseHash, pattern));
    }

    private void write(Map<String, float[]> changes) throws IOException {
        Restyled.writer(indexers, changes).write(folder.resolve("model.safetensors"));
    }

    private String hash() {
        try (Checkpoint overlaid = Checkpoint.open(Golden.directory(), folder)) {
            return overlaid.contentHash();
        }
    }

    private InvalidModelException refusal() {
        return catchThrowableOfType(InvalidModelException.class, () -> Checkpoint.open(Golden.directory(), folder)
                .close());
    }
}
