package dev.plumbline.recall.verdict;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Answers are lost, seen twice: by the first pairs and by fresh ones.
 *
 * @param rule the rule that was applied
 * @param strata all numbers of the first pairs
 * @param fresh all numbers of the fresh pairs, for the strata that needed them
 */
public record Regression(VerdictRule rule, List<StratumFinding> strata, List<StratumFinding> fresh) implements Verdict {

    /** Checks that some stratum lost answers both times. */
    public Regression {
        strata = List.copyOf(strata);
        fresh = List.copyOf(fresh);
        if (repeated(rule, strata, fresh).isEmpty()) {
            throw new IllegalArgumentException("a regression needs a loss that fresh cells repeat");
        }
    }

    /** The strata whose loss was repeated. */
    public Set<String> lostStrata() {
        return repeated(rule, strata, fresh);
    }

    static Set<String> repeated(VerdictRule rule, List<StratumFinding> strata, List<StratumFinding> fresh) {
        Set<String> again = suspicious(rule, fresh);
        return suspicious(rule, strata).stream().filter(again::contains).collect(Collectors.toSet());
    }

    private static Set<String> suspicious(VerdictRule rule, List<StratumFinding> findings) {
        return findings.stream()
                .filter(finding -> finding.suspicious(rule))
                .map(StratumFinding::name)
                .collect(Collectors.toSet());
    }

    @Override
    public String title() {
        return "REGRESSION";
    }

    @Override
    public String sentence() {
        return Sentences.regression(this);
    }
}
