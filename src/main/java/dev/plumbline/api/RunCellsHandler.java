package dev.plumbline.api;

import dev.plumbline.conversation.PageRequest;
import dev.plumbline.http.ApiException;
import dev.plumbline.http.EventStream;
import dev.plumbline.http.ListJson;
import dev.plumbline.http.PageParser;
import dev.plumbline.http.Refusal;
import dev.plumbline.http.SmallBody;
import dev.plumbline.ops.Drain;
import dev.plumbline.recall.run.Prompts;
import dev.plumbline.recall.run.RunEvents;
import dev.plumbline.recall.run.RunStore;
import dev.plumbline.recall.run.StoredCell;
import dev.plumbline.recall.run.StoredRun;
import dev.plumbline.security.Caller;
import dev.plumbline.security.Scope;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The cells of a run, and what happens to them. */
@Component
final class RunCellsHandler {
    private static final int MOST_CELLS = 1000;
    private static final Pattern CELL_ID = Pattern.compile("[!-~]{1,200}");
    private static final String LAST_EVENT = "Last-Event-ID";
    private static final String EVENT_ALLOWED = "the number of an event, 0 for all of them";

    private final RunStore store;
    private final RunEvents events;
    private final Prompts prompts;
    private final Drain drain;

    RunCellsHandler(RunStore store, RunEvents events, Prompts prompts, Drain drain) {
        this.store = store;
        this.events = events;
        this.prompts = prompts;
        this.drain = drain;
    }

    Mono<ServerResponse> list(ServerRequest request) {
        PageParser parser = PageParser.of(request, RunParser.OF_CELLS);
        PageRequest page = parser.page(true, MOST_CELLS);
        PageParser.requireAfter(page, id -> CELL_ID.matcher(id).matches(), "the id of a cell");
        return RunsHandler.run(store, request)
                .flatMap(run -> store.cells(run.id(), page, RunParser.cells(parser)))
                .flatMap(found -> SmallBody.answer(ListJson.of(found, RunJson::cell)));
    }

    /** All of a run in few numbers. */
    Mono<ServerResponse> grid(ServerRequest request) {
        return RunsHandler.run(store, request)
                .flatMap(run -> store.grid(run.id()))
                .flatMap(grid -> SmallBody.answer(RunJson.grid(grid)));
    }

    /**
     * The prompt is built again, which needs a model that measures as the run did. In a text that somebody handed in, only
     * those see it who may hand one in.
     */
    Mono<ServerResponse> one(ServerRequest request) {
        String id = request.pathVariable("cell").replaceFirst("^/", "");
        Mono<Boolean> texts = request.principal().cast(Caller.class).map(caller -> caller.scopes()
                .contains(Scope.OPERATE));
        return RunsHandler.run(store, request).flatMap(run -> store.cell(run.id(), id)
                .switchIfEmpty(Mono.error(() -> Refusal.notFound("cell", id)))
                .flatMap(cell -> texts.flatMap(own -> withPrompt(run, cell, own))));
    }

    private Mono<ServerResponse> withPrompt(StoredRun run, StoredCell cell, boolean texts) {
        return prompts.of(run, cell.record().cell(), texts)
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .flatMap(prompt -> SmallBody.answer(RunJson.withPrompt(RunJson.cell(cell), prompt.orElse(null))));
    }

    /** A client that knows the last event of a run that has ended needs not come again, which 204 tells a browser. */
    Mono<ServerResponse> events(ServerRequest request) {
        Long known = known(request);
        return RunsHandler.run(store, request).flatMap(run -> {
            if (known != null && run.state().ended() && known >= run.events()) {
                return ServerResponse.noContent().build();
            }
            long after = known == null ? run.events() : Math.min(known, run.events());
            Flux<String> frames = events.follow(run.id(), after)
                    .takeUntilOther(drain.cut())
                    .concatMapIterable(batch -> RunFrames.of(batch, run.events()));
            return EventStream.respond(frames);
        });
    }

    private static Long known(ServerRequest request) {
        PageParser parser = PageParser.only(request, Set.of("after"));
        List<String> headers = request.headers().header(LAST_EVENT);
        String text = headers.isEmpty() ? parser.text("after") : headers.get(0);
        if (text == null || text.isEmpty()) {
            return null;
        }
        if (!text.matches("[0-9]{1,18}")) {
            throw headers.isEmpty()
                    ? PageParser.refused("after", text, EVENT_ALLOWED)
                    : ApiException.invalid(
                            HttpStatus.BAD_REQUEST,
                            LAST_EVENT,
                            "invalid_value",
                            "Invalid value for '" + LAST_EVENT + "': '" + Refusal.shorten(text) + "'; allowed: "
                                    + EVENT_ALLOWED + ".");
        }
        return Long.valueOf(text);
    }
}
