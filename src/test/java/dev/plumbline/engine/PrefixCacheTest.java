package dev.plumbline.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.plumbline.engine.EngineStatus.PoolStatus;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.cpu.CpuKernels;
import dev.plumbline.kernel.reference.ReferenceKernels;
import dev.plumbline.model.Checkpoint;
import dev.plumbline.precision.PartialProfile;
import dev.plumbline.precision.PrecisionProfile;
import dev.plumbline.trace.QueryTrace;
import dev.plumbline.trace.Stage;
import dev.plumbline.trace.TokenSpan;
import dev.plumbline.trace.TraceRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Going on behind a known beginning gives the bits of computing it again. */
class PrefixCacheTest {
    private static final int CONTEXT = 1024;
    /** Chunk, and so the distance of what is kept inside a prompt. */
    private static final int CHUNK = 64;

    private static final int[] LENGTHS = {63, 64, 65, 127, 128, 129, 255, 256, 257};
    private static final int ANSWER = 6;

    private NativeEngine engine;
    private Checkpoint checkpoint;

    @AfterEach
    void close() {
        if (engine != null) {
            engine.close();
            checkpoint.close();
        }
    }

    static Stream<Arguments> backendsAndFormats() {
        List<Map<String, String>> formats = List.of(
                Map.of(),
                Map.of("index_key_dtype", "fp32", "kv_dtype", "fp32"),
                Map.of("index_key_dtype", "fp8", "kv_dtype", "fp8", "index_rotation", "hadamard"),
                Map.of("index_key_dtype", "mxfp4"));
        Map<String, Supplier<Kernels>> backends = Map.of(
                "reference", () -> new ReferenceKernels(2),
                "cpu", () -> CpuKernels.create(2));
        return backends.entrySet().stream()
                .filter(backend -> !backend.getKey().equals("cpu")
                        || CpuKernels.unavailableReason().isEmpty())
                .flatMap(backend ->
                        formats.stream().map(format -> Arguments.of(backend.getKey(), format, backend.getValue())));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("backendsAndFormats")
    void hotAndColdLogitsAreTheSameBits(String backend, Map<String, String> format, Supplier<Kernels> kernels)
            throws Exception {
        assumeHas(kernels, format);
        for (int length : LENGTHS) {
            int[] beginning = prompt(length, length);
            int[] whole = append(beginning, prompt(37, 1000 + length));
            Scored cold = ask(load(kernels.get(), format, "off"), whole);
            close();

            NativeEngine cached = load(kernels.get(), format, "on");
            ask(cached, beginning);
            Scored hot = ask(cached, whole);

            assertThat(cold.cached()).isZero();
            assertThat(hot.cached()).as("cached of %d", length).isEqualTo(length);
            assertThat(hot.scores()).as("behind %d tokens", length).isEqualTo(cold.scores());
            close();
        }
        engine = null;
    }

    @Test
    void theNextTurnGoesOnBehindTheAnswer() throws Exception {
        load(new ReferenceKernels(2), Map.of(), "on");
        int[] first = prompt(100, 1);
        Scored answer = ask(engine, first);
        int[] next = append(append(first, answer.tokens()), prompt(20, 2));

        Scored hot = ask(engine, next);

        // The last token of an answer was never fed back.
        assertThat(hot.cached()).isEqualTo(100 + ANSWER - 1);
    }

    @Test
    void aBeginningIsFoundAtTheEndOfAChunkToo() throws Exception {
        load(new ReferenceKernels(2), Map.of(), "on");
        int[] known = prompt(300, 3);
        ask(engine, known);

        assertThat(ask(engine, append(Arrays.copyOf(known, 200), prompt(50, 4))).cached())
                .isEqualTo(192);
        assertThat(ask(engine, prompt(300, 5)).cached()).isZero();
    }

    @Test
    void aPromptThatIsKnownToItsEndIsComputedFromTheChunkBefore() throws Exception {
        load(new ReferenceKernels(2), Map.of(), "on");
        int[] known = prompt(130, 6);
        Scored cold = ask(engine, known);

        Scored hot = ask(engine, known);

        assertThat(hot.cached()).isEqualTo(128);
        assertThat(hot.scores()).isEqualTo(cold.scores());
    }

    @Test
    void manyBeginningsMakeRoomForEachOtherAndForSequences() throws Exception {
        load(new ReferenceKernels(2), Map.of(), "on");
        Scored cold = ask(engine, prompt(200, 7));
        for (int i = 0; i < 2 * PrefixCache.SNAPSHOTS; i++) {
            ask(engine, prompt(700 + i, 100 + i));
        }

        Scored again = ask(engine, prompt(200, 7));

        assertThat(again.cached()).isZero();
        assertThat(again.scores()).isEqualTo(cold.scores());
        for (PoolStatus pool : engine.status().pools()) {
            assertThat(pool.usedBytes() + pool.freeBytes()).as(pool.name()).isEqualTo(pool.allocatedBytes());
        }
        assertThat(engine.status().pools().stream().filter(pool -> pool.name().equals("snapshots")))
                .singleElement()
                .satisfies(pool -> assertThat(pool.freeBytes()).isZero());
        // The state is published after the step that ends a sequence, and its answer may be here before.
        await().untilAsserted(() -> assertThat(engine.status().pools().stream()
                        .filter(pool -> pool.name().endsWith("pages")))
                .allSatisfy(pool -> assertThat(pool.usedBytes()).isZero()));
    }

    @Test
    void sequencesSideBySideShareABeginningWithoutHarm() throws Exception {
        load(new ReferenceKernels(2), Map.of(), "on");
        int[] beginning = prompt(257, 8);
        ask(engine, beginning);
        List<Scored> together = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            together.add(submit(engine, append(beginning, prompt(90 + i, 20 + i))));
        }
        for (Scored scored : together) {
            scored.reason();
        }

        for (int i = 0; i < 3; i++) {
            assertThat(together.get(i).cached()).isEqualTo(257);
        }
        close();
        load(new ReferenceKernels(2), Map.of(), "off");
        for (int i = 0; i < 3; i++) {
            Scored cold = ask(engine, append(beginning, prompt(90 + i, 20 + i)));
            assertThat(together.get(i).scores()).as("sequence %d", i).isEqualTo(cold.scores());
        }
    }

