package dev.plumbline.engine;

import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.Tensor;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The logits of a prompt, and the taps that a test asked for, row after row. */
final class Recorded implements TapListener, PromptRun.LogitsListener {
    private final Kernels kernels;
    private final Set<Tap> wanted;
    private final Map<String, float[]> floats = new HashMap<>();
    private final Map<String, int[]> ints = new HashMap<>();
    private float[] logits = new float[0];

    private Recorded(Kernels kernels, Set<Tap> wanted) {
        this.kernels = kernels;
        this.wanted = wanted;
    }

    static Recorded of(PromptRun run, Kernels kernels, int[] ids, List<Integer> chunks, Tap... taps) {
        Recorded recorded = new Recorded(kernels, Set.of(taps));
        run.run(ids, chunks, recorded, recorded);
        return recorded;
    }

    float[] logits() {
        return logits;
    }

    float[] floats(Tap tap, int layer) {
        return floats.get(tap + "." + layer);
    }

    int[] selection(int layer) {
        return ints.get(Tap.SELECTION + "." + layer);
    }

    @Override
    public boolean wants(Tap tap, int layer) {
        return wanted.contains(tap);
    }

    @Override
    public void onTap(Tap tap, int layer, int firstRow, Tensor value) {
        int length = Math.toIntExact(value.elements());
        String key = tap + "." + layer;
        if (value.dtype() == DType.INT32) {
            int[] read = new int[length];
            kernels.download(value, 0, read, 0, length);
            ints.merge(key, read, Recorded::append);
        } else {
            float[] read = new float[length];
            kernels.download(value, 0, read, 0, length);
            floats.merge(key, read, Recorded::append);
        }
    }

    @Override
    public void onLogits(int position, int rows, float[] chunk) {
        logits = append(logits, chunk);
    }

    private static float[] append(float[] head, float[] tail) {
        float[] all = Arrays.copyOf(head, head.length + tail.length);
        System.arraycopy(tail, 0, all, head.length, tail.length);
        return all;
    }

    private static int[] append(int[] head, int[] tail) {
        int[] all = Arrays.copyOf(head, head.length + tail.length);
        System.arraycopy(tail, 0, all, head.length, tail.length);
        return all;
    }
}
