package dev.plumbline.trace;

import java.util.List;
import java.util.Set;

/**
 * What a generation is to report of its indexer's selections.
 *
 * @param from position of the first query asked about
 * @param to one more than the position of the last; {@link #UNTIL_END} asks about all that come
 * @param stages stages asked about
 * @param layers CSA layers asked about; empty = all
 * @param watches watched texts, each as the places of the prompt where it stands; may be empty, and so may a text's
 *     places
 * @param entries whether to report the ids of all selected entries
 */
public record TraceRequest(
        int from, int to, Set<Stage> stages, Set<Integer> layers, List<List<TokenSpan>> watches, boolean entries) {

    /** No last query. */
    public static final int UNTIL_END = Integer.MAX_VALUE;

    /** Copies the collections. */
    public TraceRequest {
        if (from < 0 || to <= from) {
            throw new IllegalArgumentException(
                    "queries are [" + from + ", " + to + "); allowed: from 0 on, at least one");
        }
        if (stages.isEmpty()) {
            throw new IllegalArgumentException("stages is empty; allowed: prefill, decode");
        }
        stages = Set.copyOf(stages);
        layers = Set.copyOf(layers);
        watches = watches.stream().map(List::copyOf).toList();
    }

    /** Whether something is asked about this layer. */
    public boolean wants(int layer) {
        return layers.isEmpty() || layers.contains(layer);
    }
}
