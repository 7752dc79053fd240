package dev.plumbline.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.plumbline.kernel.Kernels;
import dev.plumbline.model.Checkpoint;
import dev.plumbline.precision.PartialProfile;
import dev.plumbline.precision.PrecisionProfile;
import dev.plumbline.trace.EntryTrace;
import dev.plumbline.trace.QueryTrace;
import dev.plumbline.trace.Stage;
import dev.plumbline.trace.TokenSpan;
import dev.plumbline.trace.TraceRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A backend's traces against scores, selections and attention that are computed anew from its caches in fp64. */
abstract class TraceConformance {
    private static final int[] CSA_LAYERS = {1, 3};
    private static final int RATIO = 4;
    private static final int PROMPT = 150;
    private static final int ANSWER = 6;
    private static final int CHUNK = 64;
    private static final double TOLERANCE = 1e-4;

    /** Places of two watched texts, one of which stands twice; and of a text that stands nowhere. */
    private static final List<List<TokenSpan>> WATCHES =
            List.of(List.of(new TokenSpan(17, 23), new TokenSpan(80, 81)), List.of(new TokenSpan(0, 40)), List.of());

    abstract Kernels backend();

    @ParameterizedTest
    @CsvSource({"false, 8, scalar", "true, 8, scalar", "false, 1, scalar", "true, 64, scalar", "true, 8, mma"})
    void everyNumberIsWhatAComputationOfItsOwnGives(boolean bf16, int budget, String attention) throws Exception {
        PrecisionProfile profile = (bf16 ? PrecisionProfile.baseline(budget) : PrecisionProfile.fp32(budget))
                .with(PartialProfile.parse(Map.of("attention_decode", attention)));
        assumeSupported(profile);
        TraceRequest all =
                new TraceRequest(0, TraceRequest.UNTIL_END, EnumSet.allOf(Stage.class), Set.of(), WATCHES, true);

        Traced traced = generate(profile, all);
        Recomputed expected = Recomputed.of(backend(), profile, PROMPT, traced.everyToken(PROMPT), CSA_LAYERS);

        assertThat(traced.queries()).hasSize((PROMPT + ANSWER - 1) * CSA_LAYERS.length);
        for (QueryTrace query : traced.queries()) {
            compare(query, expected, budget);
        }
        assertThat(traced.queries().stream().filter(QueryTrace::allSelected))
                .allSatisfy(query -> assertThat(query.selected()).isEqualTo(query.candidates()));
    }

    private void assumeSupported(PrecisionProfile profile) {
        try (Kernels kernels = backend()) {
            String refusal = kernels.refusal(profile).orElse(null);
            assumeTrue(refusal == null, refusal);
        }
    }

    private static void compare(QueryTrace query, Recomputed expected, int budget) {
        String where = "layer " + query.layer() + ", position " + query.position();
        double[] scores = expected.scores(query.layer(), query.position());
        assertThat(query.stage()).as(where).isEqualTo(query.position() < PROMPT ? Stage.PREFILL : Stage.DECODE);
        assertThat(query.candidates()).as(where).isEqualTo(scores.length).isEqualTo((query.position() + 1) / RATIO);
        assertThat(query.budget()).isEqualTo(budget);
        assertThat(query.selected()).as(where).isEqualTo(Math.min(budget, scores.length));
        double close = TOLERANCE * Arrays.stream(scores).map(Math::abs).max().orElse(0);
        double[] ordered = Arrays.stream(scores).sorted().toArray();
        if (query.selected() > 0) {
            assertThat((double) query.lowestSelected())
                    .as(where)
                    .isCloseTo(ordered[scores.length - query.selected()], within(close));
        }
        assertThat(query.counts().zero()).as(where).isEqualTo((int)
                Arrays.stream(scores).filter(score -> score == 0).count());
        assertThat(query.watches()).hasSize(WATCHES.size());
        for (int i = 0; i < WATCHES.size(); i++) {
            assertThat(query.watches().get(i).entries())
                    .extracting(EntryTrace::entry)
                    .containsExactlyElementsOf(entriesOf(WATCHES.get(i)));
            for (EntryTrace entry : query.watches().get(i).entries()) {
                compare(where + ", entry " + entry.entry(), query, entry, scores, close, expected);
            }
        }
    }

    private static void compare(
            String where, QueryTrace query, EntryTrace entry, double[] scores, double close, Recomputed expected) {
        assertThat(entry.visible()).as(where).isEqualTo(entry.entry() < scores.length);
        assertThat(entry.selected()).as(where).isEqualTo(Arrays.binarySearch(query.entries(), entry.entry()) >= 0);
        if (entry.visible()) {
            double score = scores[entry.entry()];
            assertThat((double) entry.score()).as(where).isCloseTo(score, within(close));
            long surelyHigher =
                    Arrays.stream(scores).filter(s -> s > score + close).count();
            long maybeHigher =
                    Arrays.stream(scores).filter(s -> s > score - close).count();
            assertThat((long) entry.rank()).as(where).isBetween(surelyHigher + 1, Math.max(1, maybeHigher));
            if (query.allSelected()) {
                assertThat(entry.margin()).as(where).isNaN();
                assertThat(entry.selected()).as(where).isTrue();
            } else {
                assertThat(entry.margin()).as(where).isEqualTo((double) entry.score() - query.lowestSelected());
                assertThat(entry.selected() ? entry.margin() >= 0 : entry.margin() <= 0)
                        .as(where)
                        .isTrue();
            }
        }
        double[] shares = expected.shares(query.layer(), query.position(), query.entries(), entry.entry());
        assertThat(entry.mass())
                .as(where)
                .isCloseTo(Arrays.stream(shares).average().orElseThrow(), within(TOLERANCE));
        assertThat(entry.headMass())
                .as(where)
                .isCloseTo(Arrays.stream(shares).max().orElseThrow(), within(TOLERANCE));
    }

