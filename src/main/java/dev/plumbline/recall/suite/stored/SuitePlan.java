package dev.plumbline.recall.suite.stored;

import dev.plumbline.recall.suite.Edges;
import dev.plumbline.recall.suite.Suite;
import dev.plumbline.recall.suite.SuiteCell;
import dev.plumbline.recall.suite.SuiteStratum;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a run of a suite asks of a model.
 *
 * @param suite the suite
 * @param edges of the model
 * @param seeds of the run
 * @param strata in the suite's order
 */
public record SuitePlan(Suite suite, Edges edges, List<Long> seeds, List<Stratum> strata) {

    /**
     * Cells that are judged together.
     *
     * @param stratum as the suite has it
     * @param cells how many
     * @param texts different texts with needles; the cells of one share all but the end of their prompts
     * @param promptTokens tokens of all prompts
     * @param lengths cells by tokens of their prompts
     */
    public record Stratum(SuiteStratum stratum, int cells, long texts, long promptTokens, Map<Integer, Long> lengths) {}

    /** Copies the lists. */
    public SuitePlan {
        seeds = List.copyOf(seeds);
        strata = List.copyOf(strata);
    }

    /**
     * Lists the cells.
     *
     * @throws dev.plumbline.document.DocumentException if a length is impossible for the model
     */
    public static SuitePlan of(Suite suite, Edges edges, List<Long> seeds) {
        Map<String, List<SuiteCell>> cells = suite.cells(edges, seeds).stream()
                .collect(Collectors.groupingBy(SuiteCell::stratum, LinkedHashMap::new, Collectors.toList()));
        List<Stratum> strata = new ArrayList<>();
        for (SuiteStratum stratum : suite.strata()) {
            strata.add(stratum(stratum, cells.get(stratum.name())));
        }
        return new SuitePlan(suite, edges, seeds, strata);
    }

    private static Stratum stratum(SuiteStratum stratum, List<SuiteCell> cells) {
        Map<Integer, Long> lengths = new LinkedHashMap<>();
        cells.stream().map(SuiteCell::length).sorted().forEach(length -> lengths.merge(length, 1L, Long::sum));
        return new Stratum(
                stratum,
                cells.size(),
                cells.stream().map(SuiteCell::textId).distinct().count(),
                cells.stream().mapToLong(SuiteCell::length).sum(),
                lengths);
    }

    /** All cells. */
    public int cells() {
        return strata.stream().mapToInt(Stratum::cells).sum();
    }

    /** Tokens of all prompts. */
    public long promptTokens() {
        return strata.stream().mapToLong(Stratum::promptTokens).sum();
    }

    /** Tokens of the longest prompt. */
    public int longest() {
        return strata.stream()
                .flatMap(stratum -> stratum.lengths().keySet().stream())
                .mapToInt(Integer::intValue)
                .max()
                .orElse(0);
    }
}
