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
 * @param cpuRatio processor time of the whole process, which other work on the machine does not disturb
 * @param rounds how many rounds
 */
record TraceCost(
        int length,
        String queries,
        double prefillRatio,
        double decodeRatio,
        double totalRatio,
        double cpuRatio,
        int rounds) {

    /** One answer and the processor time that was spent until it was there. */
    record Run(Reply reply, long cpuNanos) {}

    /** {@code plain} and {@code traced} are of the same rounds, in order. */
    static TraceCost of(int length, TracedQueries queries, List<Run> plain, List<Run> traced) {
        return new TraceCost(
                length,
                queries.label(),
                ratio(plain, traced, run -> run.reply().prefillSeconds()),
                ratio(plain, traced, run -> run.reply().decodeSeconds()),
                ratio(
                        plain,
                        traced,
                        run -> run.reply().prefillSeconds() + run.reply().decodeSeconds()),
                ratio(plain, traced, Run::cpuNanos),
                plain.size());
    }

    private static double ratio(List<Run> plain, List<Run> traced, ToDoubleFunction<Run> cost) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < plain.size(); i++) {
            ratios.add(cost.applyAsDouble(traced.get(i)) / cost.applyAsDouble(plain.get(i)));
        }
        ratios.sort(null);
        int middle = ratios.size() / 2;
        return ratios.size() % 2 == 1 ? ratios.get(middle) : (ratios.get(middle - 1) + ratios.get(middle)) / 2;
    }
}
