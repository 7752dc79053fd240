package dev.plumbline.api;

import dev.plumbline.conversation.PageRequest;
import dev.plumbline.http.Ids;
import dev.plumbline.http.ListJson;
import dev.plumbline.http.PageParser;
import dev.plumbline.http.SmallBody;
import dev.plumbline.security.Caller;
import dev.plumbline.security.Keys;
import java.util.Set;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** {@code /api/keys}. */
@Component
final class KeysHandler {
    private static final String KIND = "key";

    private final Keys keys;
    private final SmallBody body;

    KeysHandler(Keys keys, SmallBody body) {
        this.keys = keys;
        this.body = body;
    }

    Mono<ServerResponse> list(ServerRequest request) {
        PageRequest page = PageParser.of(request, Set.of()).page(true);
        return keys.page(page)
                .switchIfEmpty(Mono.error(() -> PageParser.refused("after", page.after(), "the id of a key")))
                .flatMap(found -> SmallBody.answer(ListJson.of(found, AccountJson::key)));
    }

    Mono<ServerResponse> create(ServerRequest request) {
        return request.principal().ofType(Caller.class).flatMap(caller -> body.read(request)
                .map(AccountParser::key)
                .flatMap(wanted -> keys.create(wanted.key(), wanted.user(), caller))
                .flatMap(made -> SmallBody.answer(AccountJson.made(made))));
    }

    Mono<ServerResponse> revoke(ServerRequest request) {
        return Ids.found(request, KIND, keys::revoke).flatMap(key -> SmallBody.answer(AccountJson.key(key)));
    }
}
