package dev.plumbline.engine;

import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.Sampling;
import dev.plumbline.kernel.Tensor;
import java.util.Arrays;

/** Brings the sampling parameters of a step's rows to the device. */
final class SamplingBuffers implements AutoCloseable {
    private final Kernels kernels;
    private final int[] starts;
    private final float[] temperatures;
    private final float[] topPs;
    private final int[] seeds;
    private final int[] choices;
    private final int[] positions;
    private final Tensor start;
    private final Tensor temperature;
    private final Tensor topP;
    private final Tensor seed;
    private final Tensor choice;
    private final Tensor position;
    private int[] tokens = new int[64];
    private float[] values = new float[64];
    private Tensor token;
    private Tensor value;
    private int rows;

    SamplingBuffers(Kernels kernels, int maxRows) {
        this.kernels = kernels;
        starts = new int[maxRows + 1];
        temperatures = new float[maxRows];
        topPs = new float[maxRows];
        seeds = new int[2 * maxRows];
        choices = new int[maxRows];
        positions = new int[maxRows];
        start = kernels.allocate(DType.INT32, maxRows + 1);
        temperature = kernels.allocate(DType.FP32, maxRows);
        topP = kernels.allocate(DType.FP32, maxRows);
        seed = kernels.allocate(DType.INT32, maxRows, 2);
        choice = kernels.allocate(DType.INT32, maxRows);
        position = kernels.allocate(DType.INT32, maxRows);
        token = kernels.allocate(DType.INT32, tokens.length);
        value = kernels.allocate(DType.FP32, values.length);
    }

    void clear() {
        rows = 0;
    }

    /** Adds a row: the token being sampled will stand at {@code at}. */
    void add(SamplingParameters parameters, Adjustments adjustments, int choiceIndex, int at) {
        temperatures[rows] = parameters.temperature();
        topPs[rows] = parameters.topP();
        seeds[2 * rows] = (int) parameters.seed();
        seeds[2 * rows + 1] = (int) (parameters.seed() >>> 32);
        choices[rows] = choiceIndex;
        positions[rows] = at;
        int used = starts[rows];
        reserve(used + adjustments.size());
        adjustments.copyTo(tokens, values, used);
        starts[++rows] = used + adjustments.size();
    }

    private void reserve(int size) {
        if (size <= tokens.length) {
            return;
        }
        int grown = Math.max(size, 2 * tokens.length);
        // Allocated before anything is given up, so that a failure leaves the smaller buffers usable.
        Tensor grownToken = kernels.allocate(DType.INT32, grown);
        Tensor grownValue = kernels.allocate(DType.FP32, grown);
        token.close();
        value.close();
        token = grownToken;
        value = grownValue;
        tokens = Arrays.copyOf(tokens, grown);
        values = Arrays.copyOf(values, grown);
    }

    /** Uploads the rows that were added. */
    Sampling build() {
        kernels.upload(starts, 0, rows + 1, start, 0);
        if (starts[rows] > 0) {
            kernels.upload(tokens, 0, starts[rows], token, 0);
            kernels.upload(values, 0, starts[rows], value, 0);
        }
        kernels.upload(temperatures, 0, rows, temperature, 0);
        kernels.upload(topPs, 0, rows, topP, 0);
        kernels.upload(seeds, 0, 2 * rows, seed, 0);
        kernels.upload(choices, 0, rows, choice, 0);
        kernels.upload(positions, 0, rows, position, 0);
        return new Sampling(
                start.rows(0, rows + 1),
                token,
                value,
                temperature.rows(0, rows),
                topP.rows(0, rows),
                seed.rows(0, rows),
                choice.rows(0, rows),
                position.rows(0, rows));
    }

    @Override
    public void close() {
        for (Tensor tensor : new Tensor[] {start, temperature, topP, seed, choice, position, token, value}) {
            tensor.close();
        }
    }
}
