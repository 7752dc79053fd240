package dev.plumbline.api;

import dev.plumbline.conversation.PageRequest;
import dev.plumbline.http.Ids;
import dev.plumbline.http.ListJson;
import dev.plumbline.http.PageParser;
import dev.plumbline.http.Refusal;
import dev.plumbline.http.ServedModel;
import dev.plumbline.http.SmallBody;
import dev.plumbline.recall.run.RunStore;
import dev.plumbline.recall.run.Runs;
import dev.plumbline.recall.run.StoredRun;
import dev.plumbline.recall.suite.stored.StoredSuite;
import dev.plumbline.recall.suite.stored.SuiteStore;
import dev.plumbline.security.Caller;
import java.util.Set;
import java.util.UUID;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** {@code /api/runs} but their cells. */
@Component
final class RunsHandler {
    static final String KIND = "run";

    private final Runs runs;
    private final RunStore store;
    private final SuiteStore suites;
    private final ServedModel served;
    private final SmallBody body;

    RunsHandler(Runs runs, RunStore store, SuiteStore suites, ServedModel served, SmallBody body) {
        this.runs = runs;
        this.store = store;
        this.suites = suites;
        this.served = served;
        this.body = body;
    }

    Mono<ServerResponse> start(ServerRequest request) {
        return request.principal().ofType(Caller.class).flatMap(caller -> body.read(request)
                .map(RunParser::wish)
                .doOnNext(wish -> served.loaded())
                .flatMap(wish -> suites.one(wish.suite())
                        .map(StoredSuite::suite)
                        .flatMap(suite -> runs.start(wish.by(caller.userName(), suite))))
                .flatMap(run -> answer(HttpStatus.ACCEPTED, run)));
    }

    Mono<ServerResponse> list(ServerRequest request) {
        PageParser parser = PageParser.of(request, Set.of("suite", "run_config", "state"));
        PageRequest page = parser.page(false);
        PageParser.requireIdAfter(page, "a run");
        return store.page(page, RunParser.runs(parser))
                .flatMap(found -> SmallBody.answer(ListJson.of(found, RunJson::run)));
    }

    Mono<ServerResponse> one(ServerRequest request) {
        return run(store, request).flatMap(run -> answer(HttpStatus.OK, run));
    }

    Mono<ServerResponse> cancel(ServerRequest request) {
        return id(request)
                .flatMap(id -> store.cancel(id).switchIfEmpty(missing(id.toString())))
                .flatMap(run -> answer(HttpStatus.OK, run));
    }

    Mono<ServerResponse> delete(ServerRequest request) {
        return id(request).flatMap(id -> store.delete(id)
                .switchIfEmpty(missing(id.toString()))
                .flatMap(done -> SmallBody.answer(ListJson.deleted(id.toString(), "run.deleted"))));
    }

    /** The run that a path names. */
    static Mono<StoredRun> run(RunStore store, ServerRequest request) {
        return id(request).flatMap(id -> store.find(id).switchIfEmpty(missing(id.toString())));
    }

    private static Mono<UUID> id(ServerRequest request) {
        String text = request.pathVariable("id");
        return Mono.justOrEmpty(Ids.parse(text)).switchIfEmpty(missing(text));
    }

    private static <T> Mono<T> missing(String id) {
        return Mono.error(() -> Refusal.notFound(KIND, id));
    }

    private static Mono<ServerResponse> answer(HttpStatus status, StoredRun run) {
        return ServerResponse.status(status)
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(RunJson.run(run).toString());
    }
}
