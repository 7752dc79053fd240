package dev.plumbline.gpucheck;

import dev.plumbline.engine.PromptRun;
import dev.plumbline.engine.Tap;
import dev.plumbline.engine.TapListener;
import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.Tensor;
import dev.plumbline.model.Checkpoint;
import dev.plumbline.precision.PrecisionProfile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** What a backend computed for a prompt under a profile, position by position, and which kernel variants it named. */
final class Observed implements TapListener, PromptRun.LogitsListener {
    /** Tokens of an entry in the layers that select. */
    private static final int RATIO = 4;

    private final Kernels kernels;
    private final List<float[]> logits = new ArrayList<>();
    private final SortedMap<Integer, List<float[]>> scores = new TreeMap<>();
    private final SortedMap<Integer, List<int[]>> selections = new TreeMap<>();
    private List<String> variants = List.of();

    private Observed(Kernels kernels) {
        this.kernels = kernels;
    }

    /** Runs a prompt in chunks; steps from position {@code decodeFrom} on are of the decode stage. */
    static Observed of(
            Checkpoint checkpoint,
            PrecisionProfile profile,
            Kernels kernels,
            int[] ids,
            int decodeFrom,
            List<Integer> chunks) {
        Observed observed = new Observed(kernels);
        try (PromptRun run = new PromptRun(checkpoint, profile, kernels, ids.length).decodeFrom(decodeFrom)) {
            run.run(ids, chunks, observed, observed);
            observed.variants = run.variants();
        }
        return observed;
    }

    int positions() {
        return logits.size();
    }

    float[] logits(int position) {
        return logits.get(position);
    }

    /** The layers that select, in order. */
    List<Integer> layers() {
        return List.copyOf(selections.keySet());
    }

    /** Scores of the entries that a position sees. */
    float[] scores(int layer, int position) {
        return scores.get(layer).get(position);
    }

    /** Ids that a position selected, ascending, −1 after the last. */
    int[] selection(int layer, int position) {
        return selections.get(layer).get(position);
    }

    /** Ids of the variants, as the calls returned them; sorted. */
    List<String> variants() {
        return variants;
    }

    @Override
    public boolean wants(Tap tap, int layer) {
        return tap == Tap.SCORES || tap == Tap.SELECTION;
    }

    @Override
    public void onTap(Tap tap, int layer, int firstRow, Tensor value) {
        int rows = Math.toIntExact(value.dim(0));
        int width = Math.toIntExact(value.dim(1));
        int position = logits.size() + firstRow;
        if (value.dtype() == DType.INT32) {
            int[] all = new int[Math.multiplyExact(rows, width)];
            kernels.download(value, 0, all, 0, all.length);
            for (int row = 0; row < rows; row++) {
                add(selections, layer, position + row, Arrays.copyOfRange(all, row * width, (row + 1) * width));
            }
        } else {
            float[] all = new float[Math.multiplyExact(rows, width)];
            kernels.download(value, 0, all, 0, all.length);
            for (int row = 0; row < rows; row++) {
                int from = row * width;
                int visible = Math.min(width, (position + row + 1) / RATIO);
                add(scores, layer, position + row, Arrays.copyOfRange(all, from, from + visible));
            }
        }
    }

    private static <T> void add(SortedMap<Integer, List<T>> to, int layer, int position, T row) {
        List<T> rows = to.computeIfAbsent(layer, any -> new ArrayList<>());
        if (rows.size() != position) {
            throw new IllegalStateException("row " + position + " of layer " + layer + " came after " + rows.size());
        }
        rows.add(row);
    }

    @Override
    public void onLogits(int position, int rows, float[] chunk) {
        int vocabulary = chunk.length / rows;
        for (int row = 0; row < rows; row++) {
            logits.add(Arrays.copyOfRange(chunk, row * vocabulary, (row + 1) * vocabulary));
        }
    }
}
