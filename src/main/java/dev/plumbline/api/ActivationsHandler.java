package dev.plumbline.api;

import dev.plumbline.conversation.PageRequest;
import dev.plumbline.engine.LaneProgress;
import dev.plumbline.http.ApiException;
import dev.plumbline.http.Ids;
import dev.plumbline.http.JsonFields;
import dev.plumbline.http.ListJson;
import dev.plumbline.http.PageParser;
import dev.plumbline.http.Refusal;
import dev.plumbline.http.ServedModel;
import dev.plumbline.http.SmallBody;
import dev.plumbline.runconfig.Activation;
import dev.plumbline.runconfig.Activations;
import dev.plumbline.runconfig.RunConfigRef;
import dev.plumbline.runconfig.Served;
import dev.plumbline.security.Caller;
import java.time.Duration;
import java.util.Set;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What makes run configs active, and {@code /api/activations}. */
@Component
final class ActivationsHandler {
    private static final String KIND = "activation";
    private static final int LONGEST_REASON = 500;
    private static final int PATIENCE_SECONDS = 30;
    private static final int MOST_PATIENCE_SECONDS = 300;

    private final Activations activations;
    private final ServedModel served;
    private final SmallBody body;

    ActivationsHandler(Activations activations, ServedModel served, SmallBody body) {
        this.activations = activations;
        this.served = served;
        this.body = body;
    }

    /**
     * What a client wants.
     *
     * @param version of the path's config; null leaves it to the path
     */
    private record Wish(Long version, String reason, Duration patience) {
        static Wish of(JsonFields fields, boolean versioned) {
            Long version = versioned ? fields.integer("version", 1, Integer.MAX_VALUE) : null;
            JsonNode reason = fields.required("reason");
            String words = JsonFields.text(reason, "reason");
            boolean odd = words.chars().anyMatch(Character::isISOControl);
            if (odd || words.isBlank() || words.codePointCount(0, words.length()) > LONGEST_REASON) {
                throw Refusal.value(
                        "reason",
                        reason,
                        "1 to " + LONGEST_REASON + " characters, not all blank, no control characters");
            }
            Long seconds = fields.integer("wait_seconds", 0, MOST_PATIENCE_SECONDS);
            fields.rejectUnread();
            return new Wish(version, words, Duration.ofSeconds(seconds == null ? PATIENCE_SECONDS : seconds));
        }
    }

    Mono<ServerResponse> activate(ServerRequest request) {
        RunConfigRef path = RunConfigsHandler.reference(request);
        return wish(request, true, (wish, author) -> {
            RunConfigRef ref = wish.version() == null ? path : versioned(path, wish.version());
            return activations.activate(served.loaded(), ref, wish.reason(), author, wish.patience());
        });
    }

    private static RunConfigRef versioned(RunConfigRef path, long version) {
        if (path.version() != null && path.version() != version) {
            throw ApiException.badRequest(
                    "version",
                    "invalid_value",
                    "'version' is " + version + " and the path says " + path + "; allowed: one of them, or the same.");
        }
        return new RunConfigRef(path.name(), (int) version);
    }

    Mono<ServerResponse> rollback(ServerRequest request) {
        return wish(
                request,
                false,
                (wish, author) -> activations.rollback(served.loaded(), wish.reason(), author, wish.patience()));
    }

    /** Does something that a client wants. */
    private interface Doing {
        Mono<Activations.Whole> of(Wish wish, String author);
    }

    private Mono<ServerResponse> wish(ServerRequest request, boolean versioned, Doing doing) {
        return request.principal().ofType(Caller.class).flatMap(caller -> body.read(request)
                .map(fields -> Wish.of(fields, versioned))
                .flatMap(wish -> doing.of(wish, caller.userName()))
                .flatMap(this::answer));
    }

    private Mono<ServerResponse> answer(Activations.Whole whole) {
        boolean over = whole.activation().status() != Activation.Status.IN_PROGRESS;
        return ServerResponse.status(over ? HttpStatus.OK : HttpStatus.ACCEPTED)
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(json(whole).toString());
    }

    private ObjectNode json(Activations.Whole whole) {
        return ActivationJson.whole(whole, percent(whole.activation()));
    }

    /** How much of the lane is built on this server; null once it is over. */
    private Integer percent(Activation activation) {
        if (activation.status() != Activation.Status.IN_PROGRESS) {
            return null;
        }
        String config = activation.to().toString();
        return served.ifLoaded().stream()
                .flatMap(target -> target.status().opening().stream())
                .filter(lane ->
                        lane.key().label().equals(config) || lane.key().label().startsWith(config + Served.OVERRIDE))
                .map(LaneProgress::percent)
                .findFirst()
                .orElse(null);
    }

    Mono<ServerResponse> list(ServerRequest request) {
        PageRequest page = PageParser.of(request, Set.of()).page(false);
        PageParser.requireIdAfter(page, "an activation");
        return activations
                .page(page)
                .switchIfEmpty(Mono.error(() -> PageParser.refused("after", page.after(), "the id of an activation")))
                .flatMap(found -> SmallBody.answer(ListJson.of(found, ActivationJson::activation)));
    }

    Mono<ServerResponse> one(ServerRequest request) {
        return Ids.found(request, KIND, activations::one).flatMap(found -> SmallBody.answer(json(found)));
    }
}