    @Test
    void aTraceBehindAKnownBeginningIsThatOfAWholePrompt() throws Exception {
        int[] beginning = prompt(200, 30);
        int[] whole = append(beginning, prompt(40, 31));
        TraceRequest last = trace(whole.length - 1, whole.length);
        TraceRequest all = trace(0, TraceRequest.UNTIL_END);
        TraceRequest inside = trace(150, 160);
        List<List<QueryTrace>> cold = new ArrayList<>();
        load(new ReferenceKernels(2), Map.of(), "off");
        for (TraceRequest asked : List.of(last, all, inside)) {
            cold.add(ask(engine, whole, asked).queries());
        }
        close();

        load(new ReferenceKernels(2), Map.of(), "on");
        ask(engine, beginning);
        Scored hot = ask(engine, whole, last);
        Scored everything = ask(engine, whole, all);
        Scored fromInside = ask(engine, whole, inside);

        assertThat(hot.cached()).isEqualTo(200);
        assertThat(everything.cached()).isZero();
        assertThat(fromInside.cached()).isEqualTo(128);
        assertThat(List.of(hot.queries(), everything.queries(), fromInside.queries()))
                .isEqualTo(cold);
        assertThat(hot.queries()).isNotEmpty();
    }

    private static TraceRequest trace(int from, int to) {
        List<List<TokenSpan>> watched = List.of(List.of(new TokenSpan(20, 60)));
        return new TraceRequest(from, to, EnumSet.allOf(Stage.class), Set.of(), watched, false);
    }

    private static void assumeHas(Supplier<Kernels> supplier, Map<String, String> format) {
        try (Kernels kernels = supplier.get()) {
            Optional<String> refusal =
                    kernels.refusal(PrecisionProfile.baseline(8).with(PartialProfile.parse(format)));
            refusal.ifPresent(reason -> System.out.println("skipped: " + reason));
            Assumptions.assumeTrue(refusal.isEmpty(), refusal.orElse(""));
        }
    }

    private NativeEngine load(Kernels kernels, Map<String, String> format, String cache) {
        checkpoint = Checkpoint.open(GoldenData.DIRECTORY);
        PrecisionProfile profile = PrecisionProfile.baseline(checkpoint.config().indexTopk())
                .with(PartialProfile.parse(format))
                .with(PartialProfile.parse(Map.of("prefill_chunk", CHUNK, "prefix_cache", cache)));
        engine = NativeEngine.load(checkpoint, profile, kernels, new EngineLimits(CONTEXT, 4, 8));
        return engine;
    }

    private static Scored ask(NativeEngine engine, int[] prompt) throws Exception {
        return ask(engine, prompt, null);
    }

    private static Scored ask(NativeEngine engine, int[] prompt, TraceRequest trace) throws Exception {
        Scored scored = submit(engine, prompt, trace);
        assertThat(scored.reason()).isEqualTo(FinishReason.LENGTH);
        return scored;
    }

    private static Scored submit(NativeEngine engine, int[] prompt) {
        return submit(engine, prompt, null);
    }

    private static Scored submit(NativeEngine engine, int[] prompt, TraceRequest trace) {
        Scored scored = new Scored();
        engine.submit(
                new GenerationRequest(prompt, ANSWER, SamplingParameters.greedy(), Set.of(), 0, 20, trace), scored);
        return scored;
    }

    private int[] prompt(int length, int seed) {
        return new Random(seed).ints(length, 2, 128).toArray();
    }

    private static int[] append(int[] first, int[] second) {
        int[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    private static int[] append(int[] first, List<Integer> second) {
        return append(first, second.stream().mapToInt(Integer::intValue).toArray());
    }

    /** A generation with the log-probabilities of its tokens and of the likeliest others. */
    private static final class Scored extends Collected {
        private final List<TokenLogProbabilities> scores = new ArrayList<>();
        private final List<QueryTrace> queries = new ArrayList<>();
        private int cached = -1;

        @Override
        public void onAdmitted(int cachedTokens) {
            cached = cachedTokens;
        }

        @Override
        public void onToken(int token, TokenLogProbabilities logProbabilities) {
            scores.add(logProbabilities);
            onToken(token);
        }

        @Override
        public void onSelection(List<QueryTrace> found) {
            queries.addAll(found);
        }

        List<QueryTrace> queries() {
            return List.copyOf(queries);
        }

        int cached() {
            return cached;
        }

        List<TokenLogProbabilities> scores() {
            return List.copyOf(scores);
        }
    }
}
