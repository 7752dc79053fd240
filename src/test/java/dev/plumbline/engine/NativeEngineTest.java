package dev.plumbline.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.plumbline.engine.EngineStatus.PoolStatus;
import dev.plumbline.kernel.OpaqueKernels;
import dev.plumbline.kernel.reference.ReferenceKernels;
import dev.plumbline.model.Checkpoint;
import dev.plumbline.precision.PrecisionProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NativeEngineTest {
    private static final int CONTEXT = 1024;
    private static final int CHUNK = 32;

    private NativeEngine engine;

    @AfterEach
    void close() {
        if (engine != null) {
            engine.close();
        }
    }

    @Test
    void concurrentGenerationsGetTheTokensOfSoloRuns() throws Exception {
        load(8, 64);
        List<GenerationRequest> requests = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            SamplingParameters sampling = i % 2 == 0
                    ? SamplingParameters.greedy()
                    : new SamplingParameters(1, 0.9f, i, 0.5f, 0.25f, Map.of());
            requests.add(new GenerationRequest(prompt(3 + 17 * i, i), 12, sampling, Set.of(), i % 3));
        }
        List<List<Integer>> solo = new ArrayList<>();
        for (GenerationRequest request : requests) {
            Collected alone = new Collected();
            engine.submit(request, alone);
            alone.reason();
            solo.add(alone.tokens());
        }

        List<Collected> together = new ArrayList<>();
        for (GenerationRequest request : requests) {
            Collected collected = new Collected();
            together.add(collected);
            engine.submit(request, collected);
        }

        for (int i = 0; i < requests.size(); i++) {
            assertThat(together.get(i).reason()).isEqualTo(FinishReason.LENGTH);
            assertThat(together.get(i).tokens()).as("request %d", i).isEqualTo(solo.get(i));
        }
    }

    @Test
    void aLongPromptDelaysARunningStreamByOneChunkAtMost() throws Exception {
        load(4, 4);
        int chunks = 20;
        CountDownLatch streaming = new CountDownLatch(3);
        Collected stream = new Collected(token -> streaming.countDown());
        engine.submit(greedy(prompt(8, 1), 400), stream);
        assertThat(streaming.await(30, TimeUnit.SECONDS)).isTrue();

        int[] atFirstToken = new int[1];
        int before = stream.tokens().size();
        Collected lateFirst = new Collected(token -> {
            if (atFirstToken[0] == 0) {
                atFirstToken[0] = stream.tokens().size();
            }
        });
        engine.submit(greedy(prompt(chunks * CHUNK, 2), 1), lateFirst);
        lateFirst.reason();

        assertThat(atFirstToken[0] - before).isGreaterThanOrEqualTo(chunks - 1);
    }

    @Test
    void aStopTokenEndsTheGenerationUnreported() throws Exception {
        load(2, 2);
        Collected free = new Collected();
        engine.submit(greedy(prompt(40, 3), 10), free);
        free.reason();
        int third = free.tokens().get(2);
        int first = free.tokens().indexOf(third);

        Collected stopped = new Collected();
        engine.submit(new GenerationRequest(prompt(40, 3), 10, SamplingParameters.greedy(), Set.of(third), 0), stopped);

        assertThat(stopped.reason()).isEqualTo(FinishReason.STOP);
        assertThat(stopped.tokens()).isEqualTo(free.tokens().subList(0, first));
    }

    @Test
    void aCancelledGenerationGivesItsPagesBackAndOthersGoOn() throws Exception {
        load(2, 2);
        CountDownLatch started = new CountDownLatch(1);
        Collected cancelled = new Collected(token -> started.countDown());
        Generation generation = engine.submit(greedy(prompt(100, 4), 900), cancelled);
        assertThat(started.await(30, TimeUnit.SECONDS)).isTrue();
        Collected other = new Collected();
        engine.submit(greedy(prompt(10, 5), 20), other);

        generation.cancel();
        generation.cancel();

        assertThat(cancelled.reason()).isEqualTo(FinishReason.CANCELLED);
        assertThat(other.reason()).isEqualTo(FinishReason.LENGTH);
        await().untilAsserted(() -> assertThat(engine.status().pools())
                .filteredOn(pool -> !pool.name().equals("snapshots"))
                .isNotEmpty()
                .allSatisfy(pool -> assertThat(pool.usedBytes()).isZero()));
    }

    @Test
    void usedAndFreeBytesAlwaysAddUpToWhatIsAllocated() throws Exception {
        load(3, 8);
        List<Collected> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Collected collected = new Collected();
            all.add(collected);
            engine.submit(greedy(prompt(50 * (i + 1), i), 5), collected);
            assertThat(engine.status().pools()).allSatisfy(NativeEngineTest::addsUp);
        }
        for (Collected collected : all) {
            collected.reason();
            assertThat(engine.status().pools()).allSatisfy(NativeEngineTest::addsUp);
        }
    }

    @Test
    void generationEndsAtTheEndOfTheContext() throws Exception {
        load(1, 1);
        Collected collected = new Collected();
        engine.submit(greedy(prompt(CONTEXT - 3, 6), 100), collected);
        assertThat(collected.reason()).isEqualTo(FinishReason.LENGTH);
        assertThat(collected.tokens()).hasSize(3);
    }

    @Test
    void aPromptThatFillsTheContextIsRefusedWithTheNumbers() {
        load(1, 1);
        assertThatThrownBy(() -> engine.submit(greedy(prompt(CONTEXT, 7), 1), new Collected()))
                .isInstanceOf(ContextLengthException.class)
                .hasMessageContaining("1024 tokens");
    }

    @Test
    void badRequestsAreRefusedByField() {
        load(1, 1);
        assertThatThrownBy(() -> engine.submit(greedy(new int[0], 1), new Collected()))
                .hasMessageContaining("prompt is empty");
        assertThatThrownBy(() -> engine.submit(greedy(new int[] {1, 128}, 1), new Collected()))
                .hasMessage("prompt[1] is token 128; allowed: 0 to 127");
        assertThatThrownBy(() -> engine.submit(greedy(new int[] {-1}, 1), new Collected()))
                .hasMessageContaining("prompt[0] is token -1");
        assertThatThrownBy(() -> engine.submit(greedy(new int[] {1}, 0), new Collected()))
                .hasMessageContaining("max_tokens is 0");
        assertThatThrownBy(() -> new SamplingParameters(2.5f, 1, 0, 0, 0, Map.of()))
                .hasMessageContaining("temperature is 2.5; allowed: 0 to 2");
    }

    @Test
    void moreThanTheQueueHoldsIsRefusedAndWhatWasAcceptedFinishes() throws Exception {
        load(1, 2);
        List<Collected> accepted = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Collected collected = new Collected();
            accepted.add(collected);
            engine.submit(greedy(prompt(400, i), 30), collected);
        }
        assertThatThrownBy(() -> engine.submit(greedy(prompt(4, 1), 1), new Collected()))
                .isInstanceOf(QueueFullException.class);
        for (Collected collected : accepted) {
            assertThat(collected.reason()).isEqualTo(FinishReason.LENGTH);
        }
    }

    @Test
    void theBackgroundTakesNoPlaceOfTheQueueAndComesBehindWhatCameLater() throws Exception {
        load(2, 2);
        CountDownLatch all = new CountDownLatch(1);
        Collected first = new Collected(token -> hold(all));
        engine.submit(greedy(prompt(10, 1), 1), first);
        List<String> order = new CopyOnWriteArrayList<>();
        Collected behind = new Collected(token -> order.add("behind"));
        engine.submit(greedy(prompt(100, 2), 1).inBackground(), behind);
        List<Collected> chats = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Collected chat = new Collected(token -> order.add("chat"));
            engine.submit(greedy(prompt(100, 3 + i), 1), chat);
            chats.add(chat);
        }
        assertThatThrownBy(() -> engine.submit(greedy(prompt(10, 9), 1), new Collected()))
                .isInstanceOf(QueueFullException.class);
        all.countDown();

        assertThat(behind.reason()).isEqualTo(FinishReason.LENGTH);
        for (Collected chat : chats) {
            assertThat(chat.reason()).isEqualTo(FinishReason.LENGTH);
        }
        assertThat(order).containsExactly("chat", "chat", "chat", "behind");
    }

    @Test
    void aPromptOfTheBackgroundIsComputedBehindTheOthersOfItsStep() throws Exception {
        load(3, 2);
        CountDownLatch all = new CountDownLatch(1);
        engine.submit(greedy(prompt(10, 1), 1), new Collected(token -> hold(all)));
        List<String> order = new CopyOnWriteArrayList<>();
        Collected behind = new Collected(token -> order.add("behind"));
        engine.submit(greedy(prompt(200, 2), 1).inBackground(), behind);
        Collected chat = new Collected(token -> order.add("chat"));
        engine.submit(greedy(prompt(400, 3), 1), chat);
        all.countDown();

        assertThat(behind.reason()).isEqualTo(FinishReason.LENGTH);
        assertThat(chat.reason()).isEqualTo(FinishReason.LENGTH);
        assertThat(order).containsExactly("chat", "behind");
    }

    private static void hold(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aListenerThatThrowsHurtsOnlyItsOwnGeneration() throws Exception {
        load(2, 2);
        Collected broken = new Collected(token -> {
            throw new IllegalStateException("on purpose");
        });
        engine.submit(greedy(prompt(5, 1), 500), broken);
        Collected healthy = new Collected();
        engine.submit(greedy(prompt(5, 1), 20), healthy);

        assertThat(healthy.reason()).isEqualTo(FinishReason.LENGTH);
        assertThat(healthy.tokens()).hasSize(20);
        await().untilAsserted(() -> assertThat(engine.status().running()).isZero());
        assertThat(broken.tokens()).hasSize(1);
    }

    @Test
    void biasForcesAndForbidsTokens() throws Exception {
        load(1, 1);
        SamplingParameters forced = new SamplingParameters(1, 1, 9, 0, 0, Map.of(77, 100f));
        Collected collected = new Collected();
        engine.submit(new GenerationRequest(prompt(20, 1), 5, forced, Set.of(), 0), collected);
        collected.reason();
        assertThat(collected.tokens()).containsOnly(77);
    }

    @Test
    void presencePenaltyKeepsAForcedTokenFromComingTwice() throws Exception {
        load(1, 1);
        SamplingParameters nudged = new SamplingParameters(0, 1, 0, 2, 2, Map.of(77, 6f, 78, 4.5f));
        Collected collected = new Collected();
        engine.submit(new GenerationRequest(prompt(20, 1), 2, nudged, Set.of(), 0), collected);
        collected.reason();
        assertThat(collected.tokens()).containsExactly(77, 78);
    }

    @Test
    void equalSeedsGiveEqualTokensAndOtherSeedsOthers() throws Exception {
        load(4, 4);
        List<List<Integer>> tokens = new ArrayList<>();
        for (long seed : new long[] {5, 5, 6, 5L << 32}) {
            Collected collected = new Collected();
            SamplingParameters hot = new SamplingParameters(2, 1, seed, 0, 0, Map.of());
            engine.submit(new GenerationRequest(prompt(20, 1), 24, hot, Set.of(), 0), collected);
            collected.reason();
            tokens.add(collected.tokens());
        }
        assertThat(tokens.get(1)).isEqualTo(tokens.get(0));
        assertThat(tokens.get(2)).isNotEqualTo(tokens.get(0));
        assertThat(tokens.get(3)).isNotEqualTo(tokens.get(0));
    }

    @Test
    void logProbabilitiesComeWithEachTokenOnlyWhereTheyWereAskedFor() throws Exception {
        load(2, 2);
        List<TokenLogProbabilities> reported = new CopyOnWriteArrayList<>();
        Collected asked = new Collected() {
            @Override
            public void onToken(int token, TokenLogProbabilities logProbabilities) {
                reported.add(logProbabilities);
                onToken(token);
            }
        };
        Collected silent = new Collected();
        engine.submit(
                new GenerationRequest(prompt(20, 1), 6, SamplingParameters.greedy(), Set.of(), 0, 3, null), asked);
        engine.submit(greedy(prompt(20, 1), 6), silent);
        asked.reason();
        silent.reason();

        assertThat(silent.tokens()).isEqualTo(asked.tokens());
        assertThat(reported).hasSize(6);
        for (int i = 0; i < 6; i++) {
            TokenLogProbabilities one = reported.get(i);
            assertThat(one.top()).hasSize(3);
            // Greedy: the sampled token is the most probable one.
            assertThat(one.top().get(0).token()).isEqualTo(asked.tokens().get(i));
            assertThat(one.top().get(0).logProbability())
                    .isEqualTo(one.chosen())
                    .isNegative();
            assertThat(one.top().get(1).logProbability()).isLessThanOrEqualTo(one.chosen());
        }
        assertThatThrownBy(() ->
                        new GenerationRequest(new int[] {1}, 1, SamplingParameters.greedy(), Set.of(), 0, 21, null))
                .hasMessage("top_logprobs is 21; allowed: 0 to 20");
    }

    @Test
    void generationsCancelledWhileTheyWaitAreToldAndGiveTheirPlaceBack() throws Exception {
        load(1, 3);
        Collected running = new Collected();
        Generation first = engine.submit(greedy(prompt(200, 1), 800), running);
        List<Collected> ended = new ArrayList<>();
        // More than the queue holds in all: a lost place would refuse one of the later ones.
        for (int i = 0; i < 20; i++) {
            Collected waiting = new Collected();
            ended.add(waiting);
            engine.submit(greedy(prompt(200, i), 10), waiting).cancel();
            assertThat(waiting.reason()).isEqualTo(FinishReason.CANCELLED);
        }
        assertThat(ended).allSatisfy(one -> assertThat(one.tokens()).isEmpty());
        first.cancel();
        assertThat(running.reason()).isEqualTo(FinishReason.CANCELLED);
    }

    @Test
    void anErrorInTheStepLoopFailsEveryGenerationAndClosesTheEngine() throws Exception {
        try (Checkpoint checkpoint = Checkpoint.open(GoldenData.DIRECTORY)) {
            ReferenceKernels kernels = new ReferenceKernels(1);
            AtomicBoolean loaded = new AtomicBoolean();
            OpaqueKernels unreadable = new OpaqueKernels(kernels, tensor -> {
                if (loaded.get()) {
                    throw new OutOfMemoryError("on purpose");
                }
                return true;
            });
            engine = NativeEngine.load(
                    checkpoint, PrecisionProfile.fp32(8), unreadable, new EngineLimits(CONTEXT, 1, 4));
            loaded.set(true);
        }
        Collected running = new Collected();
        Collected waiting = new Collected();
        engine.submit(greedy(prompt(20, 1), 10), running);
        try {
            engine.submit(greedy(prompt(20, 1), 10), waiting);
            assertThatThrownBy(waiting::reason).hasMessageContaining("the step loop failed");
        } catch (IllegalStateException alreadyClosed) {
            assertThat(alreadyClosed).hasMessageContaining("the step loop failed");
        }
        assertThatThrownBy(running::reason).hasMessageContaining("on purpose");
        await().untilAsserted(() -> assertThat(engine.running()).isFalse());
        assertThatThrownBy(() -> engine.submit(greedy(prompt(4, 1), 1), new Collected()))
                .hasMessageContaining("the step loop failed");
    }

    @Test
    void closingFailsWhatRunsAndRefusesWhatComes() {
        load(1, 4);
        Collected running = new Collected();
        Collected waiting = new Collected();
        engine.submit(greedy(prompt(20, 1), 1000), running);
        engine.submit(greedy(prompt(20, 1), 1000), waiting);

        engine.close();

        assertThatThrownBy(running::reason)
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(waiting::reason)
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(() -> engine.submit(greedy(prompt(4, 1), 1), new Collected()))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aContextBeyondTheModelsIsRefused() {
        try (Checkpoint checkpoint = Checkpoint.open(GoldenData.DIRECTORY)) {
            assertThatThrownBy(() -> NativeEngine.load(
                            checkpoint,
                            PrecisionProfile.fp32(8),
                            new ReferenceKernels(1),
                            new EngineLimits(4097, 1, 1)))
                    .hasMessageContaining("max_context is 4097")
                    .hasMessageContaining("4096");
        }
    }

    private void load(int sequences, int waiting) {
        try (Checkpoint checkpoint = Checkpoint.open(GoldenData.DIRECTORY)) {
            engine = NativeEngine.load(
                    checkpoint,
                    PrecisionProfile.fp32(8).withPrefillChunk(CHUNK),
                    new ReferenceKernels(2),
                    new EngineLimits(CONTEXT, sequences, waiting));
        }
    }

    private static GenerationRequest greedy(int[] prompt, int maxTokens) {
        return new GenerationRequest(prompt, maxTokens, SamplingParameters.greedy(), Set.of(), 0);
    }

    private static int[] prompt(int length, long seed) {
        return new Random(seed).ints(length, 0, 128).toArray();
    }

    private static void addsUp(PoolStatus pool) {
        assertThat(pool.usedBytes() + pool.freeBytes()).isEqualTo(pool.allocatedBytes());
        assertThat(pool.usedBytes()).isNotNegative();
    }
}
