package dev.plumbline.recall.remote;

import dev.plumbline.model.ChatMessage;
import dev.plumbline.model.ChatMessage.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import reactor.core.publisher.Mono;

/** Tries one server and says what it found. */
final class TargetChecker {
    /** People wait for it. */
    private static final Patience SHORT = new Patience(10, 30, 60);

    private static final int ANSWER_TOKENS = 16;
    private static final List<ChatMessage> QUESTION =
            List.of(new ChatMessage(Role.USER, "How much is 2 + 3? Answer with the number only."));

    private final RemoteTarget target;
    private final ServerClient client;
    private final Opening opening;
    private final List<String> problems = new ArrayList<>();

    TargetChecker(RemoteTarget target, ServerClient client, Opening opening) {
        this.target = target;
        this.client = client;
        this.opening = opening;
    }

    /** The same target with no more patience than somebody who waits. */
    static RemoteTarget hurried(RemoteTarget target) {
        Patience own = target.patience();
        return new RemoteTarget(
                target.id(),
                target.name(),
                target.kind(),
                target.url(),
                target.hasKey(),
                target.model(),
                target.weights(),
                target.extraBody(),
                target.edges(),
                target.parallel(),
                new Patience(
                        Math.min(own.connectSeconds(), SHORT.connectSeconds()),
                        Math.min(own.silenceSeconds(), SHORT.silenceSeconds()),
                        Math.min(own.answerSeconds(), SHORT.answerSeconds())),
                target.author(),
                target.created(),
                target.updated());
    }

    Mono<TargetCheck> check() {
        return ServerFacts.models(client)
                .doOnNext(this::requireModel)
                .onErrorResume(ServerFailure.class, failure -> noted("the list of models", failure, List.of()))
                .flatMap(models -> opening.chat()
                        .ask(QUESTION, ANSWER_TOKENS)
                        .flatMap(reply -> answered(models, reply))
                        .onErrorResume(
                                ServerFailure.class, failure -> noted("a short question", failure, unanswered(models)))
                        .map(this::withProblems));
    }

    private Mono<TargetCheck> answered(List<String> models, ChatReply reply) {
        TargetCheck.Answer answer = new TargetCheck.Answer(
                client.words().quoted(reply.text()),
                reply.finishReason(),
                reply.promptTokens(),
                reply.answerTokens(),
                reply.firstTokenMillis(),
                reply.totalMillis());
        return opening.calibration()
                .flatMap(found -> Mono.zip(selections(found.measure()), opening.serverFacts())
                        .map(both -> new TargetCheck(
                                target,
                                models,
                                answer,
                                found.measure().name(),
                                found.note(),
                                both.getT1(),
                                both.getT2(),
                                List.of())))
                .onErrorResume(
                        ServerFailure.class,
                        failure -> noted(
                                "prompts of several lengths",
                                failure,
                                new TargetCheck(target, models, answer, "", "", "", Map.of(), List.of())));
    }

    private Mono<String> selections(PromptMeasure measure) {
        return opening.selections(measure).map(Selections::note).onErrorResume(TargetException.class, refused -> {
            problems.add(refused.getMessage());
            return Mono.just("told, but not as the target says");
        });
    }

    private TargetCheck unanswered(List<String> models) {
        return new TargetCheck(target, models, null, "", "", "", Map.of(), List.of());
    }

    private void requireModel(List<String> models) {
        if (!models.contains(target.model())) {
            problems.add("The server does not list the model '" + target.model() + "'; it lists "
                    + (models.isEmpty() ? "none" : String.join(", ", models.subList(0, Math.min(10, models.size()))))
                    + ".");
        }
    }

    private <T> Mono<T> noted(String asked, ServerFailure failure, T instead) {
        problems.add("Asked for " + asked + ": " + failure.getMessage() + ".");
        return Mono.just(instead);
    }

    private TargetCheck withProblems(TargetCheck found) {
        return new TargetCheck(
                target,
                found.models(),
                found.answer(),
                found.measure(),
                found.lengths(),
                found.selections(),
                found.facts(),
                problems);
    }
}
