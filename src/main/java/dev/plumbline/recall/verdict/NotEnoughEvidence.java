package dev.plumbline.recall.verdict;

import java.util.List;

/**
 * Neither safe nor a regression.
 *
 * @param rule the rule that was applied
 * @param strata all numbers of the first pairs
 * @param fresh all numbers of fresh pairs that did not repeat a loss; empty if there was none to repeat
 */
public record NotEnoughEvidence(VerdictRule rule, List<StratumFinding> strata, List<StratumFinding> fresh)
        implements Verdict {

    /** Copies the lists. */
    public NotEnoughEvidence {
        strata = List.copyOf(strata);
        fresh = List.copyOf(fresh);
    }

    @Override
    public String title() {
        return "NOT ENOUGH EVIDENCE";
    }

    @Override
    public String sentence() {
        return Sentences.notEnough(this);
    }
}
