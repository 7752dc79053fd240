package dev.plumbline.recall.report;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Something that two runs have, side by side.
 *
 * @param name what
 * @param baseline its value in the baseline; null if it has none
 * @param candidate its value in the candidate; null if it has none
 */
record FlagRow(String name, String baseline, String candidate) {

    boolean differs() {
        return !Objects.equals(baseline, candidate);
    }

    /** Everything that either has, what differs first. */
    static List<FlagRow> of(Map<String, String> baseline, Map<String, String> candidate) {
        Map<String, String> names = new LinkedHashMap<>(baseline);
        candidate.forEach(names::putIfAbsent);
        return names.keySet().stream()
                .map(name -> new FlagRow(name, baseline.get(name), candidate.get(name)))
                .sorted(Comparator.comparing(FlagRow::differs).reversed())
                .toList();
    }
}
