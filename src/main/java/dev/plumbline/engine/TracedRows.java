package dev.plumbline.engine;

import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.Tensor;
import java.util.List;

/** The rows of a tapped tile that traces ask about, on the host, with neighbouring ones read in one transfer. */
final class TracedRows {
    private float[] floats = {};
    private int[] ints = {};
    private int base;
    private int width;

    /** Reads part of a tile to a place of the same array. */
    @FunctionalInterface
    private interface Transfer {
        void read(long from, int to, int length);
    }

    /** Reads from a tile [n, width] of fp32 whose first row is row {@code firstRow} of the step. */
    void readFloats(Kernels kernels, List<SequenceTrace> traces, int firstRow, Tensor tile) {
        int elements = locate(traces, firstRow, tile);
        if (floats.length < elements) {
            floats = new float[elements];
        }
        each(traces, firstRow, tile, (from, to, length) -> kernels.download(tile, from, floats, to, length));
    }

    /** The same for int32. */
    void readInts(Kernels kernels, List<SequenceTrace> traces, int firstRow, Tensor tile) {
        int elements = locate(traces, firstRow, tile);
        if (ints.length < elements) {
            ints = new int[elements];
        }
        each(traces, firstRow, tile, (from, to, length) -> kernels.download(tile, from, ints, to, length));
    }

    float[] floats() {
        return floats;
    }

    int[] ints() {
        return ints;
    }

    /** Where a row begins. */
    int at(int row) {
        return (row - base) * width;
    }

    int width() {
        return width;
    }

    private int locate(List<SequenceTrace> traces, int firstRow, Tensor tile) {
        int end = firstRow + (int) tile.dim(0);
        int lowest = end;
        int highest = firstRow;
        for (SequenceTrace trace : traces) {
            int from = Math.max(firstRow, trace.from());
            int to = Math.min(end, trace.to());
            if (from < to) {
                lowest = Math.min(lowest, from);
                highest = Math.max(highest, to);
            }
        }
        base = lowest;
        width = Math.toIntExact(tile.dim(1));
        return Math.multiplyExact(Math.max(0, highest - lowest), width);
    }

    /** Traces are in the order of their rows. */
    private void each(List<SequenceTrace> traces, int firstRow, Tensor tile, Transfer transfer) {
        int end = firstRow + (int) tile.dim(0);
        int from = -1;
        int to = -1;
        for (SequenceTrace trace : traces) {
            int first = Math.max(firstRow, trace.from());
            int last = Math.min(end, trace.to());
            if (first >= last) {
                continue;
            }
            if (first != to) {
                transfer(from, to, firstRow, transfer);
                from = first;
            }
            to = last;
        }
        transfer(from, to, firstRow, transfer);
    }

    private void transfer(int from, int to, int firstRow, Transfer transfer) {
        if (from < to) {
            transfer.read((long) (from - firstRow) * width, at(from), (to - from) * width);
        }
    }
}
