package dev.plumbline.recall.report;

import static dev.plumbline.recall.report.MarkdownText.code;

import dev.plumbline.recall.result.CellRecord;
import dev.plumbline.recall.result.NeedleTrace;
import dev.plumbline.recall.result.RunRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Parts that pages about runs have in common. */
final class MarkdownParts {
    private static final int SHORTEST_FENCE = 3;

    private MarkdownParts() {}

    /** Where a needle's trace belongs. */
    private record Place(int layer, String stage, int value) {
        static Place of(NeedleTrace trace) {
            return new Place(trace.layer(), RecordJson.word(trace.stage()), trace.value());
        }
    }

    /** What a run was, for a reader who knows nothing of it. */
    static Map<String, String> about(RunRecord run) {
        Map<String, String> about = new LinkedHashMap<>();
        about.put("run", run.id());
        about.put("run config", run.runConfig());
        about.put("suite", run.suite().label() + ", sha256 " + run.suite().hash());
        about.put("seeds", run.seeds().stream().map(String::valueOf).collect(Collectors.joining(", ")));
        about.put("target", run.target().name() + " (" + run.target().kind() + ")");
        about.put("model", run.target().model());
        about.put(
                "checkpoint",
                run.target().modelHash().isEmpty()
                        ? "unknown"
                        : "sha256 " + run.target().modelHash());
        about.put(
                "window, budget in tokens",
                run.edges().window() + ", " + run.edges().budget());
        about.put("scorer", run.scorer());
        about.put("prompts measured by", run.measure());
        about.put("begun", String.valueOf(run.startedAt()));
        about.put("finished", String.valueOf(run.finishedAt()));
        about.put(
                "cells",
                run.counts().entrySet().stream()
                        .filter(count -> count.getValue() > 0)
                        .map(count -> count.getValue() + " " + RecordJson.word(count.getKey()))
                        .collect(Collectors.joining(", ")));
        return about;
    }

    static void facts(StringBuilder page, Map<String, String> facts) {
        if (facts.isEmpty()) {
            page.append("None are known.\n\n");
            return;
        }
        MarkdownTable table = new MarkdownTable("", "");
        facts.forEach((name, value) -> table.row(MarkdownText.plain(name), code(value)));
        page.append(table).append('\n');
    }

    /** A command to copy, behind a fence that nothing in it can close. */
    static void command(StringBuilder page, String command) {
        int fence = SHORTEST_FENCE;
        while (command.contains("`".repeat(fence))) {
            fence++;
        }
        page.append("To ask the same again:\n\n")
                .append("`".repeat(fence))
                .append("sh\n")
                .append(command)
                .append('\n')
                .append("`".repeat(fence))
                .append("\n\n");
    }

    /** A table of lengths by depths. */
    static void grid(
            StringBuilder page,
            RecallGrid grid,
            BiFunction<RecallGrid.Row, String, String> spot,
            Function<RecallGrid.Row, String> whole) {
        List<String> header = new ArrayList<>(List.of("stratum", "tokens"));
        grid.depths().forEach(depth -> header.add(MarkdownText.plain(depth)));
        header.add("all");
        MarkdownTable table = new MarkdownTable(header);
        for (RecallGrid.Row row : grid.rows()) {
            List<String> cells = new ArrayList<>(List.of(code(row.stratum()), row.tokens()));
            grid.depths().forEach(depth -> cells.add(spot.apply(row, depth)));
            cells.add(whole.apply(row));
            table.row(cells);
        }
        page.append(table).append('\n');
    }

    static void more(StringBuilder page, int more) {
        page.append(more > 0 ? "\nAnd " + more + " more, which the JSON export has.\n\n" : "\n");
    }

    /**
     * What the indexer did with the values of some cells.
     *
     * @param sides names of the runs, as column heads
     * @param cells the same cell of every run
     */
    static void needles(StringBuilder page, List<String> sides, List<List<CellRecord>> cells) {
        if (cells.stream().flatMap(List::stream).allMatch(cell -> cell.needle().isEmpty())) {
            page.append("The target does not tell what its indexer selected.\n\n");
            return;
        }
        page.append(
                "Where their values stood: rank among the candidates by the indexer's score, and margin to the lowest"
                        + " selected score (below 0: not selected; -: everything was selected or it is not known).\n\n");
        List<String> header = new ArrayList<>(List.of("cell", "layer", "stage", "value", "candidates"));
        for (String side : sides) {
            List.of("rank", "margin", "selected").forEach(what -> header.add((what + " " + side).strip()));
        }
        MarkdownTable table = new MarkdownTable(header);
        cells.forEach(runs -> rows(table, runs));
        page.append(table).append('\n');
    }

    private static void rows(MarkdownTable table, List<CellRecord> runs) {
        Set<Place> places = new LinkedHashSet<>();
        runs.forEach(run -> run.needle().forEach(trace -> places.add(Place.of(trace))));
        for (Place place : places) {
            List<Optional<NeedleTrace>> traces = runs.stream()
                    .map(run -> run.needle().stream()
                            .filter(trace -> Place.of(trace).equals(place))
                            .findFirst())
                    .toList();
            List<String> row = new ArrayList<>(List.of(
                    code(runs.get(0).cell().id()),
                    String.valueOf(place.layer()),
                    place.stage(),
                    String.valueOf(place.value() + 1),
                    traces.stream()
                            .flatMap(Optional::stream)
                            .map(trace -> String.valueOf(trace.candidates()))
                            .findFirst()
                            .orElse("-")));
            for (Optional<NeedleTrace> trace : traces) {
                row.add(trace.filter(one -> one.rank() > 0)
                        .map(one -> String.valueOf(one.rank()))
                        .orElse("-"));
                row.add(trace.map(one -> Numbers.score(one.margin())).orElse("-"));
                row.add(trace.map(one -> one.selected() > 0 ? "yes" : "no").orElse("-"));
            }
            table.row(row);
        }
    }
}
