package dev.plumbline.recall.verdict;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Makes pairs for tests, spread over haystacks in turn. */
final class Runs {
    static final String MODEL = "sha256:5e1f";
    static final String SUITE = "smoke/1";
    static final String SCORER = "containing/1";

    private Runs() {}

    /** A stratum whose pairs come in the order both passed, lost, gained, both failed. */
    static StratumPairs stratum(String name, int haystacks, String seed, int a, int b, int c, int d) {
        List<CellPair> pairs = new ArrayList<>();
        add(pairs, name, haystacks, seed, a, CellState.PASSED, CellState.PASSED);
        add(pairs, name, haystacks, seed, b, CellState.PASSED, CellState.FAILED);
        add(pairs, name, haystacks, seed, c, CellState.FAILED, CellState.PASSED);
        add(pairs, name, haystacks, seed, d, CellState.FAILED, CellState.FAILED);
        return new StratumPairs(name, pairs);
    }

    static StratumPairs stratum(String name, int a, int b, int c, int d) {
        return stratum(name, 16, "1", a, b, c, d);
    }

    /** The stratum with further pairs in some states. */
    static StratumPairs with(StratumPairs stratum, int more, CellState baseline, CellState candidate) {
        List<CellPair> pairs = new ArrayList<>(stratum.pairs());
        add(pairs, stratum.name(), 16, "1", more, baseline, candidate);
        return new StratumPairs(stratum.name(), pairs);
    }

    static CellPair pair(String name, String seed, int number, int haystack, CellState baseline, CellState candidate) {
        String cell = name + "/" + number + "/" + seed;
        String text = "haystack " + haystack;
        return new CellPair(
                new CellOutcome(cell, "hash of " + cell, name, text, baseline),
                new CellOutcome(cell, "hash of " + cell, name, text, candidate));
    }

    static Pairing pairing(StratumPairs... strata) {
        return new Pairing(List.of(strata));
    }

    /** No stratum ever disagrees with itself. */
    static Map<String, NoiseFloor> silence(Pairing pairing) {
        return noise(pairing, 0);
    }

    static Map<String, NoiseFloor> noise(Pairing pairing, int discordantOf100) {
        return pairing.strata().stream()
                .collect(Collectors.toMap(StratumPairs::name, stratum -> new NoiseFloor(discordantOf100, 100)));
    }

    private static void add(
            List<CellPair> pairs,
            String name,
            int haystacks,
            String seed,
            int count,
            CellState baseline,
            CellState candidate) {
        for (int i = 0; i < count; i++) {
            pairs.add(pair(name, seed, pairs.size(), pairs.size() % haystacks, baseline, candidate));
        }
    }
}
