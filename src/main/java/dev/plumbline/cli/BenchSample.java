package dev.plumbline.cli;

import dev.plumbline.recall.Reply;
import java.util.List;

/**
 * Speed of one batch, run once.
 *
 * @param prefillTokS prompt tokens of the batch per second, until every sequence had its first token
 * @param decodeTokS tokens of the batch per second, while all of its sequences decoded
 * @param ttftMs from handing the batch over to a first token, mean over its sequences
 */
record BenchSample(double prefillTokS, double decodeTokS, double ttftMs) {
    private static final double NANOS = 1e9;
    private static final double NANOS_PER_MILLI = 1e6;

    static BenchSample of(List<Reply> batch) {
        long start = batch.stream().mapToLong(Reply::submittedNanos).min().orElseThrow();
        long allDecode = batch.stream().mapToLong(Reply::firstNanos).max().orElseThrow();
        long oneEnds = batch.stream().mapToLong(Reply::lastNanos).min().orElseThrow();
        double promptTokens = batch.stream().mapToLong(Reply::promptTokens).sum();
        double ttft = batch.stream()
                .mapToLong(reply -> reply.firstNanos() - start)
                .average()
                .orElseThrow();
        return new BenchSample(
                promptTokens * NANOS / (allDecode - start),
                decoded(batch, allDecode, oneEnds) * NANOS / (oneEnds - allDecode),
                ttft / NANOS_PER_MILLI);
    }

    /** Tokens that came after {@code from}, up to {@code to}. */
    private static long decoded(List<Reply> batch, long from, long to) {
        long tokens = 0;
        for (Reply reply : batch) {
            for (long at : reply.tokenNanos()) {
                tokens += at > from && at <= to ? 1 : 0;
            }
        }
        return tokens;
    }
}
