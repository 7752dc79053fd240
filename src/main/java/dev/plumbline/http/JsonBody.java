package dev.plumbline.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Strict JSON: UTF-8, one object, no key twice, nothing after it. */
@Component
public final class JsonBody {
    private static final int DEPTH = 64;

    /** A node of the parsed tree takes many times the bytes of its text. */
    private static final int TOKENS = 200_000;

    private final JsonMapper mapper = JsonMapper.builder(JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEPTH)
                            .maxTokenCount(TOKENS)
                            .maxStringLength(BodyReader.LIMIT)
                            .build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /** Refuses a body that says it is no JSON. */
    public static void requireType(ServerRequest request) {
        requireType(request, "application/json");
    }

    /** The same in words that tell what else is allowed. */
    static void requireType(ServerRequest request, String allowed) {
        String type = request.headers().firstHeader(HttpHeaders.CONTENT_TYPE);
        if (type != null && !isJson(type)) {
            throw ApiException.badRequest(
                    null,
                    "unsupported_content_type",
                    "Unsupported content type: '" + Refusal.shorten(type) + "'; allowed: " + allowed + ".");
        }
    }

    private static boolean isJson(String type) {
        try {
            return MediaType.parseMediaType(type).isCompatibleWith(MediaType.APPLICATION_JSON);
        } catch (InvalidMediaTypeException e) {
            return false;
        }
    }

    /** Parses a request body. */
    public JsonNode parse(byte[] body) {
        JsonNode node = tree(decode(body));
        if (node == null || !node.isObject()) {
            throw ApiException.badRequest(null, "invalid_json", "The request body must be a JSON object.");
        }
        return node;
    }

    private static String decode(byte[] body) {
        try {
            // By hand: Jackson would guess UTF-16 or UTF-32 from the first bytes.
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString();
        } catch (CharacterCodingException e) {
            throw ApiException.badRequest(null, "invalid_utf8", "The request body is not valid UTF-8.");
        }
    }

    private JsonNode tree(String text) {
        try {
            return mapper.readTree(text);
        } catch (JacksonException e) {
            TokenStreamLocation location = e.getLocation();
            String where =
                    location == null ? "" : " at line " + location.getLineNr() + ", column " + location.getColumnNr();
            // Jackson's own words may quote the body; the position is enough.
            throw ApiException.badRequest(
                    null, "invalid_json", "The request body is not valid JSON" + where + reason(e) + ".");
        }
    }

    private static String reason(JacksonException e) {
        String words = String.valueOf(e.getOriginalMessage());
        if (words.startsWith("Duplicate")) {
            return " (a key stands twice in one object)";
        }
        if (words.contains("nesting depth")) {
            return " (nested deeper than " + DEPTH + ")";
        }
        return words.contains("Token count") ? " (more than " + TOKENS + " keys, values and brackets)" : "";
    }
}
