package dev.plumbline.kernel.reference;

import dev.plumbline.kernel.Batch;
import dev.plumbline.kernel.KernelException;

/** The rows of a step, read once and checked, so that a kernel may index with them. */
final class Step {
    private final String kernel;
    private final int rows;
    private final int[] positions;
    private final int[] sequenceOf;
    private final int[] firstRow;
    private final int[] slots;
    private final int[] stages;

    Step(String kernel, Batch batch) {
        this.kernel = kernel;
        this.rows = batch.rows();
        this.positions = ints(HostTensor.of(batch.positions()), rows);
        this.sequenceOf = ints(HostTensor.of(batch.sequenceOf()), rows);
        this.firstRow = ints(HostTensor.of(batch.firstRow()), batch.sequences() + 1);
        this.slots = ints(HostTensor.of(batch.slots()), batch.sequences());
        this.stages = ints(HostTensor.of(batch.stages()), rows);
        if (firstRow[0] != 0) {
            throw bad("firstRow[0]", firstRow[0], "0");
        }
        for (int t = 0; t < rows; t++) {
            check(t, batch);
        }
    }

    private static int[] ints(HostTensor tensor, int length) {
        int[] read = new int[length];
        tensor.read(0, read, 0, length);
        return read;
    }

    private void check(int t, Batch batch) {
        int s = sequenceOf[t];
        if (s == -1) {
            return;
        }
        if (s < -1 || s >= batch.sequences()) {
            throw bad("sequenceOf[" + t + "]", s, "-1 to " + (batch.sequences() - 1));
        }
        if (positions[t] < 0 || positions[t] >= batch.maxContext()) {
            throw bad("positions[" + t + "]", positions[t], "0 to " + (batch.maxContext() - 1));
        }
        if (stages[t] < 0 || stages[t] > Batch.DECODE) {
            throw bad("stages[" + t + "]", stages[t], "0 to " + Batch.DECODE);
        }
        int first = firstRow[s];
        if (first < 0 || first > t) {
            throw bad("firstRow[" + s + "]", first, "0 to " + t);
        }
        if (positions[t] - positions[first] != t - first) {
            throw bad("positions[" + t + "]", positions[t], String.valueOf(positions[first] + t - first));
        }
    }

    private KernelException bad(String what, int value, String allowed) {
        return new KernelException(kernel + ": " + what + " is " + value + ", allowed: " + allowed);
    }

    int rows() {
        return rows;
    }

    boolean isPadding(int t) {
        return sequenceOf[t] < 0;
    }

    int sequence(int t) {
        return sequenceOf[t];
    }

    int position(int t) {
        return positions[t];
    }

    boolean isDecode(int t) {
        return stages[t] == Batch.DECODE;
    }

    /** Position of the first row of the run of sequence {@code s}. */
    int firstPosition(int s) {
        return positions[firstRow[s]];
    }

    /** Row of position {@code p} of sequence {@code s}; p is not below the run's first position. */
    int rowOf(int s, int p) {
        return firstRow[s] + p - positions[firstRow[s]];
    }

    /** Slot of sequence {@code s} in a ring tensor of {@code limit} slots. */
    int slot(int s, long limit) {
        int slot = slots[s];
        if (slot < 0 || slot >= limit) {
            throw bad("slots[" + s + "]", slot, "0 to " + (limit - 1));
        }
        return slot;
    }
}
