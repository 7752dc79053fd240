package dev.plumbline.recall.result;

import dev.plumbline.trace.Stage;

/**
 * What the indexer of one layer did with one planted value of a cell. Of the prompt the last token's query is kept, which
 * gives the answer's first token; of the answer the query for which the value ranked best, the first among equals.
 *
 * @param layer index of the layer
 * @param stage prefill for the prompt's last token, decode for the answer
 * @param value index of the value among the cell's expected ones
 * @param position position of the query's token
 * @param queries traced queries of this stage
 * @param selectedQueries those that selected an entry of the value
 * @param budget most entries that a query may select
 * @param candidates entries visible to the query
 * @param entries entries that hold something of the value and were candidates
 * @param selected how many of them were selected
 * @param rank 1 + the number of candidates with a higher score than the value's best entry; 0 if it is not known or the
 *     value was no candidate
 * @param score the best entry's score; NaN if not known
 * @param margin the best entry's score − the lowest selected score, not negative when it was selected; NaN if everything
 *     was selected or it is not known
 * @param mass share of the query's attention that the value's entries got, mean over heads; NaN if not known
 */
public record NeedleTrace(
        int layer,
        Stage stage,
        int value,
        int position,
        int queries,
        int selectedQueries,
        int budget,
        int candidates,
        int entries,
        int selected,
        int rank,
        double score,
        double margin,
        double mass) {

    /** Whether scores decided nothing, since there were no more candidates than the budget. */
    public boolean allSelected() {
        return candidates <= budget;
    }
}
