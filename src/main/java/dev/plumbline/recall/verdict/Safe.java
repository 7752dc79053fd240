package dev.plumbline.recall.verdict;

import java.util.List;

/**
 * Less than the margin is lost, in every stratum.
 *
 * @param rule the rule that was applied
 * @param strata all numbers
 */
public record Safe(VerdictRule rule, List<StratumFinding> strata) implements Verdict {

    /** Checks that the rule says so. */
    public Safe {
        strata = List.copyOf(strata);
        if (strata.isEmpty() || !strata.stream().allMatch(finding -> finding.safe(rule))) {
            throw new IllegalArgumentException("a candidate is safe only if every stratum is");
        }
    }

    @Override
    public String title() {
        return "SAFE";
    }

    @Override
    public String sentence() {
        return Sentences.safe(rule, strata);
    }
}
