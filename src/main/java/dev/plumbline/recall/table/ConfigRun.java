package dev.plumbline.recall.table;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one run config made of the cells so far.
 *
 * @param config {@code name@version}, or what a file or flags are called
 * @param flags every flag in force, by key
 * @param seconds by stratum, how long its cells took together, several at once
 * @param cells those that are done, in the order of their ends
 */
public record ConfigRun(String config, Map<String, String> flags, Map<String, Double> seconds, List<KeptCell> cells) {

    /** Copies the collections. */
    public ConfigRun {
        flags = Collections.unmodifiableMap(new LinkedHashMap<>(flags));
        seconds = Collections.unmodifiableMap(new LinkedHashMap<>(seconds));
        cells = List.copyOf(cells);
    }

    /** Seconds of all strata. */
    double total() {
        return seconds.values().stream().mapToDouble(Double::doubleValue).sum();
    }
}
