package dev.plumbline.chat;

import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What every object of one answer repeats. */
record Envelope(String id, long created, String model, String fingerprint, String runConfig) {
    private static final String PREFIX = "chatcmpl-";
    private static final int TIME_DIGITS = 14;
    private static final int RANDOM_BYTES = 9;

    /** An answer that begins now. Ids grow with time, so that a list can go on after one that is gone. */
    static Envelope create(String model, String fingerprint, String runConfig, SecureRandom random) {
        Instant now = Instant.now();
        byte[] bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        HexFormat hex = HexFormat.of();
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, now);
        String id = PREFIX + hex.toHexDigits(micros, TIME_DIGITS) + hex.formatHex(bytes);
        return new Envelope(id, now.getEpochSecond(), model, fingerprint, runConfig);
    }

    /** Whether a text could be the id of an answer. */
    static boolean isId(String text) {
        return text.matches(PREFIX + "[0-9a-f]{24,40}");
    }

    /** A JSON object of this kind with the common fields. */
    ObjectNode object(String kind) {
        ObjectNode node = JsonNodeFactory.instance
                .objectNode()
                .put("id", id)
                .put("object", kind)
                .put("created", created)
                .put("model", model)
                .put("system_fingerprint", fingerprint);
        node.putObject("plumbline").put("run_config", runConfig);
        return node;
    }
}
