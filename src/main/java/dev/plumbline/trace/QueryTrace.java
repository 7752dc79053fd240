package dev.plumbline.trace;

import java.util.List;

/**
 * What the indexer of one layer did for one query.
 *
 * @param layer index of the layer
 * @param position position of the query's token
 * @param stage what computed it
 * @param budget most entries that the query may select
 * @param candidates entries visible to it
 * @param selected entries that attention was given
 * @param lowestSelected the lowest selected score; NaN if nothing was selected
 * @param counts scores that tell of a failing indexer
 * @param watches one per watched text, in the request's order
 * @param entries ids of the selected entries, ascending; null if they were not asked for
 */
public record QueryTrace(
        int layer,
        int position,
        Stage stage,
        int budget,
        int candidates,
        int selected,
        float lowestSelected,
        ScoreCounts counts,
        List<WatchTrace> watches,
        int[] entries) {

    /** Copies the list. */
    public QueryTrace {
        watches = List.copyOf(watches);
    }

    /** Whether there were no more candidates than the budget, so that scores decided nothing. */
    public boolean allSelected() {
        return candidates <= budget;
    }

    /** The same with what attention gave to the watched entries. */
    public QueryTrace withWatches(List<WatchTrace> weighed) {
        return new QueryTrace(
                layer, position, stage, budget, candidates, selected, lowestSelected, counts, weighed, entries);
    }
}
