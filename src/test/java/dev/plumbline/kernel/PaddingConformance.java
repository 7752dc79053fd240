package dev.plumbline.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Padding rows: their tokens, positions, counts and ids may be anything, and they change nothing. */
interface PaddingConformance extends Conformance {

    @Test
    default void aStepOfNothingButPaddingRunsThroughEveryKernel() {
        Kernels kernels = kit().kernels();
        Batch batch = new Runs(kit()).padding(3).batch();
        Tensor wild = kit().ints(new int[] {-7, 1 << 30, -1});
        Tensor pages = kit().ints(new int[] {-1}, 1, 1);
        Tensor pool = kernels.allocate(DType.FP32, 1, 64, 8);
        Tensor state = kernels.allocate(DType.FP32, 1, 8, 32);
        kernels.embed(batch, kernels.allocate(DType.FP32, 5, 8), kernels.allocate(DType.FP32, 3, 4, 8));
        Tensor counts = kit().poisoned(DType.INT32, 3);
        kernels.visible(batch, 4, counts);
        assertThat(kit().readInts(counts)).containsOnly(0);
        CompressorWeights weights = new CompressorWeights(
                4,
                true,
                8,
                kernels.allocate(DType.FP32, 4, 16),
                kernels.allocate(DType.FP32, 8),
                1e-6f,
                kernels.allocate(DType.FP32, 2));
        Tensor projected = kit().floats(Kit.random(1, 96), 3, 32);
        kernels.compress(batch, weights, projected, state, pages, pool);
        kernels.appendRing(batch, projected, state);
        kernels.attention(
                batch,
                kernels.allocate(DType.FP32, 3, 2, 8),
                kernels.allocate(DType.FP32, 3, 8),
                kernels.allocate(DType.FP32, 1, 4, 8),
                new Entries(pool, pages, kit().ints(new int[] {-7, 9, 99}, 3, 1), wild),
                kernels.allocate(DType.FP32, 2),
                1,
                kernels.allocate(DType.FP32, 3, 2, 8),
                null);
        kernels.indexScores(
                batch,
                0,
                kernels.allocate(DType.FP32, 3, 2, 8),
                kernels.allocate(DType.FP32, 3, 2),
                pool,
                pages,
                wild,
                kernels.allocate(DType.FP32, 3, 4));
        kernels.route(
                batch,
                kernels.allocate(DType.FP32, 3, 4),
                null,
                kit().ints(new int[] {0, 1}, 1, 2),
                1,
                kernels.allocate(DType.INT32, 3, 2),
                kernels.allocate(DType.FP32, 3, 2));
        kernels.synchronize();
        assertThat(kit().read(pool)).containsOnly(0f);
        assertThat(kit().read(state)).containsOnly(0f);
    }

    @Test
    default void paddingDoesNotChangeTheRealRows() {
        List<float[]> plain = outputs(0);
        List<float[]> padded = outputs(5);
        for (int i = 0; i < plain.size(); i++) {
            float[] real = plain.get(i);
            Kit.assertSameBits(Arrays.copyOf(padded.get(i), real.length), real, "output " + i);
        }
    }

    /** Streams and attention of two rows, followed by padding that holds NaN. */
    private List<float[]> outputs(int padding) {
        Kernels kernels = kit().kernels();
        int rows = 2 + padding;
        Batch batch = new Runs(kit()).run(0, 6, 2).tokens(3, 1).padding(padding).batch();
        Tensor streams = kit().poisoned(DType.FP32, rows, 4, 8);
        kernels.embed(batch, kit().floats(Kit.random(1, 40), 5, 8), streams);
        float[] q = new float[rows * 16];
        float[] keys = new float[rows * 8];
        Arrays.fill(q, Float.NaN);
        Arrays.fill(keys, Float.NaN);
        System.arraycopy(Kit.random(2, 32), 0, q, 0, 32);
        System.arraycopy(Kit.random(3, 16), 0, keys, 0, 16);
        Tensor out = kit().poisoned(DType.FP32, rows, 2, 8);
        kernels.attention(
                batch,
                kit().floats(q, rows, 2, 8),
                kit().floats(keys, rows, 8),
                kit().floats(Kit.random(4, 32), 1, 4, 8),
                null,
                kit().floats(new float[2], 2),
                0.3f,
                out,
                null);
        return List.of(Arrays.copyOf(kit().read(streams), 64), Arrays.copyOf(kit().read(out), 32));
    }
}
