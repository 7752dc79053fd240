package dev.plumbline.trace;

/**
 * What became of one watched entry for one query.
 *
 * @param entry id of the entry
 * @param own whether a watched token lies in its own window; otherwise one lies in the window before only
 * @param visible whether it was a candidate: whether the query stands at or after the last token of its own window
 * @param selected whether attention was given it
 * @param rank 1 + the number of candidates with a higher score; 0 if not visible
 * @param tied other candidates with the same score
 * @param score the indexer's score; NaN if it is no number, or not visible
 * @param margin score − lowest selected score: not negative when selected, not positive otherwise; NaN if everything
 *     was selected, not visible, or both scores are −∞
 * @param mass share of the query's attention that it got, mean over heads: exp(q·k·scale − log of the denominator); 0
 *     if not selected
 * @param headMass the same of the head that gave it most
 */
public record EntryTrace(
        int entry,
        boolean own,
        boolean visible,
        boolean selected,
        int rank,
        int tied,
        float score,
        double margin,
        double mass,
        double headMass) {

    /** The same with the attention that it got. */
    public EntryTrace withMass(double mean, double highest) {
        return new EntryTrace(entry, own, visible, selected, rank, tied, score, margin, mean, highest);
    }
}
