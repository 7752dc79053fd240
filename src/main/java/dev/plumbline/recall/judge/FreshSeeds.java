package dev.plumbline.recall.judge;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;

/** Seeds that a run does not have; the same ones every time, so that a verdict can be repeated. */
final class FreshSeeds {
    /** How many there are for one of the run's. */
    static final int FACTOR = 2;

    private FreshSeeds() {}

    /** Twice as many other seeds, from the one behind the largest on. */
    static List<Long> besides(List<Long> seeds) {
        Set<Long> used = new HashSet<>(seeds);
        // Wraps around behind the largest number there is.
        return LongStream.iterate(Collections.max(seeds) + 1, seed -> seed + 1)
                .filter(seed -> !used.contains(seed))
                .limit((long) FACTOR * seeds.size())
                .boxed()
                .toList();
    }
}
