package dev.plumbline.api;

import dev.plumbline.conversation.PageRequest;
import dev.plumbline.http.Ids;
import dev.plumbline.http.ListJson;
import dev.plumbline.http.PageParser;
import dev.plumbline.http.SmallBody;
import dev.plumbline.schedule.NewSchedule;
import dev.plumbline.schedule.Schedules;
import dev.plumbline.security.Caller;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** {@code /api/schedules}. */
@Component
final class SchedulesHandler {
    private static final String KIND = "schedule";

    private final Schedules schedules;
    private final SmallBody body;

    SchedulesHandler(Schedules schedules, SmallBody body) {
        this.schedules = schedules;
        this.body = body;
    }

    Mono<ServerResponse> create(ServerRequest request) {
        return request.principal()
                .ofType(Caller.class)
                .flatMap(caller -> wanted(request)
                        .flatMap(wanted ->
                                schedules.create(wanted, caller.userName()).onErrorMap(sides(wanted)::named)))
                .flatMap(saved -> ServerResponse.status(HttpStatus.CREATED)
                        .contentType(MediaType.APPLICATION_JSON)
                        .bodyValue(ScheduleJson.saved(saved).toString()));
    }

    Mono<ServerResponse> replace(ServerRequest request) {
        return found(request, id -> wanted(request)
                        .flatMap(wanted -> schedules.replace(id, wanted).onErrorMap(sides(wanted)::named)))
                .flatMap(saved -> SmallBody.answer(ScheduleJson.saved(saved)));
    }

    private static SideRefusal sides(NewSchedule wanted) {
        return SideRefusal.of(wanted.baseline(), wanted.candidate());
    }

    private Mono<NewSchedule> wanted(ServerRequest request) {
        return body.bytes(request).map(bytes -> NewSchedule.of(body.map(request, bytes)));
    }

    Mono<ServerResponse> list(ServerRequest request) {
        PageRequest page = PageParser.of(request, Set.of()).page(true);
        PageParser.requireIdAfter(page, "a schedule");
        return schedules.page(page).flatMap(found -> SmallBody.answer(ListJson.of(found, ScheduleJson::schedule)));
    }

    Mono<ServerResponse> one(ServerRequest request) {
        return found(request, schedules::one).flatMap(found -> SmallBody.answer(ScheduleJson.schedule(found)));
    }

    Mono<ServerResponse> delete(ServerRequest request) {
        return found(request, schedules::delete)
                .flatMap(deleted -> SmallBody.answer(ListJson.deleted(request.pathVariable("id"), KIND + ".deleted")));
    }

    Mono<ServerResponse> runNow(ServerRequest request) {
        return found(request, schedules::runNow).flatMap(firing -> ServerResponse.status(HttpStatus.ACCEPTED)
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(ScheduleJson.firing(firing).toString()));
    }

    Mono<ServerResponse> firings(ServerRequest request) {
        PageRequest page = PageParser.of(request, Set.of()).page(false);
        PageParser.requireIdAfter(page, "a firing");
        return found(request, id -> schedules.firings(id, page))
                .flatMap(found -> SmallBody.answer(ListJson.of(found, ScheduleJson::firing)));
    }

    private static <T> Mono<T> found(ServerRequest request, Function<UUID, Mono<T>> use) {
        return Ids.found(request, KIND, use);
    }
}
