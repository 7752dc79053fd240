package dev.plumbline.recall.remote;

import dev.plumbline.recall.CellAnswer;
import dev.plumbline.recall.CellAnswer.Answered;
import dev.plumbline.recall.CellAnswer.Unanswered;
import dev.plumbline.recall.CellRunner;
import dev.plumbline.recall.CellTarget;
import dev.plumbline.recall.PromptCodec;
import dev.plumbline.recall.SuitePrompt;
import dev.plumbline.recall.result.NeedleTrace;
import dev.plumbline.recall.result.TargetRecord;
import dev.plumbline.recall.suite.Edges;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Cells asked of a server elsewhere. Cancelling an answer, or closing this, closes its connection. */
final class RemoteCells implements CellTarget {
    private final RemoteTarget target;
    private final ServerClient client;
    private final PromptMeasure prompts;
    private final Map<String, String> facts;
    private final ChatCall chat;
    private final GenerateCall generate;
    private final Selections selections;
    private final Sinks.Empty<Void> closed = Sinks.empty();

    /**
     * Takes over the client.
     *
     * @param facts what is known of the server
     * @param generate null where only chat completions are asked
     */
    RemoteCells(
            RemoteTarget target,
            ServerClient client,
            PromptMeasure prompts,
            Map<String, String> facts,
            ChatCall chat,
            GenerateCall generate,
            Selections selections) {
        this.target = target;
        this.client = client;
        this.prompts = prompts;
        this.facts = facts;
        this.chat = chat;
        this.generate = generate;
        this.selections = selections;
    }

    /**
     * What runs keep of a target: who may read runs need not be one who may read targets, whose fields may be secret and whose
     * address is nobody else's business.
     */
    static TargetRecord about(RemoteTarget target, Map<String, String> more) {
        Map<String, String> facts = new LinkedHashMap<>();
        if (!target.extraBody().isEmpty()) {
            facts.put(
                    "extra body",
                    String.join(", ", new TreeSet<>(target.extraBody().keySet())));
        }
        facts.putAll(more);
        return new TargetRecord(target.kind().text(), target.name(), target.model(), target.weights(), facts);
    }

    @Override
    public TargetRecord about() {
        return about(target, facts);
    }

    @Override
    public Map<String, String> flags() {
        return Map.of();
    }

    @Override
    public Edges edges() {
        return target.edges();
    }

    @Override
    public PromptCodec codec() {
        return prompts.codec();
    }

    @Override
    public String measure() {
        return prompts.name();
    }

    @Override
    public int parallel() {
        return target.parallel();
    }

    @Override
    public CompletableFuture<CellAnswer> ask(SuitePrompt prompt) {
        boolean byTokens = generate != null && selections.shape() != null && prompts.tokens();
        Mono<CellAnswer> answer = byTokens
                ? generate.ask(prompt, selections.shape(), selections.layerOf())
                        .map(given -> answered(given.reply(), given.needle()))
                : chat.ask(prompt.turns(), CellRunner.ANSWER_TOKENS).map(reply -> answered(reply, List.of()));
        return answer.onErrorResume(failure -> Mono.just(unanswered(failure)))
                .takeUntilOther(closed.asMono())
                .switchIfEmpty(Mono.fromSupplier(
                        () -> new Unanswered("target " + target.name() + " was closed before it answered")))
                .toFuture();
    }

    private static CellAnswer answered(ChatReply reply, List<NeedleTrace> needle) {
        return new Answered(
                reply.text(),
                reply.finishReason(),
                reply.truncated(),
                reply.promptTokens(),
                reply.answerTokens(),
                reply.firstTokenMillis(),
                reply.totalMillis(),
                needle);
    }

    private CellAnswer unanswered(Throwable failure) {
        return new Unanswered("target " + target.name() + ": "
                + client.words().failure(failure).getMessage());
    }

    @Override
    public void close() {
        closed.tryEmitEmpty();
        client.close();
    }
}
