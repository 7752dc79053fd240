package dev.plumbline.conversation;

import dev.plumbline.model.ChatMessage;
import dev.plumbline.usage.Charge;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * An answer that is about to be generated.
 *
 * @param id what clients call it
 * @param owner who asked
 * @param thread the conversation that it continues, or null
 * @param listed whether it is a stored completion of its own
 * @param model name of the model
 * @param fingerprint names program and precision profile
 * @param runConfig the run config that answers, as {@code name@version}
 * @param metadata the client's own pairs
 * @param created when its client asked, as every part of the answer says
 * @param messages what the request brought
 * @param charge what the answer uses, to be stored with its end
 */
public record NewAnswer(
        String id,
        String owner,
        ConversationThread thread,
        boolean listed,
        String model,
        String fingerprint,
        String runConfig,
        Map<String, String> metadata,
        Instant created,
        List<ChatMessage> messages,
        Charge charge) {}
