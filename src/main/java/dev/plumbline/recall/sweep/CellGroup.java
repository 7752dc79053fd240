package dev.plumbline.recall.sweep;

import dev.plumbline.recall.CellResult;
import dev.plumbline.recall.Rate;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Results of cells that are reported together. */
public record CellGroup(List<CellResult> results) {

    /** Copies the list. */
    public CellGroup {
        results = List.copyOf(results);
    }

    /** The share that passed. */
    public Rate rate() {
        int passed =
                (int) results.stream().filter(result -> result.score().passed()).count();
        return new Rate(passed, results.size());
    }

    /** Prompt tokens per second up to the first token. */
    public double prefillTokensPerSecond() {
        return sum(result -> result.reply().promptTokens())
                / sum(result -> result.reply().prefillSeconds());
    }

    /** Tokens per second after the first; NaN if no answer had a second token. */
    public double decodeTokensPerSecond() {
        return sum(result -> result.reply().decodedTokens())
                / sum(result -> result.reply().decodeSeconds());
    }

    private double sum(ToDoubleFunction<CellResult> value) {
        return results.stream().mapToDouble(value).sum();
    }
}
