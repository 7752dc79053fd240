package dev.plumbline.recall.verdict;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The pairs of two comparable runs.
 *
 * @param strata in the order of the suite
 */
public record Pairing(List<StratumPairs> strata) implements Comparison {

    /** Copies the strata. */
    public Pairing {
        strata = List.copyOf(strata);
    }

    /**
     * The strata that a verdict depends on.
     *
     * @throws IllegalArgumentException naming one that has no pairs
     */
    public Pairing only(Set<String> names) {
        List<StratumPairs> some = strata.stream()
                .filter(stratum -> names.contains(stratum.name()))
                .toList();
        for (String name : names) {
            if (some.stream().noneMatch(stratum -> stratum.name().equals(name))) {
                throw new IllegalArgumentException("stratum " + name + " has no pairs");
            }
        }
        return new Pairing(some);
    }

    /** What chance does: discordant pairs by stratum, of two runs of one configuration. */
    public Map<String, NoiseFloor> noise() {
        Map<String, NoiseFloor> noise = new LinkedHashMap<>();
        for (StratumPairs stratum : strata) {
            PairedCounts counts = stratum.counts();
            noise.put(stratum.name(), new NoiseFloor(counts.discordant(), counts.pairs()));
        }
        return noise;
    }

    /** Cell ids and prompt hashes: what fresh pairs must not repeat. */
    Set<String> fingerprints() {
        Function<CellOutcome, Stream<String>> marks = cell -> Stream.of(cell.cell(), cell.promptHash());
        return strata.stream()
                .flatMap(stratum -> stratum.pairs().stream())
                .flatMap(pair -> Stream.concat(marks.apply(pair.baseline()), marks.apply(pair.candidate())))
                .filter(mark -> !mark.isEmpty())
                .collect(Collectors.toSet());
    }
}
