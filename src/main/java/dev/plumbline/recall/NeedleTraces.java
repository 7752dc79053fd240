package dev.plumbline.recall;

import dev.plumbline.recall.result.NeedleTrace;
import dev.plumbline.trace.EntryTrace;
import dev.plumbline.trace.QueryTrace;
import dev.plumbline.trace.Stage;
import dev.plumbline.trace.WatchTrace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Makes of every query's trace what is kept of a cell: one line per layer, stage and value. */
final class NeedleTraces {
    private NeedleTraces() {}

    /** @param values number of watched values of every query */
    static List<NeedleTrace> of(List<QueryTrace> queries, int values) {
        Map<Integer, Map<Stage, List<QueryTrace>>> byLayer = queries.stream()
                .collect(Collectors.groupingBy(
                        QueryTrace::layer,
                        TreeMap::new,
                        Collectors.groupingBy(QueryTrace::stage, TreeMap::new, Collectors.toList())));
        List<NeedleTrace> traces = new ArrayList<>();
        byLayer.values().forEach(stages -> stages.values().forEach(some -> {
            for (int value = 0; value < values; value++) {
                traces.add(best(some, value));
            }
        }));
        return traces;
    }

    private static NeedleTrace best(List<QueryTrace> queries, int value) {
        QueryTrace shown = queries.stream()
                .min(Comparator.<QueryTrace>comparingInt(
                                query -> rank(query.watches().get(value)))
                        .thenComparingInt(QueryTrace::position))
                .orElseThrow();
        WatchTrace watch = shown.watches().get(value);
        Optional<EntryTrace> best = watch.best();
        return new NeedleTrace(
                shown.layer(),
                shown.stage(),
                value,
                shown.position(),
                queries.size(),
                (int) queries.stream()
                        .filter(query -> query.watches().get(value).selected() > 0)
                        .count(),
                shown.budget(),
                shown.candidates(),
                watch.visible(),
                watch.selected(),
                best.map(EntryTrace::rank).orElse(0),
                best.map(entry -> (double) entry.score()).orElse(Double.NaN),
                best.map(EntryTrace::margin).orElse(Double.NaN),
                watch.mass());
    }

    /** A value that is no candidate ranks behind all that are. */
    private static int rank(WatchTrace watch) {
        return watch.best().map(EntryTrace::rank).orElse(Integer.MAX_VALUE);
    }
}
