package dev.plumbline.recall.compare;

import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The runs that a verdict rests on. Null where there is none, or none any more.
 *
 * @param baseline the run held against
 * @param candidate the run in question
 * @param again the baseline asked once more
 * @param freshBaseline fresh cells under the baseline
 * @param freshCandidate fresh cells under the candidate
 */
public record RunIds(UUID baseline, UUID candidate, UUID again, UUID freshBaseline, UUID freshCandidate) {

    /** Two runs and nothing besides. */
    public static RunIds of(UUID baseline, UUID candidate) {
        return new RunIds(baseline, candidate, null, null, null);
    }

    /** Those that there are. */
    List<UUID> all() {
        return Stream.of(baseline, candidate, again, freshBaseline, freshCandidate)
                .filter(Objects::nonNull)
                .toList();
    }
}
