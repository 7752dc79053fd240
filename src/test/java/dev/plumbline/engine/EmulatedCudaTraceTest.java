package dev.plumbline.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.cuda.EmulatedCuda;
import dev.plumbline.kernel.reference.ReferenceKernels;
import dev.plumbline.model.Checkpoint;
import dev.plumbline.precision.PrecisionProfile;
import dev.plumbline.trace.EntryTrace;
import dev.plumbline.trace.QueryTrace;
import dev.plumbline.trace.Stage;
import dev.plumbline.trace.TokenSpan;
import dev.plumbline.trace.TraceRequest;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** On a backend that records decode steps and repeats them, those that are traced run as they are. */
class EmulatedCudaTraceTest {
    private static final int PROMPT = 60;
    private static final double TOLERANCE = 1e-4;

    @Test
    void tracesAreThoseOfTheReferenceAndChangeNoToken() throws Exception {
        TraceRequest asked = new TraceRequest(
                PROMPT - 1,
                TraceRequest.UNTIL_END,
                EnumSet.allOf(Stage.class),
                Set.of(),
                List.of(List.of(new TokenSpan(3, 30))),
                true);
        Traced reference = generate(new ReferenceKernels(2), asked);
        Kernels kernels = EmulatedCuda.kernels();
        assertThat(kernels.recordsRepeats()).isTrue();
        Traced traced = generate(kernels, asked);
        Traced plain = generate(EmulatedCuda.kernels(), null);

        assertThat(traced.tokens()).isEqualTo(plain.tokens()).isEqualTo(reference.tokens());
        assertThat(traced.queries()).hasSameSizeAs(reference.queries()).hasSize(8);
        for (int i = 0; i < traced.queries().size(); i++) {
            QueryTrace one = traced.queries().get(i);
            QueryTrace other = reference.queries().get(i);
            assertThat(one.entries()).isEqualTo(other.entries());
            for (int j = 0; j < one.watches().get(0).entries().size(); j++) {
                EntryTrace entry = one.watches().get(0).entries().get(j);
                EntryTrace expected = other.watches().get(0).entries().get(j);
                assertThat(entry.rank()).isEqualTo(expected.rank());
                assertThat(entry.mass()).isCloseTo(expected.mass(), within(TOLERANCE));
            }
            assertThat(one.watches().get(0).mass()).isPositive();
        }
    }

    private static Traced generate(Kernels kernels, TraceRequest asked) throws Exception {
        try (Checkpoint checkpoint = Checkpoint.open(GoldenData.DIRECTORY);
                NativeEngine engine = NativeEngine.load(
                        checkpoint,
                        PrecisionProfile.fp32(4).withPrefillChunk(64),
                        kernels,
                        new EngineLimits(80, 1, 2))) {
            int[] prompt = new Random(3).ints(PROMPT, 2, 128).toArray();
            return Traced.run(
                    engine, new GenerationRequest(prompt, 4, SamplingParameters.greedy(), Set.of(), 0).traced(asked));
        }
    }
}
