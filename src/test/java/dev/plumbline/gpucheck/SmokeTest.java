package dev.plumbline.gpucheck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.engine.PromptRun;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.reference.ReferenceKernels;
import dev.plumbline.model.Checkpoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the sanitizers run, tried without them. */
class SmokeTest {
    @ParameterizedTest
    @MethodSource("dev.plumbline.gpucheck.Smoke#settings")
    void everyModelAllowsTheProfilesItIsRunUnder(Smoke.Setting setting) {
        try (Kernels kernels = new ReferenceKernels(2);
                Checkpoint checkpoint = Checkpoint.open(Smoke.GOLDEN.resolve(setting.model()));
                PromptRun run = new PromptRun(checkpoint, setting.profile(), kernels, 150)) {
            assertThat(run.chunks(150)).containsExactly(150);
        }
    }

    @Test
    void aProgramThatFailsUnderAToolWasNotRefused() {
        String log = "========= COMPUTE-SANITIZER\n========= Target application returned an error\n"
                + "========= ERROR SUMMARY: 0 errors\n";
        String output = "Exception in thread \"main\" java.lang.IllegalStateException: why\n\tat Smoke.main\n";

        assertThat(Sanitizers.toolRan(log)).isTrue();
        assertThat(Sanitizers.toolRan("compute-sanitizer: not permitted here")).isFalse();
        assertThat(Sanitizers.failure(output)).endsWith("IllegalStateException: why");
        assertThat(Sanitizers.failure("one\ntwo\n\n")).isEqualTo("two");
    }
}
