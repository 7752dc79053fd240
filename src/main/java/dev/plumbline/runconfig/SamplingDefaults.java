package dev.plumbline.runconfig;

import dev.plumbline.document.DocumentFields;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Sampling fields that a run config gives to requests that leave them out; each may be null.
 *
 * @param temperature 0 to 2
 * @param topP 0 to 1
 * @param presencePenalty -2 to 2
 * @param frequencyPenalty -2 to 2
 * @param maxCompletionTokens at least 1
 */
public record SamplingDefaults(
        Double temperature, Double topP, Double presencePenalty, Double frequencyPenalty, Integer maxCompletionTokens) {

    /** Leaves everything to the request and the server. */
    public static final SamplingDefaults NONE = new SamplingDefaults(null, null, null, null, null);

    /** Reads the object {@code sampling} of a document. */
    static SamplingDefaults of(DocumentFields fields) {
        SamplingDefaults defaults = new SamplingDefaults(
                fields.number("temperature", 0, 2),
                fields.number("top_p", 0, 1),
                fields.number("presence_penalty", -2, 2),
                fields.number("frequency_penalty", -2, 2),
                fields.integer("max_completion_tokens", 1));
        fields.rejectUnread();
        return defaults;
    }

    /** The fields that are set, by their names in requests. */
    public Map<String, Number> fields() {
        Map<String, Number> fields = new LinkedHashMap<>();
        put(fields, "temperature", temperature);
        put(fields, "top_p", topP);
        put(fields, "presence_penalty", presencePenalty);
        put(fields, "frequency_penalty", frequencyPenalty);
        put(fields, "max_completion_tokens", maxCompletionTokens);
        return Collections.unmodifiableMap(fields);
    }

    private static void put(Map<String, Number> fields, String name, Number value) {
        if (value != null) {
            fields.put(name, value);
        }
    }
}
