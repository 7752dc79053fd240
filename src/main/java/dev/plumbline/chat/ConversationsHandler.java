package dev.plumbline.chat;

import dev.plumbline.conversation.Conversations;
import dev.plumbline.conversation.PageRequest;
import dev.plumbline.conversation.StoredConversation;
import dev.plumbline.http.Ids;
import dev.plumbline.http.JsonFields;
import dev.plumbline.http.ListJson;
import dev.plumbline.http.PageParser;
import dev.plumbline.http.Refusal;
import dev.plumbline.http.SmallBody;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/** {@code /api/conversations}. */
@Component
final class ConversationsHandler {
    private static final String KIND = "conversation";

    private final Conversations conversations;
    private final SmallBody body;

    ConversationsHandler(Conversations conversations, SmallBody body) {
        this.conversations = conversations;
        this.body = body;
    }

    Mono<ServerResponse> create(ServerRequest request) {
        return body.read(request)
                .map(Change::of)
                .flatMap(change -> Owner.of(request)
                        .flatMap(owner -> conversations.create(
                                owner,
                                change.title() == null ? "" : change.title(),
                                change.metadata() == null ? Map.of() : change.metadata())))
                .flatMap(made -> SmallBody.answer(HistoryJson.conversation(made)));
    }

    Mono<ServerResponse> list(ServerRequest request) {
        PageParser parser = PageParser.of(request, Set.of("query"));
        PageRequest page = parser.page(false);
        PageParser.requireIdAfter(page, "a conversation");
        return Owner.of(request)
                .flatMap(owner -> conversations.page(owner, page, parser.text("query")))
                .flatMap(found -> SmallBody.answer(ListJson.of(found, HistoryJson::conversation)));
    }

    Mono<ServerResponse> one(ServerRequest request) {
        return whole(request, conversation -> ServerResponse.ok());
    }

    Mono<ServerResponse> export(ServerRequest request) {
        return whole(request, conversation -> {
            String name = "conversation-" + conversation.path("id").asString() + ".json";
            conversation.put("exported", Instant.now().getEpochSecond());
            return ServerResponse.ok().header(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"" + name + "\"");
        });
    }

    /** A conversation with its turns, which are read as the client takes them. */
    private Mono<ServerResponse> whole(
            ServerRequest request, Function<ObjectNode, ServerResponse.BodyBuilder> response) {
        return id(request).flatMap(id -> Owner.of(request)
                .flatMap(owner -> conversations.one(owner, id).flatMap(found -> {
                    ObjectNode head = HistoryJson.conversation(found);
                    return response.apply(head)
                            .contentType(MediaType.APPLICATION_JSON)
                            .body(HistoryJson.withTurns(head, conversations.exchanges(owner, id)));
                }))
                .switchIfEmpty(missing(id.toString())));
    }

    Mono<ServerResponse> update(ServerRequest request) {
        return id(request).flatMap(id -> body.read(request)
                .map(Change::of)
                .flatMap(change -> Owner.of(request)
                        .flatMap(owner -> conversations.update(owner, id, change.title(), change.metadata())))
                .switchIfEmpty(missing(id.toString()))
                .flatMap(this::answer));
    }

    private Mono<ServerResponse> answer(StoredConversation conversation) {
        return SmallBody.answer(HistoryJson.conversation(conversation));
    }

    Mono<ServerResponse> delete(ServerRequest request) {
        return id(request).flatMap(id -> Owner.of(request)
                .flatMap(owner -> conversations.delete(owner, id))
                .switchIfEmpty(missing(id.toString()))
                .flatMap(done -> SmallBody.answer(ListJson.deleted(id.toString(), "conversation.deleted"))));
    }

    private static Mono<UUID> id(ServerRequest request) {
        String text = request.pathVariable("id");
        return Mono.justOrEmpty(Ids.parse(text)).switchIfEmpty(missing(text));
    }

    private static <T> Mono<T> missing(String id) {
        return Mono.error(() -> Refusal.notFound(KIND, id));
    }

    /** What a client may set; null leaves it. */
    private record Change(String title, Map<String, String> metadata) {
        static Change of(JsonFields fields) {
            Change change = new Change(HistoryParser.title(fields), HistoryParser.metadata(fields));
            fields.rejectUnread();
            return change;
        }
    }
}
