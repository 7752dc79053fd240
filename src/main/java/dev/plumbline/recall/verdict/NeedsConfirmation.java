package dev.plumbline.recall.verdict;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Answers seem lost. The strata in question were picked because they looked bad, so that only cells with fresh seeds can tell;
 * {@link #resolve} takes them.
 *
 * @param rule the rule that was applied
 * @param strata all numbers
 * @param first the pairs that were looked at
 */
public record NeedsConfirmation(VerdictRule rule, List<StratumFinding> strata, Pairing first) implements Outcome {
    /** A true loss that only just showed is found again with some 99 %, instead of one time in two. */
    private static final int FRESH_FACTOR = 2;

    /** Copies the list. */
    public NeedsConfirmation {
        strata = List.copyOf(strata);
    }

    /** How many fresh cells to ask under both configurations, by stratum: twice as many as the suite has there. */
    public Map<String, Integer> cellsToAsk() {
        Map<String, Integer> cells = new LinkedHashMap<>();
        for (StratumFinding finding : strata) {
            if (finding.suspicious(rule)) {
                cells.put(finding.name(), finding.planned() * FRESH_FACTOR);
            }
        }
        return cells;
    }

    /**
     * Decides with fresh pairs; strata that need none are ignored.
     *
     * @param fresh pairs of the strata in question, of cells that were not asked before
     * @throws IllegalArgumentException if such a stratum has no pairs, or a cell or a prompt was asked before
     */
    public Verdict resolve(Pairing fresh) {
        Set<String> wanted = cellsToAsk().keySet();
        List<StratumPairs> strataAgain = fresh.strata().stream()
                .filter(stratum -> wanted.contains(stratum.name()))
                .toList();
        Set<String> given = strataAgain.stream().map(StratumPairs::name).collect(Collectors.toSet());
        for (String name : wanted) {
            if (!given.contains(name)) {
                throw new IllegalArgumentException("stratum " + name + " needs fresh pairs and has none");
            }
        }
        Set<String> known = first.fingerprints();
        for (String mark : new Pairing(strataAgain).fingerprints()) {
            if (known.contains(mark)) {
                throw new IllegalArgumentException(mark + " was asked before; fresh pairs need fresh seeds");
            }
        }
        Map<String, NoiseFloor> noise =
                strata.stream().collect(Collectors.toMap(StratumFinding::name, StratumFinding::noise));
        List<StratumFinding> again = Findings.of(strataAgain, noise);
        return Regression.repeated(rule, strata, again).isEmpty()
                ? new NotEnoughEvidence(rule, strata, again)
                : new Regression(rule, strata, again);
    }

    @Override
    public String sentence() {
        return Sentences.unconfirmed(this);
    }
}
