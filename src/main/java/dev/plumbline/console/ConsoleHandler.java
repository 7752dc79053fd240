package dev.plumbline.console;

import dev.plumbline.security.Caller;
import dev.plumbline.security.CsrfTokens;
import dev.plumbline.security.Scope;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.security.web.server.csrf.CsrfToken;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** The page, and the part of it that renews itself. */
@Component
final class ConsoleHandler {
    private final EngineReporter engine;

    ConsoleHandler(EngineReporter engine) {
        this.engine = engine;
    }

    /** Only who may operate the server sees its engine. A key is no way in: the page could do nothing with it. */
    Mono<ServerResponse> page(ServerRequest request) {
        return Mono.zip(request.principal().ofType(Caller.class), CsrfTokens.of(request))
                .flatMap(both -> page(both.getT1(), both.getT2()))
                .switchIfEmpty(ServerResponse.seeOther(URI.create("/login")).build());
    }

    private Mono<ServerResponse> page(Caller caller, CsrfToken token) {
        Map<String, Object> model = new HashMap<>();
        model.put("card", caller.scopes().contains(Scope.OPERATE) ? EngineCard.of(engine.report()) : null);
        model.put("user", caller.userName());
        model.put("csrf", token);
        return html("console", model);
    }

    Mono<ServerResponse> card(ServerRequest request) {
        return html("engine", Map.of("card", EngineCard.of(engine.report())));
    }

    private static Mono<ServerResponse> html(String template, Map<String, ?> model) {
        return ServerResponse.ok()
                .contentType(MediaType.TEXT_HTML)
                .cacheControl(CacheControl.noStore())
                .render(template, model);
    }
}
