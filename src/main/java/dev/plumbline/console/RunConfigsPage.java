package dev.plumbline.console;

import dev.plumbline.precision.Flag;
import dev.plumbline.security.Caller;
import dev.plumbline.security.CsrfTokens;
import dev.plumbline.security.Scope;
import java.net.URI;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.security.web.server.csrf.CsrfToken;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** The page of run configs: its frame and the fields of the editor. What is in them comes through the API. */
@Component
final class RunConfigsPage {
    private static final List<EditorField> FIELDS =
            Arrays.stream(Flag.values()).map(EditorField::of).toList();

    /**
     * A flag as the editor asks for it.
     *
     * @param key of the flag
     * @param choices what it may be; empty for a number
     * @param allowed what it may be, for people
     * @param explanation what it is and what it costs
     * @param arithmetic whether it may change an answer
     */
    record EditorField(String key, List<String> choices, String allowed, String explanation, boolean arithmetic) {
        private static EditorField of(Flag flag) {
            String more = flag == Flag.INDEX_TOPK ? ", or a multiple of the model's: 2x to 999x" : "";
            return new EditorField(
                    flag.key(), flag.choices(), flag.allowed() + more, flag.explanation(), flag.arithmetic());
        }
    }

    Mono<ServerResponse> page(ServerRequest request) {
        return Mono.zip(request.principal().ofType(Caller.class), CsrfTokens.of(request))
                .flatMap(both -> page(both.getT1(), both.getT2()))
                .switchIfEmpty(ServerResponse.seeOther(URI.create("/login")).build());
    }

    private static Mono<ServerResponse> page(Caller caller, CsrfToken token) {
        Map<String, Object> model = new HashMap<>();
        model.put("user", caller.userName());
        model.put("csrf", token);
        model.put("fields", FIELDS);
        model.put("operate", caller.scopes().contains(Scope.OPERATE));
        return ServerResponse.ok()
                .contentType(MediaType.TEXT_HTML)
                .cacheControl(CacheControl.noStore())
                .render("run-configs", model);
    }
}
