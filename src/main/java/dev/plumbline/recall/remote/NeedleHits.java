package dev.plumbline.recall.remote;

import dev.plumbline.recall.result.NeedleTrace;
import dev.plumbline.trace.CoveredEntry;
import dev.plumbline.trace.Stage;
import dev.plumbline.trace.TokenSpan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.function.IntUnaryOperator;

/**
 * Counts, as the ids of a server's selections come, those that belong to the expected values of a cell, from the prompt's
 * last token on. Rows before it are passed over, so that an answer of gigabytes takes kilobytes here.
 */
final class NeedleHits implements IntConsumer {
    private final IndexerShape shape;
    private final int promptTokens;
    private final int rows;
    private final List<List<Integer>> entries = new ArrayList<>();
    /** Values of every entry that belongs to one. */
    private final Map<Integer, List<Integer>> values = new HashMap<>();

    private final int[] hits;
    private long count;
    private String fault = "";

    /**
     * Counts for one cell.
     *
     * @param spans where each expected value stands in the prompt
     * @param promptTokens tokens of the prompt
     * @param mostAnswer most tokens of the answer
     */
    NeedleHits(IndexerShape shape, List<List<TokenSpan>> spans, int promptTokens, int mostAnswer) {
        this.shape = shape;
        this.promptTokens = promptTokens;
        this.rows = 1 + mostAnswer;
        for (List<TokenSpan> places : spans) {
            int value = entries.size();
            // An entry of one token has no window before its own.
            List<Integer> held = CoveredEntry.of(places, shape.ratio()).stream()
                    .filter(entry -> entry.own() || shape.ratio() > 1)
                    .map(CoveredEntry::entry)
                    .toList();
            entries.add(held);
            held.forEach(entry ->
                    values.computeIfAbsent(entry, unseen -> new ArrayList<>()).add(value));
        }
        this.hits = new int[rows * shape.layers() * spans.size()];
    }

    @Override
    public void accept(int id) {
        long row = count / shape.stride() - (promptTokens - 1);
        int layer = (int) (count % shape.stride()) / shape.topk();
        count++;
        if (row < 0 || id == -1 || !fault.isEmpty()) {
            return;
        }
        if (row >= rows || id < 0 || id >= shape.candidates(promptTokens - 1 + (int) row)) {
            // Not thrown here: the answer is still to come, and counts.
            fault = "its indexer_topk has the entry " + id + " for token " + (promptTokens - 1 + row)
                    + ", which cannot be";
            return;
        }
        for (int value : values.getOrDefault(id, List.of())) {
            hits[index((int) row, layer, value)]++;
        }
    }

    private int index(int row, int layer, int value) {
        return (row * shape.layers() + layer) * entries.size() + value;
    }

    /**
     * What became of the values. The server does not tell scores, hence no rank, score, margin and mass.
     *
     * @param layerOf the model's number of the layers that select
     * @throws ServerFailure if what came does not belong to a prompt of that length
     */
    List<NeedleTrace> traces(IntUnaryOperator layerOf) {
        if (!fault.isEmpty()) {
            throw ServerFailure.lasting(fault);
        }
        long told = count / shape.stride();
        if (count % shape.stride() != 0 || told < promptTokens || told >= promptTokens + rows) {
            throw ServerFailure.lasting("its indexer_topk has " + count + " ids, which is no row of " + shape.stride()
                    + " for each of " + promptTokens + " tokens of the prompt and of the answer");
        }
        int decoded = (int) told - promptTokens;
        List<NeedleTrace> traces = new ArrayList<>();
        for (int layer = 0; layer < shape.layers(); layer++) {
            for (int value = 0; value < entries.size(); value++) {
                traces.add(trace(layerOf.applyAsInt(layer), Stage.PREFILL, layer, value, 0, 1));
            }
            for (int value = 0; decoded > 0 && value < entries.size(); value++) {
                traces.add(trace(layerOf.applyAsInt(layer), Stage.DECODE, layer, value, 1, decoded));
            }
        }
        return traces;
    }

    /** Of several queries, the one that selected most of the value, the first among equals. */
    private NeedleTrace trace(int named, Stage stage, int layer, int value, int from, int queries) {
        int best = from;
        int selecting = 0;
        for (int row = from; row < from + queries; row++) {
            int found = hits[index(row, layer, value)];
            selecting += found > 0 ? 1 : 0;
            best = found > hits[index(best, layer, value)] ? row : best;
        }
        int position = promptTokens - 1 + best;
        int candidates = shape.candidates(position);
        int visible = (int)
                entries.get(value).stream().filter(entry -> entry < candidates).count();
        return new NeedleTrace(
                named,
                stage,
                value,
                position,
                queries,
                selecting,
                shape.topk(),
                candidates,
                visible,
                hits[index(best, layer, value)],
                0,
                Double.NaN,
                Double.NaN,
                Double.NaN);
    }
}