    @Test
    void aTraceOfTheAnswerHasTheQueriesOfItsTokensAndNothingElse() throws Exception {
        TraceRequest answer =
                new TraceRequest(PROMPT, TraceRequest.UNTIL_END, EnumSet.of(Stage.DECODE), Set.of(3), WATCHES, false);
        List<QueryTrace> queries = generate(PrecisionProfile.fp32(8), answer).queries();
        assertThat(queries)
                .extracting(QueryTrace::position)
                .containsExactlyElementsOf(
                        IntStream.range(PROMPT, PROMPT + ANSWER - 1).boxed().toList());
        assertThat(queries).allSatisfy(query -> {
            assertThat(query.layer()).isEqualTo(3);
            assertThat(query.entries()).isNull();
        });
    }

    @Test
    void aTraceOfTheLastPromptTokenComesBeforeTheFirstToken() throws Exception {
        TraceRequest last = new TraceRequest(PROMPT - 1, PROMPT, EnumSet.allOf(Stage.class), Set.of(), WATCHES, false);
        Traced traced = generate(PrecisionProfile.fp32(8), last);
        assertThat(traced.queries()).extracting(QueryTrace::layer).containsExactly(1, 3);
        assertThat(traced.tokensBefore()).containsOnly(0);
    }

    @Test
    void answersAreTheSameWithATraceAndOthersInTheBatchAreNotTold() throws Exception {
        TraceRequest all =
                new TraceRequest(0, TraceRequest.UNTIL_END, EnumSet.allOf(Stage.class), Set.of(), WATCHES, true);
        PrecisionProfile profile = PrecisionProfile.baseline(8).withPrefillChunk(CHUNK);
        List<List<Integer>> plain = new ArrayList<>();
        List<List<QueryTrace>> alone = new ArrayList<>();
        try (NativeEngine engine = engine(profile)) {
            for (int i = 0; i < 4; i++) {
                plain.add(Traced.run(engine, request(i, null)).tokens());
            }
            alone.add(Traced.run(engine, request(1, all)).queries());
            alone.add(Traced.run(engine, request(2, all)).queries());

            List<Traced> together = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                together.add(Traced.submit(engine, request(i, i == 1 || i == 2 ? all : null)));
            }

            for (int i = 0; i < 4; i++) {
                together.get(i).reason();
                assertThat(together.get(i).tokens()).isEqualTo(plain.get(i));
            }
            assertThat(together.get(0).queries()).isEmpty();
            assertThat(together.get(3).queries()).isEmpty();
            for (int i = 0; i < 2; i++) {
                assertThat(together.get(i + 1).queries()).hasSameSizeAs(alone.get(i));
                for (int j = 0; j < alone.get(i).size(); j++) {
                    same(together.get(i + 1).queries().get(j), alone.get(i).get(j));
                }
            }
        }
    }

    private static void same(QueryTrace one, QueryTrace other) {
        assertThat(one.entries()).isEqualTo(other.entries());
        assertThat(withoutEntries(one)).isEqualTo(withoutEntries(other));
    }

    private static QueryTrace withoutEntries(QueryTrace q) {
        return new QueryTrace(
                q.layer(),
                q.position(),
                q.stage(),
                q.budget(),
                q.candidates(),
                q.selected(),
                q.lowestSelected(),
                q.counts(),
                q.watches(),
                null);
    }

    private Traced generate(PrecisionProfile profile, TraceRequest asked) throws Exception {
        try (NativeEngine engine = engine(profile.withPrefillChunk(CHUNK))) {
            return Traced.run(engine, request(1, asked));
        }
    }

    private NativeEngine engine(PrecisionProfile profile) {
        try (Checkpoint checkpoint = Checkpoint.open(GoldenData.DIRECTORY)) {
            return NativeEngine.load(checkpoint, profile, backend(), new EngineLimits(256, 4, 4));
        }
    }

    private static GenerationRequest request(int seed, TraceRequest asked) {
        int[] prompt = new Random(seed).ints(PROMPT, 2, 128).toArray();
        return new GenerationRequest(prompt, ANSWER, SamplingParameters.greedy(), Set.of(), 0).traced(asked);
    }

    /** By the definition of an entry: its own four tokens and the four before. */
    private static List<Integer> entriesOf(List<TokenSpan> spans) {
        List<Integer> entries = new ArrayList<>();
        for (int entry = 0; entry < PROMPT; entry++) {
            int from = RATIO * (entry - 1);
            int to = RATIO * (entry + 1);
            if (spans.stream().anyMatch(span -> span.from() < to && span.to() > from)) {
                entries.add(entry);
            }
        }
        return Collections.unmodifiableList(entries);
    }
}
