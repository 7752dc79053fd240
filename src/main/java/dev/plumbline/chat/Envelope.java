package dev.plumbline.chat;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.HexFormat;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What every object of one answer repeats. */
record Envelope(String id, long created, String model, String fingerprint) {
    private static final int ID_BYTES = 12;

    /** An answer that begins now. */
    static Envelope create(String model, String fingerprint, SecureRandom random) {
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        String id = "chatcmpl-" + HexFormat.of().formatHex(bytes);
        return new Envelope(id, Instant.now().getEpochSecond(), model, fingerprint);
    }

    /** A JSON object of this kind with the common fields. */
    ObjectNode object(String kind) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("id", id)
                .put("object", kind)
                .put("created", created)
                .put("model", model)
                .put("system_fingerprint", fingerprint);
    }
}
