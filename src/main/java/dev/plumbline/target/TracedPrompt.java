package dev.plumbline.target;

import java.util.List;

/**
 * The prompt as a selection trace speaks of it.
 *
 * @param tokens tokens of the prompt
 * @param tokensPerEntry tokens of an entry's own window
 * @param watched one per watched text, in the request's order
 */
public record TracedPrompt(int tokens, int tokensPerEntry, List<WatchedText> watched) {

    /** Copies the list. */
    public TracedPrompt {
        watched = List.copyOf(watched);
    }
}
