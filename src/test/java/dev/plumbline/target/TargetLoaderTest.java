package dev.plumbline.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.plumbline.engine.LaneKey;
import dev.plumbline.model.TinyModel;
import dev.plumbline.precision.PartialProfile;
import dev.plumbline.precision.PrecisionProfile;
import dev.plumbline.precision.ProfileException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TargetLoaderTest {
    @TempDir
    Path folder;

    private final List<String> notices = new ArrayList<>();
    private TargetLoader loader;

    @BeforeEach
    void writeModel() throws IOException {
        TinyModel.write(folder);
        loader = new TargetLoader(ModelLocator.standard(), notices::add);
    }

    @Test
    void everyFlagReachesTheLane() {
        PartialProfile flags = PartialProfile.parse(Map.of(
                "linear_dtype",
                "fp32",
                "index_key_dtype",
                "FP32",
                "topk_backend",
                "sort",
                "index_topk",
                5,
                "prefill_chunk",
                "64",
                "graphs",
                false,
                "expert_dtype",
                "bf16"));
        TargetOptions options = new TargetOptions(folder.toString(), "reference", 1, 1000, 3, 4, flags);

        loader.check(options);
        try (NativeTarget target = loader.load(options)) {
            assertThat(target.name()).isEqualTo(folder.getFileName().toString());
            assertThat(target.status().profile())
                    .isEqualTo(PrecisionProfile.baseline(8).with(flags))
                    .isNotEqualTo(PrecisionProfile.baseline(8));
            assertThat(target.status().maxContext()).isEqualTo(1000);
            assertThat(target.status().maxSequences()).isEqualTo(3);
            assertThat(target.status().backend()).isEqualTo("reference");
        }
        assertThat(notices).isEmpty();
    }

    @Test
    void withoutFlagsTheModelDecides() {
        try (NativeTarget target = loader.load(options("reference", null, PartialProfile.empty()))) {
            assertThat(target.status().profile()).isEqualTo(PrecisionProfile.baseline(8));
            assertThat(target.status().maxContext()).isEqualTo(TinyModel.CONTEXT);
        }
    }

    @ParameterizedTest
    @CsvSource({"gpu", "''", "CPU", "CUDA"})
    void anUnknownBackendIsRefusedWithTheAllowedOnes(String backend) {
        assertThatThrownBy(() -> loader.check(options(backend, null, PartialProfile.empty())))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("backend is " + backend)
                .hasMessageContaining(Backends.ALLOWED);
    }

    @ParameterizedTest
    @CsvSource({"1", "8193", "-5"})
    void aContextThatTheModelDoesNotHaveIsRefused(int maxContext) {
        assertThatThrownBy(() -> loader.check(options("reference", maxContext, PartialProfile.empty())))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("max_context is " + maxContext)
                .hasMessageContaining("8192");
    }

    @ParameterizedTest
    @CsvSource({"prefill_chunk, 2147483647", "index_topk, 8193"})
    void aFlagBeyondTheContextIsRefusedBeforeAnythingIsLoaded(String flag, String value) {
        PartialProfile flags = PartialProfile.parse(Map.of(flag, value));

        assertThatThrownBy(() -> loader.check(options("reference", null, flags)))
                .isInstanceOf(ProfileException.class)
                .hasMessageContaining(flag + " is " + value)
                .hasMessageContaining("allowed: 1 to 8192");
        assertThatThrownBy(() -> loader.load(options("reference", null, flags))).isInstanceOf(ProfileException.class);
    }

    @Test
    void aDefaultIsNotRefusedForAModelWithAShorterContext(@TempDir Path other) throws IOException {
        TinyModel.write(other, 256);
        TargetOptions options = new TargetOptions(other.toString(), "reference", 1, null, 2, 2, PartialProfile.empty());

        assertThatCode(() -> loader.check(options)).doesNotThrowAnyException();
    }

    @Test
    void theFingerprintTellsProfilesApart() {
        String base = Fingerprint.of(LaneKey.startup(PrecisionProfile.baseline(8)), "cpu");

        assertThat(Fingerprint.of(LaneKey.startup(PrecisionProfile.baseline(8)), "cpu"))
                .isEqualTo(base);
        assertThat(Fingerprint.of(LaneKey.startup(PrecisionProfile.baseline(9)), "cpu"))
                .isNotEqualTo(base);
        assertThat(Fingerprint.of(LaneKey.startup(PrecisionProfile.baseline(8)), "reference"))
                .isNotEqualTo(base);
        assertThat(Fingerprint.of(new LaneKey("fp8-index@2", PrecisionProfile.baseline(8)), "cpu"))
                .as("names the run config")
                .contains("_fp8-index@2_")
                .isNotEqualTo(base);
    }

    private TargetOptions options(String backend, Integer maxContext, PartialProfile flags) {
        return new TargetOptions(folder.toString(), backend, 1, maxContext, 2, 2, flags);
    }
}
