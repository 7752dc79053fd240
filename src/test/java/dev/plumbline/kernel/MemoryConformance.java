package dev.plumbline.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Tensors: zeroed, rounded, viewed, and addressed with 64 bits. */
interface MemoryConformance extends Conformance {

    @Test
    default void newTensorsAreZero() {
        assertThat(kit().read(kit().kernels().allocate(DType.FP32, 3, 5))).containsOnly(0f);
        assertThat(kit().read(kit().kernels().allocate(DType.BF16, 7))).containsOnly(0f);
        assertThat(kit().readInts(kit().kernels().allocate(DType.INT32, 4))).containsOnly(0);
    }

    @Test
    default void touchingFreshTensorsFromAnotherThreadLeavesThemZero() throws InterruptedException {
        // given
        Tensor large = kit().kernels().allocate(DType.BF16, 5, 1 << 20);
        Tensor small = kit().kernels().allocate(DType.INT32, 4);
        Tensor empty = kit().kernels().allocate(DType.FP32, 0);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread other = new Thread(() -> List.of(large, small, empty).forEach(kit().kernels()::touch));
        other.setUncaughtExceptionHandler((thread, thrown) -> failure.set(thrown));

        // when
        other.start();
        other.join();

        // then
        assertThat(failure.get()).isNull();
        assertThat(kit().readInts(small)).containsOnly(0);
        float[] beginning = new float[64];
        kit().kernels().download(large, 0, beginning, 0, beginning.length);
        assertThat(beginning).containsOnly(0f);
    }

    @Test
    default void uploadsToBf16RoundToNearestEven() {
        float[] values = {
            1f,
            1.00390625f,
            1.01171875f,
            1.003906369f,
            -1.00390625f,
            3.4e38f,
            1e-40f,
            0f,
            -0f,
            65504f,
            0.1f,
            Float.POSITIVE_INFINITY,
            Float.NEGATIVE_INFINITY
        };
        float[] read = kit().read(kit().filled(DType.BF16, values, values.length));
        Kit.assertSameBits(read, Oracle.bf16(values), "rounded values");
        float[] many = Kit.random(3, 5000);
        Kit.assertSameBits(kit().read(kit().filled(DType.BF16, many, 50, 100)), Oracle.bf16(many), "random values");
    }

    @Test
    default void bf16KeepsNaN() {
        assertThat(kit().read(kit().filled(DType.BF16, new float[] {Float.NaN}, 1))[0])
                .isNaN();
    }

    @Test
    default void shapesAndBytesAreReported() {
        Tensor tensor = kit().kernels().allocate(DType.BF16, 3, 4, 5);
        assertThat(tensor.shape()).containsExactly(3, 4, 5);
        assertThat(tensor.elements()).isEqualTo(60);
        assertThat(tensor.bytes()).isEqualTo(120);
        assertThat(tensor.dtype()).isEqualTo(DType.BF16);
        tensor.shape()[0] = 99;
        assertThat(tensor.dim(0)).isEqualTo(3);
    }

    @Test
    default void viewsShareMemory() {
        Tensor whole = kit().floats(
                        Oracle.floats(IntStream.range(0, 24).asDoubleStream().toArray()), 4, 6);
        Tensor middle = whole.rows(1, 3);
        assertThat(middle.shape()).containsExactly(2, 6);
        assertThat(kit().read(middle)).startsWith(6f, 7f).endsWith(16f, 17f);
        Tensor cut = middle.reshape(2, 3, 2).rows(1, 2);
        assertThat(kit().read(cut)).containsExactly(12f, 13f, 14f, 15f, 16f, 17f);
        kit().kernels().upload(new float[] {-1f}, 0, 1, cut, 2);
        assertThat(kit().read(whole)[14]).isEqualTo(-1f);
        cut.close();
        assertThat(kit().read(whole)[14]).isEqualTo(-1f);
    }

