package dev.plumbline.target;

import dev.plumbline.trace.TokenSpan;
import java.util.List;

/**
 * Where a watched text stands.
 *
 * @param text the text
 * @param spans its places in the prompt's tokens, in order; empty if the prompt does not have it
 * @param entries ids of the entries that hold something of it, ascending
 */
public record WatchedText(String text, List<TokenSpan> spans, List<Integer> entries) {

    /** Copies the lists. */
    public WatchedText {
        spans = List.copyOf(spans);
        entries = List.copyOf(entries);
    }
}
