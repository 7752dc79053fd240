package dev.plumbline.recall.table;

import dev.plumbline.document.DocumentException;
import dev.plumbline.recall.suite.Edges;
import dev.plumbline.recall.suite.Suite;
import dev.plumbline.recall.suite.SuiteCell;
import dev.plumbline.recall.suite.SuiteYaml;
import dev.plumbline.recall.verdict.CellOutcome;
import dev.plumbline.recall.verdict.CellState;
import dev.plumbline.recall.verdict.RunOutcomes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The cells of a suite under several run configs of one model, as far as they are done.
 *
 * @param about what was measured and on what, by name, in order; the same in every call that adds to it
 * @param suite what is asked
 * @param edges of the model
 * @param seeds of the cells
 * @param model hash of the checkpoint
 * @param scorer name and version of the scorer
 * @param dates days on which cells were asked, as {@code 2026-11-29}
 * @param runs by run config, the baseline first
 */
public record Measurement(
        Map<String, String> about,
        Suite suite,
        Edges edges,
        List<Long> seeds,
        String model,
        String scorer,
        List<String> dates,
        List<ConfigRun> runs) {
    /** Name of the fact which commit asked; of several, all of them. */
    public static final String COMMIT = "commit";

    private static final JsonMapper JSON = JsonMapper.shared();

    /** Copies the collections. */
    public Measurement {
        about = Collections.unmodifiableMap(new LinkedHashMap<>(about));
        seeds = List.copyOf(seeds);
        dates = List.copyOf(dates);
        runs = List.copyOf(runs);
    }

    /** The run of a config, if it has begun. */
    public Optional<ConfigRun> run(String config) {
        return runs.stream().filter(run -> run.config().equals(config)).findFirst();
    }

    /** The same with a run in place of the one of the same config, or behind the others. */
    public Measurement with(ConfigRun run, String date) {
        List<ConfigRun> all = new ArrayList<>(runs);
        int at = all.indexOf(run(run.config()).orElse(null));
        if (at < 0) {
            all.add(run);
        } else {
            all.set(at, run);
        }
        List<String> days = new ArrayList<>(dates);
        if (!days.contains(date)) {
            days.add(date);
        }
        return new Measurement(about, suite, edges, seeds, model, scorer, days, all);
    }

    /** The same with cells of another commit to come. */
    public Measurement withCommit(String commit) {
        String known = about.getOrDefault(COMMIT, commit);
        if (List.of(known.split(", ")).contains(commit)) {
            return this;
        }
        Map<String, String> facts = new LinkedHashMap<>(about);
        facts.put(COMMIT, known + ", " + commit);
        return new Measurement(facts, suite, edges, seeds, model, scorer, dates, runs);
    }

    /**
     * What keeps this from being gone on with as {@code wanted}, in words; empty if nothing does.
     *
     * @param anyCommit whether another commit may go on
     */
    public Optional<String> difference(Measurement wanted, boolean anyCommit) {
        if (!model.equals(wanted.model)) {
            return Optional.of("the model " + model + ", not " + wanted.model);
        }
        if (!suite.hash().equals(wanted.suite.hash()) || !seeds.equals(wanted.seeds) || !edges.equals(wanted.edges)) {
            return Optional.of("other cells (" + suite.label() + ", seeds " + seeds + ")");
        }
        if (!scorer.equals(wanted.scorer)) {
            return Optional.of("the scorer " + scorer + ", not " + wanted.scorer);
        }
        for (Map.Entry<String, String> fact : wanted.about.entrySet()) {
            String here = about.get(fact.getKey());
            boolean open = anyCommit && fact.getKey().equals(COMMIT);
            if (!open && !fact.getValue().equals(here)) {
                return Optional.of(fact.getKey() + " " + here + ", not " + fact.getValue());
            }
        }
        return Optional.empty();
    }

    /** Every planned cell. */
    public List<SuiteCell> cells() {
        return suite.cells(edges, seeds);
    }

    /** What a verdict needs of a run: every planned cell, those that are not done as missing. */
    RunOutcomes outcomes(ConfigRun run) {
        Map<String, KeptCell> done = run.cells().stream().collect(Collectors.toMap(KeptCell::id, Function.identity()));
        List<CellOutcome> outcomes = new ArrayList<>();
        for (SuiteCell cell : cells()) {
            KeptCell kept = done.get(cell.id());
            outcomes.add(
                    kept == null
                            ? new CellOutcome(cell.id(), "", cell.stratum(), cell.haystackId(), CellState.MISSING)
                            : kept.outcome(cell));
        }
        return new RunOutcomes(model, suite.label(), scorer, outcomes);
    }

    /** As JSON. */
    public String json() {
        Document document = new Document(about, SuiteYaml.write(suite), edges, seeds, model, scorer, dates, runs);
        // A line per cell: small enough to keep, and readable where it differs.
        return JSON.writeValueAsString(document).replace("{\"id\":", "\n{\"id\":") + "\n";
    }

    /**
     * From JSON.
     *
     * @throws IllegalArgumentException if it is none of a measurement
     */
    public static Measurement parse(String json) {
        try {
            Document read = JSON.readValue(json, Document.class);
            Suite suite = SuiteYaml.read(read.suite.getBytes(StandardCharsets.UTF_8));
            return new Measurement(
                    read.about, suite, read.edges, read.seeds, read.model, read.scorer, read.dates, read.runs);
        } catch (JacksonException | DocumentException | NullPointerException e) {
            throw new IllegalArgumentException("it is no measurement of ./plumbline recall", e);
        }
    }

    private record Document(
            Map<String, String> about,
            String suite,
            Edges edges,
            List<Long> seeds,
            String model,
            String scorer,
            List<String> dates,
            List<ConfigRun> runs) {}
}
