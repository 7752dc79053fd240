package dev.plumbline.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.plumbline.kernel.KernelException;
import dev.plumbline.kernel.cuda.EmulatedCuda;
import dev.plumbline.model.Checkpoint;
import dev.plumbline.precision.PrecisionProfile;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Kernels of a lane are compiled on a thread of their own before the step loop needs them. */
class LaneRehearsalTest {
    private static final LaneKey FIRST =
            LaneKey.startup(PrecisionProfile.fp32(8).withPrefillChunk(16).withGraphs(false));
    private static final LaneKey SECOND = new LaneKey(
            "baseline@1", PrecisionProfile.baseline(8).withPrefillChunk(16).withGraphs(false));

    private final Set<String> compiled = new ConcurrentSkipListSet<>();
    private final Set<String> late = new ConcurrentSkipListSet<>();
    private final Set<String> loaded = new ConcurrentSkipListSet<>();
    private volatile String broken = "";

    private final EmulatedCuda.Watch watch = new EmulatedCuda.Watch() {
        @Override
        public void compiled(String expression) {
            assertThat(Thread.currentThread().getName()).isEqualTo("plumbline-lane-plan");
            if (expression.startsWith(broken) && !broken.isEmpty()) {
                throw new KernelException("the kernel " + expression + " did not compile: on purpose");
            }
            compiled.add(expression);
        }

        @Override
        public void loaded(String expression) {
            loaded.add(expression);
            if (!compiled.contains(expression)) {
                late.add(expression);
            }
        }
    };

    @Test
    void whatALaneRunsWasCompiledBeforeItWasBuilt() throws Exception {
        try (Checkpoint checkpoint = Checkpoint.open(GoldenData.DIRECTORY);
                NativeEngine engine =
                        NativeEngine.load(checkpoint, FIRST.profile(), EmulatedCuda.kernels(watch), limits())) {
            // given a server that has loaded what its first lane needs, with nobody waiting
            Set<String> atStart = new TreeSet<>(loaded);
            late.clear();

            // when
            LaneFacts facts = engine.activate(SECOND).get(120, TimeUnit.SECONDS);
            Collected answer = new Collected();
            engine.submit(SECOND, request(), answer);

            // then
            assertThat(answer.reason()).isEqualTo(FinishReason.LENGTH);
            assertThat(facts.key()).isEqualTo(SECOND);
            assertThat(loaded).as("the lane needs kernels of its own").hasSizeGreaterThan(atStart.size());
            assertThat(late).as("compiled by the step loop").isEmpty();
        }
    }

    @Test
    void aKernelThatDoesNotCompileFailsItsLaneAndNothingElse() throws Exception {
        try (Checkpoint checkpoint = Checkpoint.open(GoldenData.DIRECTORY);
                NativeEngine engine =
                        NativeEngine.load(checkpoint, FIRST.profile(), EmulatedCuda.kernels(watch), limits())) {
            // given
            broken = "windowKeys";

            // when
            Collected onIt = new Collected();
            engine.submit(SECOND, request(), onIt);

            // then
            assertThatThrownBy(onIt::reason)
                    .hasCauseInstanceOf(LaneException.class)
                    .hasMessageContaining("the lane of baseline@1 could not be built: the kernel windowKeys");
            assertThat(engine.active()).isEqualTo(FIRST);
            Collected onFirst = new Collected();
            engine.submit(request(), onFirst);
            assertThat(onFirst.reason()).isEqualTo(FinishReason.LENGTH);
        }
    }

    private static EngineLimits limits() {
        return new EngineLimits(160, 2, 8);
    }

    private static GenerationRequest request() {
        int[] prompt = new Random(1).ints(24, 2, 128).toArray();
        return new GenerationRequest(prompt, 3, SamplingParameters.greedy(), Set.of(), 0);
    }
}
