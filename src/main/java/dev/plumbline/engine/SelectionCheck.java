package dev.plumbline.engine;

import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.Tensor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Holds every selection of a step of one sequence against the scores that it was made from. */
final class SelectionCheck implements TapListener {
    private final LaneKey key;
    private final Lane lane;
    private final int firstPosition;
    private final List<float[]> scores = new ArrayList<>();

    /** {@code firstPosition}: position of the step's first row. */
    SelectionCheck(LaneKey key, Lane lane, int firstPosition) {
        this.key = key;
        this.lane = lane;
        this.firstPosition = firstPosition;
    }

    @Override
    public boolean wants(Tap tap, int layer) {
        return tap == Tap.SCORES || tap == Tap.SELECTION;
    }

    @Override
    public void onTap(Tap tap, int layer, int firstRow, Tensor value) {
        int rows = Math.toIntExact(value.dim(0));
        int width = Math.toIntExact(value.dim(1));
        if (value.dtype() == DType.INT32) {
            int[] ids = new int[rows * width];
            lane.kernels.download(value, 0, ids, 0, ids.length);
            for (int row = 0; row < rows; row++) {
                check(layer, row, ids, row * width, width);
            }
            scores.clear();
        } else {
            float[] tile = new float[rows * width];
            lane.kernels.download(value, 0, tile, 0, tile.length);
            for (int row = 0; row < rows; row++) {
                float[] one = new float[width];
                System.arraycopy(tile, row * width, one, 0, width);
                scores.add(one);
            }
        }
    }

    private void check(int layer, int row, int[] ids, int at, int budget) {
        int position = firstPosition + row;
        int visible = (position + 1) / lane.pools.csaRatio();
        int[] expected = best(scores.get(row), visible, budget);
        for (int i = 0; i < budget; i++) {
            int wanted = i < expected.length ? expected[i] : -1;
            if (ids[at + i] != wanted) {
                throw new LaneSmokeException(
                        key,
                        "layer " + layer + ", position " + position + ": entry " + ids[at + i]
                                + " was selected in place " + i + " where the scores say " + wanted);
            }
        }
    }

    /** The highest scores' entries, ascending; ties go to the lower entry, and NaN counts as the lowest. */
    private static int[] best(float[] row, int visible, int budget) {
        Comparator<Integer> byScore = Comparator.comparingDouble(entry -> -rank(row[entry]));
        return IntStream.range(0, visible)
                .boxed()
                .sorted(byScore.thenComparing(Comparator.naturalOrder()))
                .limit(budget)
                .mapToInt(Integer::intValue)
                .sorted()
                .toArray();
    }

    private static double rank(float score) {
        return Float.isNaN(score) ? Double.NEGATIVE_INFINITY : score + 0.0;
    }
}
