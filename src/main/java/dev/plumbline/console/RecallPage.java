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

/** The page of recall: verdicts, runs, comparisons, schedules, targets and suites. Its frame only; what is in it comes through the API. */
@Component
final class RecallPage {

    Mono<ServerResponse> page(ServerRequest request) {
        return Mono.zip(request.principal().ofType(Caller.class), CsrfTokens.of(request))
                .flatMap(both -> page(both.getT1(), both.getT2()))
                .switchIfEmpty(ServerResponse.seeOther(URI.create("/login")).build());
    }

    private static Mono<ServerResponse> page(Caller caller, CsrfToken token) {
        Map<String, Object> model = new HashMap<>();
        model.put("user", caller.userName());
        model.put("csrf", token);
        model.put("operate", caller.scopes().contains(Scope.OPERATE));
        return ServerResponse.ok()
                .contentType(MediaType.TEXT_HTML)
                .cacheControl(CacheControl.noStore())
                .render("recall", model);
    }
}
