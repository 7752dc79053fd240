package dev.plumbline.model;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Strict JSON: UTF-8, no duplicate keys, nothing after the value. */
final class Json {
    static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private Json() {}

    /** The object in this file. */
    static JsonNode readObject(Path file) {
        String subject = String.valueOf(file.getFileName());
        if (!Files.isRegularFile(file)) {
            throw new InvalidModelException(subject, "file not found: " + file, null);
        }
        try {
            return parseObject(subject, ByteBuffer.wrap(Files.readAllBytes(file)));
        } catch (IOException e) {
            throw new InvalidModelException(subject, "cannot be read: " + e.getMessage(), e);
        }
    }

    /** Parses UTF-8 JSON that must be an object. */
    static JsonNode parseObject(String subject, ByteBuffer utf8) {
        try {
            // Decoded here because Jackson would guess UTF-16 or UTF-32 from the first bytes.
            String text = StandardCharsets.UTF_8.newDecoder().decode(utf8).toString();
            JsonNode node = MAPPER.readTree(text);
            if (!node.isObject()) {
                throw new InvalidModelException(subject, "a JSON object is expected", null);
            }
            return node;
        } catch (CharacterCodingException e) {
            throw new InvalidModelException(subject, "is not valid UTF-8", e);
        } catch (JacksonException e) {
            throw new InvalidModelException(subject, "is not valid JSON: " + e.getOriginalMessage(), e);
        }
    }
}
