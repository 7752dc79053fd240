package dev.plumbline.recall.suite;

import dev.plumbline.document.DocumentException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** Lists the cells of a suite. The same suite, edges and seeds give the same cells in the same order. */
final class GridExpansion {
    /** Needles of one text take at most about a quarter of the prompt, at some 32 tokens each. */
    private static final int TOKENS_PER_NEEDLE = 128;

    private GridExpansion() {}

    static List<SuiteCell> of(Suite suite, Edges edges, List<Long> seeds) {
        if (seeds.isEmpty() || new HashSet<>(seeds).size() < seeds.size()) {
            throw new DocumentException("seeds", "'seeds' is " + seeds + "; allowed: at least one, all different.");
        }
        List<SuiteCell> cells = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        for (SuiteStratum stratum : suite.strata()) {
            for (long seed : seeds) {
                for (Length length : stratum.lengths()) {
                    addHaystacks(cells, stratum, length.at(edges), seed);
                }
            }
        }
        for (SuiteCell cell : cells) {
            if (!ids.add(cell.id())) {
                throw new DocumentException(
                        "strata", "The cell " + cell.id() + " comes twice, again in stratum '" + cell.stratum() + "'.");
            }
        }
        return List.copyOf(cells);
    }

    private static void addHaystacks(List<SuiteCell> cells, SuiteStratum stratum, int length, long seed) {
        List<Integer> phases = stratum.phases();
        int together = together(stratum, length);
        int texts = stratum.questions() / together;
        for (int haystack = 0; haystack < stratum.haystacks(); haystack++) {
            int moved = phases.isEmpty() ? length : Phase.moved(length, phases.get(haystack % phases.size()));
            for (int text = 0; text < texts; text++) {
                int first = text;
                // Every text gets questions from all over the haystack.
                List<Placement> needles = IntStream.range(0, together)
                        .mapToObj(needle -> placement(stratum, first + needle * texts))
                        .toList();
                for (int needle = 0; needle < together; needle++) {
                    cells.add(new SuiteCell(
                            stratum.name(),
                            stratum.task(),
                            moved,
                            haystack,
                            seed,
                            text,
                            text + needle * texts,
                            needles,
                            needle));
                }
            }
        }
    }

    private static Placement placement(SuiteStratum stratum, int question) {
        return stratum.placements().get(question % stratum.placements().size());
    }

    /** How many needles of a text are asked about: the largest divisor of the questions that the text has room for. */
    private static int together(SuiteStratum stratum, int length) {
        boolean alone = stratum.placements().stream().anyMatch(placement -> placement.kind() != Placement.Kind.ONCE);
        if (alone || !stratum.task().sharesTexts()) {
            return 1;
        }
        int room = Math.max(1, length / TOKENS_PER_NEEDLE);
        return IntStream.rangeClosed(1, Math.min(room, stratum.questions()))
                .filter(count -> stratum.questions() % count == 0)
                .max()
                .orElseThrow();
    }
}