    @Test
    default void impossibleViewsAreRefused() {
        Tensor tensor = kit().kernels().allocate(DType.FP32, 4, 6);
        assertThatThrownBy(() -> tensor.rows(2, 5)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> tensor.rows(-1, 2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> tensor.reshape(5, 5)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    default void transfersBeyondTheTensorAreRefused() {
        Tensor tensor = kit().kernels().allocate(DType.FP32, 4);
        Tensor ints = kit().kernels().allocate(DType.INT32, 4);
        float[] four = new float[4];
        assertThatThrownBy(() -> kit().kernels().upload(four, 0, 4, tensor, 1)).isInstanceOf(KernelException.class);
        assertThatThrownBy(() -> kit().kernels().upload(four, 1, 4, tensor, 0)).isInstanceOf(KernelException.class);
        assertThatThrownBy(() -> kit().kernels().download(tensor, -1, four, 0, 1))
                .isInstanceOf(KernelException.class);
        assertThatThrownBy(() -> kit().kernels().upload(four, 0, 4, ints, 0)).isInstanceOf(KernelException.class);
        assertThatThrownBy(() -> kit().kernels().download(tensor, 0, new int[4], 0, 4))
                .isInstanceOf(KernelException.class);
    }

    @Test
    default void partsAreReadAndWrittenInPlace() {
        Tensor tensor = kit().kernels().allocate(DType.INT32, 6);
        kit().kernels().upload(new int[] {9, 1, 2, 3, 9}, 1, 3, tensor, 2);
        int[] target = {7, 7, 7, 7, 7};
        kit().kernels().download(tensor, 3, target, 1, 3);
        assertThat(target).containsExactly(7, 2, 3, 0, 7);
    }

    @Test
    default void pagesBeyondTwoToThe31ElementsAreReachable() {
        int d = 256;
        long perPage = (long) Kernels.PAGE_ENTRIES * d;
        int high = Math.toIntExact((1L << 31) / perPage + 5);
        Tensor pool = large(high + 1, d);
        try {
            float[] key = Kit.random(1, d);
            long at = high * perPage + 3L * d;
            kit().kernels().upload(key, 0, d, pool, at);
            float[] decoy = Kit.random(9, d);
            kit().kernels().upload(decoy, 0, d, pool, at - (1L << 31));
            kit().kernels().upload(decoy, 0, d, pool, at - (1L << 30));
            float[] read = new float[d];
            kit().kernels().download(pool, at, read, 0, d);
            Kit.assertSameBits(read, Oracle.bf16(key), "a row beyond 2^31 elements");

            Batch batch = new Runs(kit()).run(0, 15, 1).batch();
            Tensor pages = kit().ints(new int[] {high}, 1, 1);
            float[] q = Kit.random(2, d);
            Tensor scores = kit().poisoned(DType.FP32, 1, 4);
            kit().kernels()
                    .indexScores(
                            batch,
                            0,
                            kit().floats(q, 1, 1, d),
                            kit().floats(new float[] {1}, 1, 1),
                            pool,
                            pages,
                            kit().ints(new int[] {4}),
                            scores);
            double expected = Oracle.score(Oracle.bf16(q), 0, 1, d, new float[] {1}, 0, Oracle.bf16(key), 0);
            Kit.assertClose(kit().written(scores), new double[] {0, 0, 0, expected}, 1e-10);
            assertAttentionReads(batch, pool, pages, q, Oracle.bf16(key), d);
        } finally {
            pool.close();
        }
    }

    private void assertAttentionReads(Batch batch, Tensor pool, Tensor pages, float[] q, float[] key, int d) {
        float[] own = Oracle.bf16(Kit.random(4, d));
        Tensor out = kit().poisoned(DType.FP32, 1, 1, d);
        kit().kernels()
                .attention(
                        batch,
                        kit().floats(q, 1, 1, d),
                        kit().filled(DType.BF16, own, 1, d),
                        kit().kernels().allocate(DType.BF16, 1, 1, d),
                        new Entries(pool, pages, kit().ints(new int[] {3}, 1, 1), kit().ints(new int[] {1})),
                        kit().floats(new float[] {0}, 1),
                        0.1f,
                        out,
                        null);
        double[] expected = Oracle.attention(q, 0, d, new float[][] {own, key}, 0, 0.1f);
        Kit.assertClose(kit().written(out), java.util.Arrays.copyOf(expected, d), Kit.BF16);
    }

    private Tensor large(int pages, int d) {
        try {
            return kit().kernels().allocate(DType.BF16, pages, Kernels.PAGE_ENTRIES, d);
        } catch (KernelException refused) {
            System.out.println("no pool beyond 2^31 elements here: " + refused.getMessage());
            Assumptions.abort("no pool beyond 2^31 elements here: " + refused.getMessage());
            throw refused;
        }
    }

    @Test
    default void shapesOfNegativeOrOverflowingDimsAreRefused() {
        Tensor tensor = kit().kernels().allocate(DType.FP32, 4, 6);
        assertThatThrownBy(() -> tensor.reshape(-4, -6)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> tensor.reshape(-1, 24, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> tensor.reshape(1L << 40, 1L << 40)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> tensor.reshape(0, 24)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(tensor::reshape).isInstanceOf(IllegalArgumentException.class);
        assertThat(tensor.rows(1, 1).reshape(0, 1L << 40, 1L << 40).elements()).isZero();
    }
}
