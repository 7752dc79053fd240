package dev.plumbline.api;

import dev.plumbline.conversation.PageRequest;
import dev.plumbline.http.ListJson;
import dev.plumbline.http.PageParser;
import dev.plumbline.http.SmallBody;
import dev.plumbline.recall.remote.NewTarget;
import dev.plumbline.recall.remote.RemoteTarget;
import dev.plumbline.recall.remote.Targets;
import dev.plumbline.security.Caller;
import java.util.Set;
import java.util.function.BiFunction;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** {@code /api/targets}. */
@Component
final class TargetsHandler {
    private final Targets targets;
    private final SmallBody body;

    TargetsHandler(Targets targets, SmallBody body) {
        this.targets = targets;
        this.body = body;
    }

    Mono<ServerResponse> list(ServerRequest request) {
        PageRequest page = PageParser.of(request, Set.of()).page(true);
        return targets.page(page).flatMap(found -> SmallBody.answer(ListJson.of(found, TargetJson::target)));
    }

    Mono<ServerResponse> one(ServerRequest request) {
        return targets.one(request.pathVariable("id")).flatMap(TargetsHandler::answer);
    }

    Mono<ServerResponse> create(ServerRequest request) {
        return written(request, targets::create);
    }

    Mono<ServerResponse> replace(ServerRequest request) {
        String id = request.pathVariable("id");
        return written(request, (wanted, author) -> targets.replace(id, wanted, author));
    }

    private Mono<ServerResponse> written(
            ServerRequest request, BiFunction<NewTarget, String, Mono<RemoteTarget>> write) {
        return request.principal().ofType(Caller.class).flatMap(caller -> body.bytes(request)
                .map(bytes -> NewTarget.of(body.map(request, bytes)))
                .flatMap(wanted -> write.apply(wanted, caller.userName()))
                .flatMap(TargetsHandler::answer));
    }

    Mono<ServerResponse> delete(ServerRequest request) {
        return targets.delete(request.pathVariable("id"))
                .flatMap(gone -> SmallBody.answer(ListJson.deleted(gone.id().toString(), "target")));
    }

    Mono<ServerResponse> check(ServerRequest request) {
        return targets.check(request.pathVariable("id")).flatMap(found -> SmallBody.answer(TargetJson.check(found)));
    }

    private static Mono<ServerResponse> answer(RemoteTarget target) {
        return SmallBody.answer(TargetJson.target(target));
    }
}
