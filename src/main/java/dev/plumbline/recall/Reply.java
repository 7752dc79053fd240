package dev.plumbline.recall;

import dev.plumbline.engine.FinishReason;
import dev.plumbline.trace.QueryTrace;
import java.util.List;

/**
 * What an engine made of one prompt, and when.
 *
 * @param promptTokens tokens of the prompt
 * @param tokens the answer, without the token that ended it
 * @param reason why it ended
 * @param submittedNanos when the prompt was handed over
 * @param tokenNanos when each token came
 * @param endedNanos when the answer was complete
 * @param selections what the indexer did for the queries asked about, by position and layer; empty if none were
 */
public record Reply(
        int promptTokens,
        int[] tokens,
        FinishReason reason,
        long submittedNanos,
        long[] tokenNanos,
        long endedNanos,
        List<QueryTrace> selections) {
    private static final double NANOS = 1e9;

    /** Copies the list. */
    public Reply {
        selections = List.copyOf(selections);
    }

    /** When the first token came, or the end if there was none. */
    public long firstNanos() {
        return tokenNanos.length == 0 ? endedNanos : tokenNanos[0];
    }

    /** When the last token came, or the end if there was none. */
    public long lastNanos() {
        return tokenNanos.length == 0 ? endedNanos : tokenNanos[tokenNanos.length - 1];
    }

    /** From the prompt to the first token. */
    public double prefillSeconds() {
        return (firstNanos() - submittedNanos) / NANOS;
    }

    /** From the first token to the last. */
    public double decodeSeconds() {
        return (lastNanos() - firstNanos()) / NANOS;
    }

    /** Tokens that were decoded one by one: all but the first. */
    public int decodedTokens() {
        return Math.max(0, tokens.length - 1);
    }
}
