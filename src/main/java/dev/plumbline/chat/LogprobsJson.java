package dev.plumbline.chat;

import dev.plumbline.engine.TokenLogProbabilities;
import dev.plumbline.model.Tokenizer;
import dev.plumbline.target.ChatEvent.Score;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes {@code logprobs} objects. Stateless. */
record LogprobsJson(Tokenizer tokenizer) {
    /** OpenAI's number for a token without a probability; JSON has no infinity. */
    private static final float IMPOSSIBLE = -9999;

    ObjectNode of(List<Score> scores) {
        ObjectNode logprobs = JsonNodeFactory.instance.objectNode();
        ArrayNode content = logprobs.putArray("content");
        scores.forEach(score -> content.add(entry(score)));
        return logprobs.putNull("refusal");
    }

    private ObjectNode entry(Score score) {
        ObjectNode entry = token(score.token(), score.logProbabilities().chosen());
        ArrayNode top = entry.putArray("top_logprobs");
        for (TokenLogProbabilities.Alternative alternative :
                score.logProbabilities().top()) {
            top.add(token(alternative.token(), alternative.logProbability()));
        }
        return entry;
    }

    /** A token that is no text of its own has no bytes; one that is a part of a character has no readable text. */
    private ObjectNode token(int id, float logProbability) {
        byte[] bytes = tokenizer.bytes(id);
        String text = bytes.length > 0
                ? new String(bytes, StandardCharsets.UTF_8)
                : tokenizer.specialText(id).orElse("");
        ObjectNode node =
                JsonNodeFactory.instance.objectNode().put("token", text).put("logprob", finite(logProbability));
        if (bytes.length == 0) {
            return node.putNull("bytes");
        }
        ArrayNode values = node.putArray("bytes");
        for (byte b : bytes) {
            values.add(b & 0xff);
        }
        return node;
    }

    /** Also turns -0 into 0. */
    private static float finite(float logProbability) {
        return logProbability > IMPOSSIBLE ? logProbability + 0f : IMPOSSIBLE;
    }
}
