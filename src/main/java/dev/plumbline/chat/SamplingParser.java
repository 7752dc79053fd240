package dev.plumbline.chat;

import dev.plumbline.engine.SamplingParameters;
import dev.plumbline.http.ApiException;
import dev.plumbline.http.JsonFields;
import dev.plumbline.http.Refusal;
import dev.plumbline.target.ChatPrompt;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** How tokens are to be chosen. */
final class SamplingParser {
    private SamplingParser() {}

    static SamplingParameters parse(JsonFields fields) {
        Long seed = fields.integer("seed", Long.MIN_VALUE, Long.MAX_VALUE);
        return new SamplingParameters(
                (float) fields.number("temperature", 0, 2, 1),
                nucleus((float) fields.number("top_p", 0, 1, 1)),
                seed != null ? seed : ChatPrompt.randomSeed(),
                (float) fields.number("presence_penalty", -2, 2, 0),
                (float) fields.number("frequency_penalty", -2, 2, 0),
                bias(fields));
    }

    /** OpenAI allows 0: the nucleus then is the most probable token alone. */
    static float nucleus(float topP) {
        return Math.max(topP, Float.MIN_NORMAL);
    }

    /** Refuses a bias for a token that the model does not have. */
    static void requireKnown(SamplingParameters sampling, int vocabulary) {
        for (int token : sampling.logitBias().keySet()) {
            if (token >= vocabulary) {
                throw ApiException.badRequest(
                        "logit_bias." + token,
                        "invalid_value",
                        "Invalid key in 'logit_bias': token " + token + "; allowed: 0 to " + (vocabulary - 1) + ".");
            }
        }
    }

    private static Map<Integer, Float> bias(JsonFields fields) {
        JsonFields object = fields.object("logit_bias");
        Map<Integer, Float> bias = new HashMap<>();
        if (object != null) {
            for (String key : object.names()) {
                String path = object.path(Refusal.shorten(key));
                JsonNode value = object.required(key);
                bias.put(tokenId(key, path), (float) JsonFields.number(value, path, -100, 100));
            }
        }
        return bias;
    }

    private static int tokenId(String key, String path) {
        try {
            int id = Integer.parseInt(key);
            if (id >= 0) {
                return id;
            }
        } catch (NumberFormatException e) {
            // Refused below, like a negative id.
        }
        throw ApiException.badRequest(
                path,
                "invalid_value",
                "Invalid key in 'logit_bias': '" + Refusal.shorten(key) + "'; allowed: token ids.");
    }
}
