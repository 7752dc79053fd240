package dev.plumbline.chat;

import dev.plumbline.conversation.PageRequest;
import dev.plumbline.conversation.StoredCompletions;
import dev.plumbline.http.JsonFields;
import dev.plumbline.http.ListJson;
import dev.plumbline.http.PageParser;
import dev.plumbline.http.Refusal;
import dev.plumbline.http.SmallBody;
import java.util.Map;
import java.util.Set;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** Stored completions: {@code /v1/chat/completions} but its POST. */
@Component
final class CompletionsHandler {
    private static final String KIND = "completion";

    private final StoredCompletions completions;
    private final SmallBody body;

    CompletionsHandler(StoredCompletions completions, SmallBody body) {
        this.completions = completions;
        this.body = body;
    }

    Mono<ServerResponse> list(ServerRequest request) {
        PageParser parser = PageParser.of(request, Set.of("model", "metadata"));
        PageRequest page = parser.page(true);
        PageParser.requireAfter(page, Envelope::isId, "the id of a completion");
        return Owner.of(request)
                .flatMap(owner -> completions.page(owner, page, parser.text("model"), parser.metadata()))
                .flatMap(found -> SmallBody.answer(ListJson.of(found, HistoryJson::completion)));
    }

    Mono<ServerResponse> one(ServerRequest request) {
        String id = request.pathVariable("id");
        return Owner.of(request)
                .flatMap(owner -> completions.one(owner, id))
                .switchIfEmpty(missing(id))
                .flatMap(answer -> SmallBody.answer(HistoryJson.completion(answer)));
    }

    Mono<ServerResponse> update(ServerRequest request) {
        String id = request.pathVariable("id");
        return body.read(request)
                .map(CompletionsHandler::metadata)
                .flatMap(pairs -> Owner.of(request).flatMap(owner -> completions.update(owner, id, pairs)))
                .switchIfEmpty(missing(id))
                .flatMap(answer -> SmallBody.answer(HistoryJson.completion(answer)));
    }

    private static Map<String, String> metadata(JsonFields fields) {
        fields.required("metadata");
        Map<String, String> pairs = HistoryParser.metadata(fields);
        fields.rejectUnread();
        return pairs;
    }

    Mono<ServerResponse> delete(ServerRequest request) {
        String id = request.pathVariable("id");
        return Owner.of(request)
                .flatMap(owner -> completions.delete(owner, id))
                .switchIfEmpty(missing(id))
                .flatMap(done -> SmallBody.answer(ListJson.deleted(id, "chat.completion.deleted")));
    }

    Mono<ServerResponse> messages(ServerRequest request) {
        String id = request.pathVariable("id");
        PageRequest page = positions(id, PageParser.of(request, Set.of()).page(true));
        return Owner.of(request)
                .flatMap(owner -> completions.messages(owner, id, page))
                .switchIfEmpty(missing(id))
                .flatMap(found -> SmallBody.answer(ListJson.of(found, message -> HistoryJson.message(id, message))));
    }

    /** Ids of messages are the completion's id and a position. */
    private static PageRequest positions(String id, PageRequest page) {
        if (page.after() == null) {
            return page;
        }
        String prefix = id + "-";
        String position = page.after().startsWith(prefix) ? page.after().substring(prefix.length()) : "";
        if (!position.matches("[0-9]{1,4}")) {
            throw PageParser.refused("after", page.after(), "the id of a message");
        }
        return new PageRequest(page.limit(), position, page.ascending());
    }

    private static <T> Mono<T> missing(String id) {
        return Mono.error(() -> Refusal.notFound(KIND, id));
    }
}
