package dev.plumbline.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.plumbline.engine.EngineStatus.PoolStatus;
import dev.plumbline.engine.LaneStatus.State;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.cpu.CpuKernels;
import dev.plumbline.kernel.reference.ReferenceKernels;
import dev.plumbline.model.Checkpoint;
import dev.plumbline.precision.PrecisionProfile;
import dev.plumbline.precision.TopkAlgorithm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several profiles on one loaded model, and switching between them under load. */
class LanesTest {
    private static final int CONTEXT = 512;
    private static final PrecisionProfile BASE = PrecisionProfile.fp32(8).withPrefillChunk(32);
    private static final LaneKey START = LaneKey.startup(BASE);
    private static final LaneKey NARROW = new LaneKey("narrow@1", BASE.withIndexTopk(2));
    private static final LaneKey SORTED = new LaneKey("sorted@1", BASE.withTopk(TopkAlgorithm.SORT));
    private static final LaneKey BASELINE =
            new LaneKey("baseline@1", PrecisionProfile.baseline(8).withPrefillChunk(32));

    private Checkpoint checkpoint;
    private NativeEngine engine;

    @AfterEach
    void close() {
        if (engine != null) {
            engine.close();
        }
        checkpoint.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"reference", "cpu"})
    void aHundredSwitchesUnderThirtyTwoStreamsLeaveEveryAnswerAsItIsAlone(String backend) throws Exception {
        assumeTrue(backend.equals("reference") || CpuKernels.unavailableReason().isEmpty());
        load(backend.equals("cpu") ? CpuKernels.create(2) : new ReferenceKernels(2), 32, LaneLimits.defaults());
        List<LaneKey> lanes = List.of(START, NARROW, BASELINE);
        List<GenerationRequest> requests = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            requests.add(greedy(prompt(40 + 13 * i, i), 12));
        }
        List<List<List<Integer>>> solo = new ArrayList<>();
        for (LaneKey lane : lanes) {
            List<List<Integer>> answers = new ArrayList<>();
            for (GenerationRequest request : requests) {
                answers.add(answer(lane, request));
            }
            solo.add(answers);
        }
        assertThat(solo.get(1)).as("the profiles differ in what they answer").isNotEqualTo(solo.get(0));
        await().until(() -> engine.status().running() == 0);
        EngineStatus before = engine.status();

        Streams streams = new Streams(engine, requests, 32);
        for (int i = 1; i <= 100; i++) {
            LaneKey next = lanes.get(i % lanes.size());
            engine.activate(next).get(30, TimeUnit.SECONDS);
            assertThat(engine.active()).isEqualTo(next);
            addsUp(engine.status());
            streams.awaitAnswer();
        }
        List<Streams.Answer> answers = streams.end();

        assertThat(answers).hasSizeGreaterThanOrEqualTo(100);
        assertThat(answers.stream().map(Streams.Answer::lane).distinct()).containsExactlyInAnyOrderElementsOf(lanes);
        assertThat(answers).allSatisfy(answer -> assertThat(answer.tokens())
                .as("%s, request %d", answer.lane(), answer.request())
                .isEqualTo(solo.get(lanes.indexOf(answer.lane())).get(answer.request())));
        engine.activate(START).get(30, TimeUnit.SECONDS);
        await().until(() -> engine.status().running() == 0);
        EngineStatus after = engine.status();
        assertThat(after.waiting()).isZero();
        assertThat(after.pools()).isEqualTo(before.pools());
        assertThat(after.memory()).as("no weight is read again").isEqualTo(before.memory());
    }

    @Test
    void runningGenerationsKeepTheirLaneAndNewOnesGetTheActiveOne() throws Exception {
        load(4, LaneLimits.defaults());
        CountDownLatch started = new CountDownLatch(1);
        Collected old = new Collected(token -> started.countDown());
        Generation running = engine.submit(greedy(prompt(100, 1), 300), old);
        assertThat(started.await(30, TimeUnit.SECONDS)).isTrue();

        LaneFacts facts = engine.activate(NARROW).get(30, TimeUnit.SECONDS);

        assertThat(running.lane()).isEqualTo(START);
        assertThat(engine.status().lanes())
                .extracting(LaneStatus::key, LaneStatus::state, LaneStatus::running)
                .containsExactly(tuple(NARROW, State.ACTIVE, 0), tuple(START, State.SERVING, 1));
        assertThat(facts.tensorReads()).as("every form was there").isZero();
        assertThat(facts.bytes().weights()).isZero();
        assertThat(facts.bytes().pools()).isPositive();
        assertThat(facts.variants()).anyMatch(id -> id.startsWith("attention"));
        assertThat(facts.flags()).containsEntry("index_topk", "2").containsEntry("linear_dtype", "fp32");
        assertThat(engine.submit(greedy(prompt(10, 1), 1), new Collected()).lane())
                .isEqualTo(NARROW);
        running.cancel();
        assertThat(old.reason()).isEqualTo(FinishReason.CANCELLED);
    }

    @Test
    void aFormThatNobodyHasIsReadOnceAndChargedToWhoAsked() throws Exception {
        load(2, LaneLimits.defaults());
        long atStart = engine.status().memory().tensorReads();

        LaneFacts first = engine.activate(BASELINE).get(30, TimeUnit.SECONDS);
        LaneKey again = new LaneKey("baseline@2", BASELINE.profile().withIndexTopk(4));
        LaneFacts second = engine.activate(again).get(30, TimeUnit.SECONDS);

        assertThat(atStart).isPositive();
        assertThat(first.tensorReads()).isPositive().isLessThan(atStart);
        assertThat(first.bytes().weights()).isPositive();
        assertThat(first.flags()).containsEntry("linear_dtype", "bf16").containsEntry("kv_dtype", "bf16");
        assertThat(second.tensorReads()).isZero();
        assertThat(second.bytes().weights()).isZero();
        assertThat(engine.status().memory().tensorReads()).isEqualTo(atStart + first.tensorReads());
        addsUp(engine.status());
    }

    @Test
    void aLaneThatDoesNotFitIsRefusedWithTheArithmeticAndDisturbsNobody() throws Exception {
        load(4, LaneLimits.defaults());
        long one = engine.status().memory().heldBytes();
        close();
        load(4, new LaneLimits(one + 1000, Duration.ofMinutes(10)));
        Collected running = new Collected();
        engine.submit(greedy(prompt(100, 1), 60), running);
        EngineStatus before = engine.status();

        CompletableFuture<LaneFacts> refused = engine.activate(BASELINE);
        Collected onIt = new Collected();
        engine.submit(new LaneKey("huge@1", BASELINE.profile()), greedy(prompt(10, 1), 5), onIt);

        assertThatThrownBy(() -> refused.get(30, TimeUnit.SECONDS))
                .hasCauseInstanceOf(LaneMemoryException.class)
                .hasMessageContaining("the lane of baseline@1 needs ")
                .hasMessageContaining("(weights in forms not loaded yet ")
                .hasMessageContaining("pools for 4 sequences of 512 tokens ")
                .hasMessageContaining("are held by startup (");
        assertThatThrownBy(onIt::reason)
                .hasCauseInstanceOf(LaneMemoryException.class)
                .hasMessageContaining("pools for 1 sequences");
        assertThat(running.reason()).isEqualTo(FinishReason.LENGTH);
        assertThat(engine.active()).isEqualTo(START);
        assertThat(engine.status().memory()).isEqualTo(before.memory());
        assertThat(answer(START, greedy(prompt(20, 2), 4))).hasSize(4);
    }

    @Test
    void littleMemoryMakesALaneOnDemandSmallerAndActivationMakesItFull() throws Exception {
        load(8, LaneLimits.defaults());
        LaneBytes bytes = engine.status().lanes().get(0).bytes();
        close();
        load(8, new LaneLimits(bytes.total() + bytes.working() + bytes.pools() / 2, Duration.ofMinutes(10)));

        assertThat(answer(NARROW, greedy(prompt(30, 1), 4))).hasSize(4);
        LaneStatus small = lane(NARROW);

        assertThat(small.maxSequences()).isBetween(1, 7);
        assertThatThrownBy(() -> engine.activate(NARROW).get(30, TimeUnit.SECONDS))
                .hasCauseInstanceOf(LaneMemoryException.class)
                .hasMessageContaining("pools for 8 sequences");
        assertThat(engine.active()).isEqualTo(START);
    }

    @Test
    void theLongestUnusedLaneGoesWhenItsMemoryIsWanted() throws Exception {
        load(2, LaneLimits.defaults());
        LaneBytes bytes = engine.status().lanes().get(0).bytes();
        close();
        // The weights, and pools and working memory of three lanes that need no other form.
        long memory = bytes.weights() + 3 * (bytes.pools() + bytes.working()) + 50_000;
        load(2, new LaneLimits(memory, Duration.ofMinutes(10)));
        LaneKey third = new LaneKey("third@1", BASE.withIndexTopk(4));
        answer(NARROW, greedy(prompt(30, 1), 2));
        answer(SORTED, greedy(prompt(30, 1), 2));
        answer(NARROW, greedy(prompt(30, 1), 2));

        answer(third, greedy(prompt(30, 1), 2));

        assertThat(engine.status().lanes()).extracting(LaneStatus::key).containsExactly(START, NARROW, third);
        assertThat(engine.status().lanes()).extracting(LaneStatus::maxSequences).containsOnly(2);
        addsUp(engine.status());
    }

    @Test
    void anIdleLaneIsClosedAfterAWhileAndAHeldOneIsNot() throws Exception {
        load(2, new LaneLimits(LaneLimits.BY_MACHINE, Duration.ofMillis(50)));
        EngineStatus before = engine.status();
        try (LaneHold hold = engine.hold(NARROW)) {
            hold.opened().get(30, TimeUnit.SECONDS);
            answer(SORTED, greedy(prompt(30, 1), 2));

            await().until(() -> engine.status().lanes().size() == 2);
            assertThat(lane(NARROW).state()).isEqualTo(State.SERVING);
        }
        await().until(() -> engine.status().lanes().size() == 1);
        assertThat(engine.status().memory().heldBytes())
                .isEqualTo(before.memory().heldBytes());
        assertThat(engine.status().active()).isEqualTo(START);
    }

    @Test
    void concurrentWishesForOneLaneBuildItOnce() throws Exception {
        load(4, LaneLimits.defaults());
        long before = engine.status().memory().tensorReads();
        List<CompletableFuture<LaneFacts>> opened = new ArrayList<>();
        List<LaneHold> holds = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            LaneHold hold = engine.hold(BASELINE);
            holds.add(hold);
            opened.add(hold.opened());
        }
        opened.add(engine.activate(BASELINE));

        LaneFacts facts = opened.get(0).get(30, TimeUnit.SECONDS);

        for (CompletableFuture<LaneFacts> one : opened) {
            assertThat(one.get(30, TimeUnit.SECONDS)).isSameAs(facts);
        }
        assertThat(engine.status().memory().tensorReads()).isEqualTo(before + facts.tensorReads());
        assertThat(engine.status().lanes()).hasSize(2);
        holds.forEach(LaneHold::close);
    }

    @Test
    void aLaneWhoseSmokeTestFailsLeavesEverythingAsItWas() throws Exception {
        checkpoint = Checkpoint.open(GoldenData.DIRECTORY);
        Kernels lying = LyingTopK.on(new ReferenceKernels(2), TopkAlgorithm.SORT);
        engine = NativeEngine.load(checkpoint, START, lying, new EngineLimits(CONTEXT, 4, 64), LaneLimits.defaults());
        EngineStatus before = engine.status();

        CompletableFuture<LaneFacts> failed = engine.activate(SORTED);

        assertThatThrownBy(() -> failed.get(30, TimeUnit.SECONDS))
                .hasCauseInstanceOf(LaneSmokeException.class)
                .hasMessageContaining("the lane of sorted@1 failed its smoke test: layer ");
        assertThat(engine.active()).isEqualTo(START);
        await().untilAsserted(() -> assertThat(engine.status().memory().heldBytes())
                .isEqualTo(before.memory().heldBytes()));
        assertThat(engine.status().lanes()).hasSize(1);
        assertThat(answer(START, greedy(prompt(20, 2), 4))).hasSize(4);
    }

    @Test
    void aClosedEngineFailsWhatIsBeingOpened() {
        load(4, LaneLimits.defaults());
        CompletableFuture<LaneFacts> opening = engine.activate(BASELINE);
        engine.close();
        assertThatThrownBy(() -> engine.activate(NARROW)).hasMessageContaining("closed");
        assertThat(opening).satisfies(future -> await().until(future::isDone));
    }

    @Test
    void howFarALaneIsCanBeWatched() throws Exception {
        // given
        load(4, LaneLimits.defaults());
        List<Integer> seen = new ArrayList<>();

        // when a stream runs beside it, whose tokens tell what was published before them
        Collected stream = new Collected(token -> engine.status().opening().forEach(lane -> {
            assertThat(lane.key()).isEqualTo(BASELINE);
            seen.add(lane.percent());
        }));
        Generation running = engine.submit(greedy(prompt(20, 1), 480), stream);
        engine.activate(BASELINE).get(30, TimeUnit.SECONDS);
        running.cancel();
        stream.reason();

        // then
        assertThat(seen).isNotEmpty().isSorted().allSatisfy(percent -> assertThat(percent)
                .isBetween(0, 99));
        assertThat(seen.get(seen.size() - 1)).as("shortly before its end").isGreaterThan(seen.get(0));
        await().untilAsserted(() -> assertThat(engine.status().opening()).isEmpty());
    }

    @Test
    void theFirstLaneIsTestedLikeEveryOther() {
        // given
        checkpoint = Checkpoint.open(GoldenData.DIRECTORY);
        EngineLimits limits = new EngineLimits(CONTEXT, 4, 64);
        Kernels lying = LyingTopK.on(new ReferenceKernels(2), TopkAlgorithm.RADIX);

        // then
        assertThatThrownBy(() -> NativeEngine.load(checkpoint, START, lying, limits, LaneLimits.defaults()))
                .isInstanceOf(LaneSmokeException.class)
                .hasMessageContaining("the lane of startup failed its smoke test: layer ");
    }

    @Test
    void theFirstLaneTellsWhatItsTestRan() {
        load(4, LaneLimits.defaults());

        LaneStatus first = engine.status().lanes().get(0);

        assertThat(first.variants()).anyMatch(id -> id.startsWith("attention.")).anyMatch(id -> id.startsWith("topk."));
        assertThat(first.flags()).isEqualTo(BASE.flags());
    }

    @Test
    void aKernelThatServesWhatWasNotAskedForIsFoundAndNotServed() {
        // given a backend whose radix select is a full sort: the results are right, the flag is not
        checkpoint = Checkpoint.open(GoldenData.DIRECTORY);
        EngineLimits limits = new EngineLimits(CONTEXT, 4, 64);
        Kernels other = OtherArguments.on(
                new ReferenceKernels(2), "topK", value -> value == TopkAlgorithm.RADIX ? TopkAlgorithm.SORT : value);

        // then
        assertThatThrownBy(() -> NativeEngine.load(checkpoint, START, other, limits, LaneLimits.defaults()))
                .isInstanceOf(LaneSmokeException.class)
                .hasMessageContaining("topk_backend was asked for as radix and is sort");
    }

    private void load(int sequences, LaneLimits laneLimits) {
        load(new ReferenceKernels(2), sequences, laneLimits);
    }

    private void load(Kernels kernels, int sequences, LaneLimits laneLimits) {
        checkpoint = Checkpoint.open(GoldenData.DIRECTORY);
        engine = NativeEngine.load(checkpoint, START, kernels, new EngineLimits(CONTEXT, sequences, 64), laneLimits);
    }

    private List<Integer> answer(LaneKey lane, GenerationRequest request) throws Exception {
        Collected collected = new Collected();
        engine.submit(lane, request, collected);
        collected.reason();
        return collected.tokens();
    }

    private LaneStatus lane(LaneKey key) {
        return engine.status().lanes().stream()
                .filter(lane -> lane.key().equals(key))
                .findFirst()
                .orElseThrow();
    }

    private static void addsUp(EngineStatus status) {
        for (PoolStatus pool : status.pools()) {
            assertThat(pool.usedBytes() + pool.freeBytes()).isEqualTo(pool.allocatedBytes());
        }
        assertThat(status.lanes().stream()
                        .mapToLong(lane -> lane.bytes().total())
                        .sum())
                .isEqualTo(status.memory().heldBytes());
        assertThat(status.lanes().stream()
                        .mapToLong(lane -> lane.bytes().pools())
                        .sum())
                .isEqualTo(status.pools().stream()
                        .mapToLong(PoolStatus::allocatedBytes)
                        .sum());
        assertThat(status.lanes().stream()
                        .mapToLong(lane -> lane.bytes().weights())
                        .sum())
                .isEqualTo(status.memory().weightBytes());
    }

    private static GenerationRequest greedy(int[] prompt, int maxTokens) {
        return new GenerationRequest(prompt, maxTokens, SamplingParameters.greedy(), Set.of(), 0);
    }

    private static int[] prompt(int length, long seed) {
        return new Random(seed).ints(length, 0, 128).toArray();
    }
}
