package dev.plumbline.recall.sweep;

import dev.plumbline.recall.Depth;
import dev.plumbline.recall.Rate;
import java.util.Locale;

/** A sweep as CSV: a row per length and depth. Only the machine needs quoting: all else are numbers, labels and signs. */
public final class SweepCsv {
    private static final String HEADER =
            "family,length,depth,index_topk,passed,n,recall,low95,high95,prefill_tok_s,decode_tok_s,commit,date,machine\n";

    private SweepCsv() {}

    /** The whole file. */
    public static String render(SweepResult sweep) {
        StringBuilder out = new StringBuilder(HEADER);
        for (int length : sweep.grid().lengths()) {
            for (Depth depth : sweep.grid().depths()) {
                CellGroup group = sweep.group(length, depth);
                Rate rate = group.rate();
                out.append(String.format(
                        Locale.ROOT,
                        "%s,%d,%s,%s,%d,%d,%.4f,%.4f,%.4f,%s,%s,%s,%s,%s%n",
                        sweep.grid().family().label(),
                        length,
                        depth.label(),
                        sweep.about().getOrDefault("index_topk", ""),
                        rate.passed(),
                        rate.asked(),
                        rate.value(),
                        rate.low(),
                        rate.high(),
                        speed(group.prefillTokensPerSecond()),
                        speed(group.decodeTokensPerSecond()),
                        sweep.about().getOrDefault("commit", ""),
                        sweep.about().getOrDefault("date", ""),
                        quoted(sweep.about().getOrDefault("cpu_model", ""))));
            }
        }
        return out.toString();
    }

    private static String quoted(String value) {
        return '"' + value.replace("\"", "\"\"") + '"';
    }

    private static String speed(double tokensPerSecond) {
        return Double.isFinite(tokensPerSecond) ? String.format(Locale.ROOT, "%.1f", tokensPerSecond) : "";
    }
}
