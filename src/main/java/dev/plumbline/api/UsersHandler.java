package dev.plumbline.api;

import dev.plumbline.conversation.PageRequest;
import dev.plumbline.http.Ids;
import dev.plumbline.http.ListJson;
import dev.plumbline.http.PageParser;
import dev.plumbline.http.Refusal;
import dev.plumbline.http.SmallBody;
import dev.plumbline.security.Users;
import java.util.Set;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** {@code /api/users}. */
@Component
final class UsersHandler {
    private static final String KIND = "user";

    private final Users users;
    private final SmallBody body;

    UsersHandler(Users users, SmallBody body) {
        this.users = users;
        this.body = body;
    }

    Mono<ServerResponse> list(ServerRequest request) {
        PageRequest page = PageParser.of(request, Set.of()).page(true);
        return users.page(page)
                .switchIfEmpty(Mono.error(() -> PageParser.refused("after", page.after(), "the id of a user")))
                .flatMap(found -> SmallBody.answer(ListJson.of(found, AccountJson::user)));
    }

    Mono<ServerResponse> create(ServerRequest request) {
        return body.read(request)
                .map(AccountParser::user)
                .flatMap(users::create)
                .flatMap(user -> SmallBody.answer(AccountJson.user(user)));
    }

    Mono<ServerResponse> change(ServerRequest request) {
        String text = request.pathVariable("id");
        return body.read(request)
                .map(AccountParser::change)
                .flatMap(change -> Mono.justOrEmpty(Ids.parse(text)).flatMap(id -> users.change(id, change)))
                .switchIfEmpty(Mono.error(() -> Refusal.notFound(KIND, text)))
                .flatMap(user -> SmallBody.answer(AccountJson.user(user)));
    }
}
