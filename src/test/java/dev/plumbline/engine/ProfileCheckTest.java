package dev.plumbline.engine;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.reference.ReferenceKernels;
import dev.plumbline.model.Checkpoint;
import dev.plumbline.model.ModelConfig;
import dev.plumbline.precision.PartialProfile;
import dev.plumbline.precision.PrecisionProfile;
import dev.plumbline.precision.ProfileException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a model's shapes do not allow is refused before anything is built. */
class ProfileCheckTest {

    @ParameterizedTest
    @CsvSource({"index_rotation, hadamard, none", "numerics, qat, hf"})
    void aRotationNeedsIndexKeysOfAPowerOfTwo(String flag, String value, String allowed) {
        assertThatThrownBy(() -> check(GoldenData.ODD, flag, value))
                .isInstanceOf(ProfileException.class)
                .hasMessageStartingWith(flag + " is " + value)
                .hasMessageContaining("power of two")
                .hasMessageEndingWith("allowed with it: " + allowed);
    }

    @Test
    void aModelWithFittingShapesMayHaveThem() {
        assertThatCode(() -> check(GoldenData.DIRECTORY, "numerics", "qat")).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({"prefill_chunk, 2147483647", "index_topk, 100000000"})
    void aNumberBeyondTheContextIsRefusedBeforeItTakesMemory(String flag, String value) {
        assertThatThrownBy(() -> check(GoldenData.DIRECTORY, flag, value))
                .isInstanceOf(ProfileException.class)
                .hasMessageStartingWith(flag + " is " + value + ", which exceeds the context")
                .hasMessageContaining("allowed: 1 to ");
    }

    private static void check(Path model, String flag, String value) {
        try (Checkpoint checkpoint = Checkpoint.open(model);
                Kernels kernels = new ReferenceKernels(1)) {
            ModelConfig config = checkpoint.config();
            PrecisionProfile profile =
                    PrecisionProfile.baseline(config.indexTopk()).with(PartialProfile.parse(Map.of(flag, value)));
            ProfileCheck.require(profile, config, kernels);
        }
    }
}
