package dev.plumbline.chat;

import dev.plumbline.http.ApiException;
import dev.plumbline.http.JsonFields;
import dev.plumbline.http.Refusal;
import dev.plumbline.model.ThinkingMode;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** The two spellings of the reasoning switch: DeepSeek's {@code thinking} and OpenAI's {@code reasoning_effort}. */
final class ThinkingParser {
    private static final Set<String> OFF = Set.of("none", "minimal");
    private static final Set<String> ON = Set.of("low", "medium", "high");

    private ThinkingParser() {}

    /** Whether the model is to think first; it does not unless asked to. */
    static ThinkingMode parse(JsonFields fields) {
        Boolean byEffort = effort(fields);
        Boolean bySwitch = thinking(fields);
        if (byEffort != null && bySwitch != null && !byEffort.equals(bySwitch)) {
            throw ApiException.badRequest(
                    "reasoning_effort",
                    "invalid_value",
                    "'reasoning_effort' and 'thinking' contradict each other; allowed: one of them, or agreeing values.");
        }
        boolean on = Boolean.TRUE.equals(byEffort) || Boolean.TRUE.equals(bySwitch);
        return on ? ThinkingMode.THINKING : ThinkingMode.CHAT;
    }

    private static Boolean effort(JsonFields fields) {
        JsonNode value = fields.node("reasoning_effort");
        if (value == null) {
            return null;
        }
        String effort = JsonFields.text(value, "reasoning_effort");
        if (!OFF.contains(effort) && !ON.contains(effort)) {
            throw Refusal.unsupported("reasoning_effort", value, "none, minimal, low, medium, high");
        }
        return ON.contains(effort);
    }

    private static Boolean thinking(JsonFields fields) {
        JsonFields thinking = fields.object("thinking");
        if (thinking == null) {
            return null;
        }
        JsonNode value = thinking.required("type");
        String type = JsonFields.text(value, "thinking.type");
        if (!type.equals("enabled") && !type.equals("disabled")) {
            throw Refusal.value("thinking.type", value, "enabled, disabled");
        }
        thinking.rejectUnread();
        return type.equals("enabled");
    }
}
