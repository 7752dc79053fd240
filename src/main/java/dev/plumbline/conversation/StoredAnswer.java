package dev.plumbline.conversation;

import dev.plumbline.target.ChatEvent.Usage;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/**
 * An answer as it is stored.
 *
 * @param seq its place among all answers
 * @param id what clients call it
 * @param conversation the conversation it belongs to, or null
 * @param model name of the model
 * @param fingerprint names program and precision profile
 * @param runConfig the run config that answered, as {@code name@version}; null if there were none yet
 * @param metadata the client's own pairs
 * @param status how far it came
 * @param content what was generated up to the last commit
 * @param reasoning what the model thought before
 * @param finishReason {@code stop} or {@code length}; null unless complete
 * @param usage null unless complete
 * @param created when its request was stored
 */
public record StoredAnswer(
        long seq,
        String id,
        UUID conversation,
        String model,
        String fingerprint,
        String runConfig,
        Map<String, String> metadata,
        Status status,
        String content,
        String reasoning,
        String finishReason,
        Usage usage,
        Instant created) {}
