package dev.plumbline.recall;

import dev.plumbline.engine.EngineStatus;
import dev.plumbline.engine.FinishReason;
import dev.plumbline.engine.LaneFacts;
import dev.plumbline.engine.LaneHold;
import dev.plumbline.engine.LaneKey;
import dev.plumbline.model.AttentionKind;
import dev.plumbline.model.LayerSpec;
import dev.plumbline.model.ModelConfig;
import dev.plumbline.model.Tokenizer;
import dev.plumbline.recall.CellAnswer.Answered;
import dev.plumbline.recall.CellAnswer.Unanswered;
import dev.plumbline.recall.result.TargetRecord;
import dev.plumbline.recall.suite.Edges;
import dev.plumbline.target.NativeTarget;
import dev.plumbline.trace.Stage;
import dev.plumbline.trace.TextSpans;
import dev.plumbline.trace.TokenSpan;
import dev.plumbline.trace.TraceRequest;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Cells asked of the engine in this process, on one lane, with a trace of what the indexer did with the expected values
 * where the model has layers that select.
 */
public final class NativeCells implements CellTarget {
    private static final double NANOS_PER_MILLI = 1e6;

    private final NativeTarget target;
    private final LaneHold hold;
    private final LaneFacts lane;
    private final ModelCodec codec;
    private final Asker asker;
    private final boolean selects;

    private NativeCells(NativeTarget target, LaneHold hold, LaneFacts lane) {
        this.target = target;
        this.hold = hold;
        this.lane = lane;
        this.codec = new ModelCodec(target.tokenizer(), target.encoding());
        this.asker = new Asker(target.engine(), Set.of(target.encoding().endOfSentence()), lane.key()).inBackground();
        this.selects = edges().budget() > 0;
    }

    /**
     * Opens a lane for the cells and keeps it open until this is closed.
     *
     * @return fails with what {@link dev.plumbline.engine.Engine#activate} fails with
     */
    public static CompletableFuture<NativeCells> open(NativeTarget target, LaneKey lane) {
        LaneHold hold = target.engine().hold(lane);
        return hold.opened()
                .whenComplete((facts, failure) -> {
                    if (failure != null) {
                        hold.close();
                    }
                })
                .thenApply(facts -> new NativeCells(target, hold, facts));
    }

    /** The edges of a model: window, and tokens that the checkpoint's budget covers. */
    public static Edges edges(ModelConfig config) {
        int ratio = config.layers().stream()
                .filter(layer -> layer.attention() == AttentionKind.CSA)
                .mapToInt(LayerSpec::ratio)
                .findFirst()
                .orElse(0);
        return new Edges(config.slidingWindow(), config.indexTopk() * ratio);
    }

    @Override
    public TargetRecord about() {
        EngineStatus status = target.status();
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("backend", status.backend());
        facts.put("device", status.description());
        facts.put("fingerprint", target.fingerprint(lane.key()));
        facts.put("kernels", String.join(", ", lane.variants()));
        lane.code().forEach((name, hash) -> facts.put("code " + name, hash));
        return new TargetRecord(
                TargetRecord.NATIVE,
                TargetRecord.NATIVE,
                target.name(),
                target.model().hash(),
                facts);
    }

    @Override
    public Map<String, String> flags() {
        return lane.flags();
    }

    @Override
    public Edges edges() {
        return edges(target.status().config());
    }

    @Override
    public PromptCodec codec() {
        return codec;
    }

    @Override
    public String measure() {
        return measure(target);
    }

    /** How prompts are measured for the engine, whatever the lane. */
    public static String measure(NativeTarget target) {
        return "tokenizer of " + target.model().hash();
    }

    @Override
    public int parallel() {
        return lane.maxSequences();
    }

    @Override
    public CompletableFuture<CellAnswer> ask(SuitePrompt prompt) {
        int room = target.status().maxContext() - prompt.tokens().length;
        if (room < CellRunner.ANSWER_TOKENS) {
            return CompletableFuture.completedFuture(
                    new Unanswered("a prompt of " + prompt.tokens().length + " tokens and an answer of "
                            + CellRunner.ANSWER_TOKENS + " do not fit the context of "
                            + target.status().maxContext() + " tokens"));
        }
        CompletableFuture<Reply> reply;
        try {
            reply = asker.submit(prompt.tokens(), CellRunner.ANSWER_TOKENS, selects ? trace(prompt) : null);
        } catch (RuntimeException e) {
            return CompletableFuture.completedFuture(unanswered(e));
        }
        return reply.handle((answer, failure) -> failure == null ? answered(prompt, answer) : unanswered(failure));
    }

    /** Asks about the query that gives the answer's first token, and about the answer's own. */
    private TraceRequest trace(SuitePrompt prompt) {
        Tokenizer tokenizer = target.tokenizer();
        TextSpans text = new TextSpans(
                Arrays.stream(prompt.tokens()).mapToObj(tokenizer::bytes).toArray(byte[][]::new));
        List<List<TokenSpan>> watches =
                prompt.expected().stream().map(text::find).toList();
        return new TraceRequest(
                prompt.tokens().length - 1,
                TraceRequest.UNTIL_END,
                Set.of(Stage.PREFILL, Stage.DECODE),
                Set.of(),
                watches,
                false);
    }

    private CellAnswer answered(SuitePrompt prompt, Reply reply) {
        if (reply.reason() == FinishReason.CANCELLED) {
            return new Unanswered("the answer was cancelled");
        }
        boolean any = reply.tokenNanos().length > 0;
        return new Answered(
                codec.decode(reply.tokens()),
                reply.reason() == FinishReason.STOP ? "stop" : "length",
                reply.reason() == FinishReason.LENGTH,
                reply.promptTokens(),
                reply.tokens().length,
                any ? (reply.firstNanos() - reply.submittedNanos()) / NANOS_PER_MILLI : Double.NaN,
                (reply.endedNanos() - reply.submittedNanos()) / NANOS_PER_MILLI,
                NeedleTraces.of(reply.selections(), prompt.expected().size()));
    }

    private static Unanswered unanswered(Throwable failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        String text = cause.getMessage();
        return new Unanswered(text == null ? cause.getClass().getSimpleName() : text);
    }

    @Override
    public void close() {
        hold.close();
    }
}
