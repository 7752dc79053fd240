package dev.plumbline.http;

import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.springframework.web.reactive.function.server.ServerRequest;
import reactor.core.publisher.Mono;

/** Ids as clients write them. */
public final class Ids {
    private Ids() {}

    /**
     * What is found under the {@code id} of the path; a refusal of status 404 if nothing is.
     *
     * @param kind what it would be, for the refusal
     */
    public static <T> Mono<T> found(ServerRequest request, String kind, Function<UUID, Mono<T>> find) {
        String text = request.pathVariable("id");
        return Mono.justOrEmpty(parse(text))
                .flatMap(find)
                .switchIfEmpty(Mono.error(() -> Refusal.notFound(kind, text)));
    }

    /** The id, or empty for a text that is none: what it names does not exist. */
    public static Optional<UUID> parse(String text) {
        try {
            UUID id = UUID.fromString(text);
            return id.toString().equalsIgnoreCase(text) ? Optional.of(id) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
