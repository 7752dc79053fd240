package dev.plumbline.recall.report;

import dev.plumbline.recall.result.CellRecord;
import dev.plumbline.recall.result.RunRecord;
import dev.plumbline.recall.suite.Placement;
import dev.plumbline.recall.suite.SuiteStratum;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Cells by length and depth. A stratum whose lengths are moved by phases has a row for each length before it was moved.
 *
 * @param depths labels of the columns, from the start of the text to its end, then those that are no depth
 * @param rows in the order of the suite, then by length
 */
record RecallGrid(List<String> depths, List<Row> rows) {
    private static final int MOST_MOVED = 3;
    private static final Comparator<Placement> BY_DEPTH = Comparator.comparing(Placement::kind)
            .thenComparingDouble(Placement::depth)
            .thenComparing(Placement::label);

    /**
     * A length of a stratum.
     *
     * @param shortest tokens of the shortest prompt
     * @param longest tokens of the longest
     * @param ids cells by the label of their depth
     */
    record Row(String stratum, int shortest, int longest, Map<String, List<String>> ids) {
        /** The length, or the range of lengths. */
        String tokens() {
            return shortest == longest ? String.valueOf(shortest) : shortest + "–" + longest;
        }

        List<String> at(String depth) {
            return ids.getOrDefault(depth, List.of());
        }

        Stream<String> all() {
            return ids.values().stream().flatMap(List::stream);
        }
    }

    static RecallGrid of(RunRecord run) {
        List<String> depths = run.cells().stream()
                .map(cell -> cell.cell().placement())
                .sorted(BY_DEPTH)
                .map(Placement::label)
                .distinct()
                .toList();
        List<Row> rows = new ArrayList<>();
        for (SuiteStratum stratum : run.suite().strata()) {
            rows.addAll(rows(run, stratum));
        }
        return new RecallGrid(depths, List.copyOf(rows));
    }

    private static List<Row> rows(RunRecord run, SuiteStratum stratum) {
        Map<Integer, List<CellRecord>> byLength = new TreeMap<>();
        for (CellRecord cell : run.cells()) {
            if (cell.cell().stratum().equals(stratum.name())) {
                byLength.computeIfAbsent(cell.cell().length(), length -> new ArrayList<>())
                        .add(cell);
            }
        }
        int moved = stratum.phases().isEmpty() ? 0 : MOST_MOVED;
        List<Row> rows = new ArrayList<>();
        for (Map.Entry<Integer, List<CellRecord>> length : byLength.entrySet()) {
            Row last = rows.isEmpty() ? null : rows.get(rows.size() - 1);
            boolean joins = last != null && length.getKey() - last.shortest() <= moved;
            Map<String, List<String>> ids = joins ? last.ids() : new LinkedHashMap<>();
            for (CellRecord cell : length.getValue()) {
                ids.computeIfAbsent(cell.cell().placement().label(), label -> new ArrayList<>())
                        .add(cell.cell().id());
            }
            int shortest = joins ? last.shortest() : length.getKey();
            Row row = new Row(stratum.name(), shortest, length.getKey(), ids);
            if (joins) {
                rows.set(rows.size() - 1, row);
            } else {
                rows.add(row);
            }
        }
        return rows;
    }
}
