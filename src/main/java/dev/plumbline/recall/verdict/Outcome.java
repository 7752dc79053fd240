package dev.plumbline.recall.verdict;

import java.util.List;

/** What a look at the pairs leads to: a verdict, or the demand to confirm a loss first. */
public sealed interface Outcome permits Verdict, NeedsConfirmation {

    /** The rule that was applied. */
    VerdictRule rule();

    /** All numbers, by stratum. */
    List<StratumFinding> strata();

    /** The outcome's reason in one sentence. */
    String sentence();
}
