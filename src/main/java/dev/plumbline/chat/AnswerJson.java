package dev.plumbline.chat;

import dev.plumbline.target.ChatEvent.Reason;
import dev.plumbline.target.ChatEvent.Usage;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Parts that whole and streamed answers share. */
final class AnswerJson {
    private AnswerJson() {}

    static ObjectNode usage(Usage usage) {
        ObjectNode node = JsonNodeFactory.instance
                .objectNode()
                .put("prompt_tokens", usage.promptTokens())
                .put("completion_tokens", usage.completionTokens())
                .put("total_tokens", usage.promptTokens() + usage.completionTokens());
        node.putObject("prompt_tokens_details")
                .put("cached_tokens", usage.cachedTokens())
                .put("audio_tokens", 0);
        node.putObject("completion_tokens_details")
                .put("reasoning_tokens", usage.reasoningTokens())
                .put("audio_tokens", 0)
                .put("accepted_prediction_tokens", 0)
                .put("rejected_prediction_tokens", 0);
        return node;
    }

    /** One choice; {@code field} is {@code message} or {@code delta}. */
    static ObjectNode choice(int index, String field, ObjectNode said, ObjectNode logprobs, Reason reason) {
        ObjectNode choice = JsonNodeFactory.instance.objectNode().put("index", index);
        choice.set(field, said);
        choice.set("logprobs", logprobs);
        return choice.put("finish_reason", reason == null ? null : reason(reason));
    }

    private static String reason(Reason reason) {
        return switch (reason) {
            case STOP -> "stop";
            case LENGTH -> "length";
        };
    }
}
