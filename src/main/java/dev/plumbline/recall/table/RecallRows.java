package dev.plumbline.recall.table;

import dev.plumbline.recall.suite.SuiteCell;
import dev.plumbline.recall.suite.SuiteStratum;
import dev.plumbline.recall.verdict.Comparison;
import dev.plumbline.recall.verdict.NoiseFloor;
import dev.plumbline.recall.verdict.Outcome;
import dev.plumbline.recall.verdict.Pairing;
import dev.plumbline.recall.verdict.StratumFinding;
import dev.plumbline.recall.verdict.VerdictRule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Every stratum under every run config of a measurement, held against its baseline. */
final class RecallRows {
    private final Measurement measured;
    private final VerdictRule rule;
    private final Map<String, String> stratumOf;
    private final Map<String, NoiseFloor> noise;

    RecallRows(Measurement measured, VerdictRule rule) {
        this.measured = measured;
        this.rule = rule;
        this.stratumOf = measured.cells().stream().collect(Collectors.toMap(SuiteCell::id, SuiteCell::stratum));
        this.noise = noise();
    }

    /** The run that the others are held against: the first. */
    Optional<ConfigRun> baseline() {
        return measured.runs().stream().findFirst();
    }

    private Map<String, NoiseFloor> noise() {
        Map<String, NoiseFloor> floors = new HashMap<>();
        measured.suite().strata().forEach(stratum -> floors.put(stratum.name(), new NoiseFloor(0, 0)));
        baseline()
                .flatMap(first -> measured.run(first.config() + RecallPage.AGAIN))
                .flatMap(this::pairs)
                .ifPresent(pairs -> floors.putAll(pairs.noise()));
        return floors;
    }

    private Optional<Pairing> pairs(ConfigRun run) {
        return Comparison.of(measured.outcomes(baseline().orElseThrow()), measured.outcomes(run))
                        instanceof Pairing pairs
                ? Optional.of(pairs)
                : Optional.empty();
    }

    /** What the rule says of a run as a whole; empty for the baseline, and where cells are still to be asked. */
    Optional<Outcome> outcome(ConfigRun run) {
        Set<String> required = measured.suite().requiredStrata();
        boolean baseline = run.equals(baseline().orElseThrow());
        boolean done = run.cells().size() == stratumOf.size()
                && baseline().orElseThrow().cells().size() == stratumOf.size();
        return baseline || !done ? Optional.empty() : pairs(run).map(pairs -> rule.judge(pairs.only(required), noise));
    }

    /** The strata of a run, in the suite's order. */
    List<StratumRow> of(ConfigRun run) {
        Map<String, StratumFinding> findings = findings(run);
        Map<String, List<KeptCell>> cells = new LinkedHashMap<>();
        run.cells().forEach(cell -> cells.computeIfAbsent(stratumOf.get(cell.id()), name -> new ArrayList<>())
                .add(cell));
        Map<String, Long> planned =
                stratumOf.values().stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        List<StratumRow> rows = new ArrayList<>();
        for (SuiteStratum stratum : measured.suite().strata()) {
            rows.add(new StratumRow(
                    run.config(),
                    stratum.name(),
                    stratum.required(),
                    planned.get(stratum.name()).intValue(),
                    cells.getOrDefault(stratum.name(), List.of()),
                    run.seconds().getOrDefault(stratum.name(), 0.0),
                    findings.get(stratum.name())));
        }
        return rows;
    }

    /** Required strata are one family of tests; the others are looked at by themselves. */
    private Map<String, StratumFinding> findings(ConfigRun run) {
        Map<String, StratumFinding> findings = new HashMap<>();
        if (run.equals(baseline().orElse(null))) {
            return findings;
        }
        Set<String> required = measured.suite().requiredStrata();
        pairs(run).ifPresent(pairs -> {
            List<Set<String>> families = new ArrayList<>(List.of(required));
            pairs.strata().stream()
                    .map(stratum -> Set.of(stratum.name()))
                    .filter(name -> !required.containsAll(name))
                    .forEach(families::add);
            for (Set<String> family : families) {
                rule.judge(pairs.only(family), noise)
                        .strata()
                        .forEach(finding -> findings.put(finding.name(), finding));
            }
        });
        return findings;
    }
}
