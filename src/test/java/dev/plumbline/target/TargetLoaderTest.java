package dev.plumbline.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.plumbline.model.TinyModel;
import dev.plumbline.precision.PrecisionProfile;
import dev.plumbline.precision.StorageType;
import dev.plumbline.precision.TopkAlgorithm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
        ProfileFlags flags = new ProfileFlags("fp32", "FP32", "bf16", "sort", 5, 64, "off");
        TargetOptions options = new TargetOptions(folder.toString(), "reference", 1, 1000, 3, 4, flags);

        loader.check(options);
        try (NativeTarget target = loader.load(options)) {
            assertThat(target.name()).isEqualTo(folder.getFileName().toString());
            assertThat(target.status().profile())
                    .isEqualTo(new PrecisionProfile(
                            StorageType.FP32, StorageType.FP32, StorageType.BF16, TopkAlgorithm.SORT, 5, 64, false));
            assertThat(target.status().maxContext()).isEqualTo(1000);
            assertThat(target.status().maxSequences()).isEqualTo(3);
            assertThat(target.status().backend()).isEqualTo("reference");
        }
        assertThat(notices).isEmpty();
    }

    @Test
    void withoutFlagsTheModelDecides() {
        try (NativeTarget target = loader.load(options("reference", null, ProfileFlags.baseline()))) {
            assertThat(target.status().profile()).isEqualTo(PrecisionProfile.baseline(8));
            assertThat(target.status().maxContext()).isEqualTo(TinyModel.CONTEXT);
        }
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "fp16, -, -, -, -, -, -, linear_dtype is fp16; allowed: fp32 bf16",
                "-, fp8, -, -, -, -, -, index_key_dtype is fp8; allowed: fp32 bf16",
                "-, -, int8, -, -, -, -, kv_dtype is int8; allowed: fp32 bf16",
                "-, -, -, heap, -, -, -, topk_backend is heap; allowed: radix sort",
                "-, -, -, -, 0, -, -, index_topk is 0; allowed: at least 1",
                "-, -, -, -, -, -3, -, prefill_chunk is -3; allowed: at least 1",
                "-, -, -, -, -, -, yes, graphs is yes; allowed: on off"
            })
    void aWrongFlagIsNamedWithWhatIsAllowed(
            String linear,
            String keys,
            String kv,
            String topk,
            Integer budget,
            Integer chunk,
            String graphs,
            String message) {
        ProfileFlags flags = new ProfileFlags(linear, keys, kv, topk, budget, chunk, graphs);

        assertThatThrownBy(() -> loader.check(options("reference", null, flags)))
                .isInstanceOf(TargetException.class)
                .extracting(e -> e.getMessage().replace(",", ""))
                .isEqualTo(message);
    }

    @ParameterizedTest
    @CsvSource({"gpu", "''", "CPU", "CUDA"})
    void anUnknownBackendIsRefusedWithTheAllowedOnes(String backend) {
        assertThatThrownBy(() -> loader.check(options(backend, null, ProfileFlags.baseline())))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("backend is " + backend)
                .hasMessageContaining(Backends.ALLOWED);
    }

    @ParameterizedTest
    @CsvSource({"1", "8193", "-5"})
    void aContextThatTheModelDoesNotHaveIsRefused(int maxContext) {
        assertThatThrownBy(() -> loader.check(options("reference", maxContext, ProfileFlags.baseline())))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("max_context is " + maxContext)
                .hasMessageContaining("8192");
    }

    @Test
    void theFingerprintTellsProfilesApart() {
        String base = Fingerprint.of(PrecisionProfile.baseline(8), "cpu");

        assertThat(Fingerprint.of(PrecisionProfile.baseline(8), "cpu")).isEqualTo(base);
        assertThat(Fingerprint.of(PrecisionProfile.baseline(9), "cpu")).isNotEqualTo(base);
        assertThat(Fingerprint.of(PrecisionProfile.baseline(8), "reference")).isNotEqualTo(base);
    }

    private TargetOptions options(String backend, Integer maxContext, ProfileFlags flags) {
        return new TargetOptions(folder.toString(), backend, 1, maxContext, 2, 2, flags);
    }
}
