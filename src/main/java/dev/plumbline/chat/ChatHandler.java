package dev.plumbline.chat;

import dev.plumbline.http.ApiException;
import dev.plumbline.http.BodyBudget;
import dev.plumbline.http.BodyReader;
import dev.plumbline.http.ErrorJson;
import dev.plumbline.http.ErrorMetrics;
import dev.plumbline.http.EventStream;
import dev.plumbline.http.Failures;
import dev.plumbline.http.JsonBody;
import dev.plumbline.http.Refusal;
import dev.plumbline.http.ServedModel;
import dev.plumbline.ops.Drain;
import dev.plumbline.runconfig.Serving;
import dev.plumbline.security.Caller;
import dev.plumbline.target.ChatEvent;
import dev.plumbline.target.NativeTarget;
import dev.plumbline.usage.Account;
import dev.plumbline.usage.Charge;
import dev.plumbline.usage.UsageLedger;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** {@code POST /v1/chat/completions}. */
@Component
final class ChatHandler {
    /** Header of a request that names its run config, and of an answer that says which one made it. */
    static final String RUN_CONFIG = "X-Plumbline-Run-Config";

    /** For so long a request may wait until its lane is built and its prompt is queued. */
    private static final Duration LANE_PATIENCE = Duration.ofSeconds(60);

    private static final int LANE_RETRY_SECONDS = 5;

    private final BodyReader bodies;
    private final BodyBudget budget;
    private final JsonBody json;
    private final ChatRequestParser parser;
    private final ServedModel served;
    private final Serving serving;
    private final Drain drain;
    private final AnswerMetrics metrics;
    private final ErrorMetrics errors;
    private final ChatHistory history;
    private final UsageLedger ledger;
    private final SecureRandom random = new SecureRandom();

    ChatHandler(
            BodyReader bodies,
            BodyBudget budget,
            JsonBody json,
            ChatRequestParser parser,
            ServedModel served,
            Serving serving,
            Drain drain,
            AnswerMetrics metrics,
            ErrorMetrics errors,
            ChatHistory history,
            UsageLedger ledger) {
        this.bodies = bodies;
        this.budget = budget;
        this.json = json;
        this.parser = parser;
        this.served = served;
        this.serving = serving;
        this.drain = drain;
        this.metrics = metrics;
        this.errors = errors;
        this.history = history;
        this.ledger = ledger;
    }

    Mono<ServerResponse> complete(ServerRequest request) {
        return request.principal().ofType(Caller.class).flatMap(caller -> {
            Charge charge = ledger.open(new Account(caller.owner(), caller.key()));
            BodyBudget.Share share = budget.open();
            return bodies.read(request.bodyToFlux(DataBuffer.class), share)
                    // Parsing megabytes takes long enough to delay other connections.
                    .publishOn(Schedulers.boundedElastic())
                    .map(body -> parse(request, body))
                    .flatMap(parsed -> answer(parsed, new Asker(caller.owner(), charge), share))
                    .doOnError(failure -> charge.failed())
                    .doOnError(failure -> ended(charge, share))
                    .doOnCancel(() -> ended(charge, share));
        });
    }

    private static void ended(Charge charge, BodyBudget.Share share) {
        share.release();
        charge.end();
    }

    private ChatRequest parse(ServerRequest request, byte[] body) {
        JsonBody.requireType(request);
        return parser.parse(json.parse(body), header(request));
    }

    /** The run config that the header names, or null; of two values neither is silently the right one. */
    private static String header(ServerRequest request) {
        List<String> values = request.headers().header(RUN_CONFIG);
        if (values.stream().distinct().count() > 1) {
            throw ApiException.badRequest(
                    RUN_CONFIG,
                    "invalid_value",
                    "Invalid value for '" + RUN_CONFIG + "': '" + Refusal.shorten(String.join("', '", values))
                            + "'; allowed: one run config.");
        }
        return values.isEmpty() ? null : values.get(0);
    }

    private Mono<ServerResponse> answer(ChatRequest request, Asker asker, BodyBudget.Share share) {
        NativeTarget target = served.named(request.model());
        return serving.choose(request.runConfig(), target.status().config())
                .flatMap(choice -> answer(target, request.under(choice), choice.label(), asker, share));
    }

    private Mono<ServerResponse> answer(
            NativeTarget target, ChatRequest request, String runConfig, Asker asker, BodyBudget.Share share) {
        SamplingParser.requireKnown(
                request.prompt().sampling(), target.status().config().vocabSize());
        LogprobsBudget.require(request, target.status().maxContext());
        Envelope envelope = Envelope.create(
                request.model(), target.fingerprint(request.prompt().lane()), runConfig, random);
        Charge charge = asker.charge();
        Flux<ChatEvent> events = history.answer(request, asker, envelope, share::take, prompt -> metrics.measured(
                                runConfig,
                                watch -> waiting(target.answer(prompt, watch.andThen(choice -> charge.token()))))
                        .doOnNext(event -> admitted(event, charge, share))
                        .takeUntilOther(drain.cut()))
                .doOnError(failure -> charge.failed())
                .doFinally(signal -> ended(charge, share));
        AnswerShape shape = AnswerShape.of(request, target.tokenizer());
        if (request.stream()) {
            return EventStream.respond(payloads(events, new Chunks(envelope, shape)), RUN_CONFIG, runConfig);
        }
        return events.collect(() -> new Completion(envelope, shape), Completion::add)
                .flatMap(completion -> ServerResponse.ok()
                        .header(RUN_CONFIG, runConfig)
                        .contentType(MediaType.APPLICATION_JSON)
                        .bodyValue(completion.json()));
    }

    /** A lane that takes long to build is not waited for without end. */
    private static Flux<ChatEvent> waiting(Flux<ChatEvent> answer) {
        return answer.timeout(Mono.delay(LANE_PATIENCE), event -> Mono.never())
                .onErrorMap(
                        TimeoutException.class,
                        e -> ApiException.unavailable(
                                "The lane of the run config was not ready within " + LANE_PATIENCE.toSeconds()
                                        + " seconds; it is still being built, or many requests wait for it.",
                                LANE_RETRY_SECONDS));
    }

    private static void admitted(ChatEvent event, Charge charge, BodyBudget.Share share) {
        share.settle();
        if (event instanceof ChatEvent.Started started) {
            charge.prompt(started.promptTokens());
        }
    }

    /** Once the first payload is out, a failure can only be told inside the stream. */
    private Flux<String> payloads(Flux<ChatEvent> events, Chunks chunks) {
        return Flux.defer(() -> {
            AtomicBoolean begun = new AtomicBoolean();
            return events.doOnNext(event -> begun.set(true))
                    .concatMapIterable(chunks::of)
                    .onErrorResume(
                            failure -> begun.get(),
                            failure -> Mono.just(ErrorJson.of(errors.counted(Failures.translate(failure)))));
        });
    }
}
