package dev.plumbline.recall.remote;

import dev.plumbline.model.ChatMessage;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Asks for a server's most probable answer by OpenAI's chat completions, as a stream. */
final class ChatCall {
    private static final String PATH = "/v1/chat/completions";

    /** After the last event a server has so long to end its stream, which lets the connection be used again. */
    private static final Duration END = Duration.ofMillis(500);

    private final RemoteTarget target;
    private final ServerClient client;
    private final Backoff backoff;

    ChatCall(RemoteTarget target, ServerClient client, Backoff backoff) {
        this.target = target;
        this.client = client;
        this.backoff = backoff;
    }

    /** Fails with {@link ServerFailure}. */
    Mono<ChatReply> ask(List<ChatMessage> turns, int maxTokens) {
        ObjectNode body = body(turns, maxTokens);
        return backoff.around(Mono.defer(() -> once(body)));
    }

    private Mono<ChatReply> once(ObjectNode body) {
        ChatStream stream = new ChatStream(client.words());
        Sinks.Empty<Void> done = Sinks.empty();
        Flux<String> events = client.events(PATH, body)
                .mapNotNull(event -> event.data())
                .doOnNext(data -> {
                    stream.accept(data);
                    if (data.startsWith(ChatStream.DONE)) {
                        done.tryEmitEmpty();
                    }
                })
                .takeUntilOther(done.asMono().then(Mono.delay(END)));
        return events.then(Mono.fromCallable(stream::finish))
                .timeout(Duration.ofSeconds(target.patience().answerSeconds()))
                .onErrorMap(client.words()::failure);
    }

    private ObjectNode body(List<ChatMessage> turns, int maxTokens) {
        ObjectNode body = JsonMapper.shared().valueToTree(target.extraBody());
        body.put("model", target.model())
                .put("stream", true)
                .put("temperature", 0)
                .put("max_tokens", maxTokens);
        body.putObject("stream_options").put("include_usage", true);
        ArrayNode messages = body.putArray("messages");
        for (ChatMessage turn : turns) {
            messages.addObject()
                    .put("role", turn.role().name().toLowerCase(Locale.ROOT))
                    .put("content", turn.content());
        }
        return body;
    }
}
