package dev.plumbline.recall.result;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What answered a run.
 *
 * @param kind {@code native}, {@code openai} or {@code sglang}
 * @param name of the target
 * @param model what it calls the model
 * @param modelHash hash of the checkpoint; empty if the target does not tell
 * @param facts what else a reader may want: device, program, compiled kernels, what a server says of itself; in order
 */
public record TargetRecord(String kind, String name, String model, String modelHash, Map<String, String> facts) {
    /** Kind of the engine in this program. */
    public static final String NATIVE = "native";

    /** Copies the facts. */
    public TargetRecord {
        facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
    }

    /** The hash of the checkpoint, or kind, name and model where it is not known: equal for comparable runs. */
    public String comparable() {
        return modelHash.isEmpty() ? kind + " " + name + " " + model : modelHash;
    }
}
