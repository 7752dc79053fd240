package dev.plumbline.cli;

import dev.plumbline.recall.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What a trace costs at one length: medians over rounds of the ratio to the same round without a trace.
 *
 * @param length tokens of a prompt
 * @param queries which queries were asked about
 * @param prefillRatio time to the first token
 * @param decodeRatio time from the first token to the last
 * @param totalRatio both together
 * @param rounds how many rounds
 */
record TraceCost(int length, String queries, double prefillRatio, double decodeRatio, double totalRatio, int rounds) {

    /** {@code plain} and {@code traced} are of the same rounds, in order. */
    static TraceCost of(int length, TracedQueries queries, List<Reply> plain, List<Reply> traced) {
        return new TraceCost(
                length,
                queries.label(),
                ratio(plain, traced, Reply::prefillSeconds),
                ratio(plain, traced, Reply::decodeSeconds),
                ratio(plain, traced, reply -> reply.prefillSeconds() + reply.decodeSeconds()),
                plain.size());
    }

    private static double ratio(List<Reply> plain, List<Reply> traced, ToDoubleFunction<Reply> seconds) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < plain.size(); i++) {
            ratios.add(seconds.applyAsDouble(traced.get(i)) / seconds.applyAsDouble(plain.get(i)));
        }
        ratios.sort(null);
        int middle = ratios.size() / 2;
        return ratios.size() % 2 == 1 ? ratios.get(middle) : (ratios.get(middle - 1) + ratios.get(middle)) / 2;
    }
}
