package dev.plumbline.recall.remote;

import dev.plumbline.recall.CellTarget;
import dev.plumbline.target.NativeTarget;
import java.util.LinkedHashMap;
import java.util.Map;
import reactor.core.publisher.Mono;

/** Gets to know a server before cells are asked of it. */
final class Opening {
    private final RemoteTarget target;
    private final ServerClient client;
    private final NativeTarget hosted;
    private final ChatCall chat;
    private final GenerateCall generate;

    /** @param hosted the model hosted here; null while none is loaded */
    Opening(RemoteTarget target, ServerClient client, Backoff backoff, NativeTarget hosted) {
        this.target = target;
        this.client = client;
        this.hosted = hosted;
        this.chat = new ChatCall(target, client, backoff);
        this.generate =
                target.kind() == TargetKind.SGLANG && hosted != null ? new GenerateCall(client, backoff, hosted) : null;
    }

    ChatCall chat() {
        return chat;
    }

    /**
     * Cells of the server.
     *
     * @param given how prompts are to be measured; null finds it out
     * @return fails with {@link TargetException} if the server's budget is not the target's
     */
    Mono<CellTarget> cells(PromptMeasure given) {
        if (given != null && !given.failure().isEmpty()) {
            return Mono.just(unreachable(given));
        }
        Mono<Calibration> calibration =
                given == null ? calibration() : Mono.just(new Calibration(given, "as in a run before"));
        return calibration
                .flatMap(found -> Mono.zip(selections(found.measure()), serverFacts())
                        .map(both -> (CellTarget) new RemoteCells(
                                target,
                                client,
                                found.measure(),
                                facts(found, both.getT1(), both.getT2()),
                                chat,
                                generate,
                                both.getT1())))
                .onErrorResume(
                        ServerFailure.class,
                        failure -> Mono.just(unreachable(PromptMeasure.unknown(failure.getMessage()))));
    }

    private CellTarget unreachable(PromptMeasure measure) {
        client.close();
        return new UnreachableCells(target, measure);
    }

    /** Fails with {@link ServerFailure}. */
    Mono<Calibration> calibration() {
        return Calibration.of(chat, hosted);
    }

    /** What can be known of the server's selections; fails with {@link TargetException}. */
    Mono<Selections> selections(PromptMeasure measure) {
        if (target.kind() != TargetKind.SGLANG) {
            return Mono.just(Selections.none("chat completions do not have them"));
        }
        if (generate == null || !measure.tokens()) {
            return Mono.just(Selections.none("the server's tokenizer is not that of the model hosted here, so it is not"
                    + " known which entries hold the needle"));
        }
        int[] prompt = measure.codec().encode(Calibration.prompts().get(0));
        return generate.shape(prompt)
                .map(shape -> {
                    int budget = Math.multiplyExact(shape.topk(), shape.ratio());
                    if (budget != target.edges().budget()) {
                        throw new TargetException(
                                "edges.budget",
                                TargetException.BUDGET_MISMATCH,
                                "The target '" + target.name() + "' has a budget of "
                                        + target.edges().budget() + " tokens, but its server selects at most "
                                        + shape.topk() + " entries of " + shape.ratio() + " tokens, which cover "
                                        + budget
                                        + "; set 'edges.budget' to that, or start the server with another index_topk.");
                    }
                    return Selections.of(shape, hosted);
                })
                .onErrorResume(ServerFailure.class, failure -> Mono.just(Selections.none(failure.getMessage())));
    }

    /** What the server says of itself. */
    Mono<Map<String, String>> serverFacts() {
        return target.kind() == TargetKind.SGLANG
                ? ServerFacts.sglang(client)
                        .onErrorResume(
                                ServerFailure.class,
                                failure -> Mono.just(Map.of("server info", "not told: " + failure.getMessage())))
                : Mono.just(Map.of());
    }

    private static Map<String, String> facts(Calibration found, Selections selections, Map<String, String> server) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("lengths", found.note());
        facts.put("selections", selections.note());
        facts.putAll(server);
        return facts;
    }
}
