package dev.plumbline.http;

import java.util.List;
import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** Bodies of requests that may be YAML, and files of it as answers. */
public final class YamlBody {
    private static final MediaType YAML = MediaType.parseMediaType("application/yaml;charset=UTF-8");
    private static final List<MediaType> TYPES = List.of(
            MediaType.parseMediaType("application/yaml"),
            MediaType.parseMediaType("application/x-yaml"),
            MediaType.parseMediaType("text/yaml"));

    private YamlBody() {}

    /** Whether a request says that its body is YAML. */
    public static boolean is(ServerRequest request) {
        String type = request.headers().firstHeader(HttpHeaders.CONTENT_TYPE);
        try {
            MediaType media = type == null ? MediaType.APPLICATION_JSON : MediaType.parseMediaType(type);
            return TYPES.stream().anyMatch(yaml -> yaml.equalsTypeAndSubtype(media));
        } catch (InvalidMediaTypeException e) {
            return false;
        }
    }

    /** A file to save. */
    public static Mono<ServerResponse> file(String name, byte[] utf8) {
        return ServerResponse.ok()
                .contentType(YAML)
                .header(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"" + name + "\"")
                .bodyValue(utf8);
    }
}
