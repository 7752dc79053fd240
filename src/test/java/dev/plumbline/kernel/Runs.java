package dev.plumbline.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Builds the batch of a step from runs of consecutive positions, followed by padding full of invalid numbers. */
final class Runs {
    private static final int MOST_RUNS = 64;

    private final Kit kit;
    private final List<int[]> runs = new ArrayList<>();
    private final boolean[] decoding = new boolean[MOST_RUNS];
    private int padding;
    private int[] tokens;

    Runs(Kit kit) {
        this.kit = kit;
    }

    /** Adds a sequence: {@code length} rows from position {@code from} on. */
    Runs run(int slot, int from, int length) {
        runs.add(new int[] {slot, from, length});
        return this;
    }

    /** Adds a sequence whose rows are of the decode stage. */
    Runs decode(int slot, int from, int length) {
        decoding[runs.size()] = true;
        return run(slot, from, length);
    }

    /** Rows after the real ones, and one padding sequence. */
    Runs padding(int rows) {
        padding = rows;
        return this;
    }

    Runs tokens(int... ids) {
        tokens = ids;
        return this;
    }

    Batch batch() {
        int real = runs.stream().mapToInt(run -> run[2]).sum();
        int rows = real + padding;
        int sequences = runs.size() + (padding > 0 ? 1 : 0);
        int[] ids = new int[rows];
        int[] positions = new int[rows];
        int[] sequenceOf = new int[rows];
        int[] firstRow = new int[sequences + 1];
        int[] slots = new int[sequences];
        int[] stages = new int[rows];
        Arrays.fill(ids, -1);
        Arrays.fill(positions, -1);
        Arrays.fill(sequenceOf, -1);
        Arrays.fill(slots, -1);
        Arrays.fill(stages, 77);
        int t = 0;
        int maxContext = 1;
        for (int s = 0; s < runs.size(); s++) {
            int[] run = runs.get(s);
            slots[s] = run[0];
            firstRow[s] = t;
            for (int i = 0; i < run[2]; i++) {
                ids[t] = tokens == null ? 0 : tokens[t];
                positions[t] = run[1] + i;
                stages[t] = decoding[s] ? Batch.DECODE : Batch.PREFILL;
                sequenceOf[t++] = s;
            }
            maxContext = Math.max(maxContext, run[1] + run[2]);
        }
        for (int s = runs.size(); s <= sequences; s++) {
            firstRow[s] = real;
        }
        return new Batch(
                rows,
                sequences,
                maxContext,
                kit.ints(ids),
                kit.ints(positions),
                kit.ints(sequenceOf),
                kit.ints(firstRow),
                kit.ints(slots),
                kit.ints(stages),
                null,
                null);
    }
}
