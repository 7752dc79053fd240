package dev.plumbline.recall.verdict;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A refusal to compare.
 *
 * @param differences what differs, at least one
 */
public record NotComparable(List<Difference> differences) implements Comparison {

    /** Checks that there is a reason. */
    public NotComparable {
        differences = List.copyOf(differences);
        if (differences.isEmpty()) {
            throw new IllegalArgumentException("a refusal names at least one difference");
        }
    }

    /** All differences in words. */
    public String sentence() {
        return differences.stream().map(Difference::sentence).collect(Collectors.joining("; "));
    }
}
