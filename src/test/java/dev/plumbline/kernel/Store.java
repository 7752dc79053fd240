package dev.plumbline.kernel;

import dev.plumbline.precision.PageFormat;
import java.util.Arrays;

/**
 * Stores chosen rows through the fused kernel: a compressor of one token an entry, whose pooled value is ±1 and whose
 * norm therefore multiplies with the chosen numbers, at position 0, where nothing turns.
 */
final class Store {
    private static final int[] PAGES = {3, 0, 2};

    private final Kit kit;
    private final Pool pool;
    private final Tensor shadow;
    private final Variant variant;

    private Store(Kit kit, Pool pool, Tensor shadow, Variant variant) {
        this.kit = kit;
        this.pool = pool;
        this.shadow = shadow;
        this.variant = variant;
    }

    /**
     * Stores three sequences' entry 0: the numbers, their negatives, and with alternating signs.
     *
     * @param rotated dims that the compressor rotates
     */
    static Store of(Kit kit, PageFormat format, KeyTransform transform, float[] numbers, int rotated) {
        int d = numbers.length;
        Pool pool = Pool.allocate(kit.kernels(), format, 4);
        Tensor shadow = kit.poisoned(DType.FP32, 4, 64, d);
        float[] projected = new float[3 * 2 * d];
        for (int i = 0; i < d; i++) {
            projected[i] = 1;
            projected[2 * d + i] = -1;
            projected[4 * d + i] = i % 2 == 0 ? 1 : -1;
        }
        CompressorWeights weights = new CompressorWeights(
                1,
                false,
                d,
                kit.floats(new float[d], 1, d),
                kit.floats(numbers, d),
                0,
                kit.floats(RotationConformance.frequencies(rotated / 2), rotated / 2));
        Variant variant = kit.kernels()
                .compress(
                        new Runs(kit)
                                .run(0, 0, 1)
                                .run(1, 0, 1)
                                .run(2, 0, 1)
                                .padding(2)
                                .batch(),
                        weights,
                        kit.floats(Arrays.copyOf(projected, 5 * 2 * d), 5, 2L * d),
                        kit.kernels().allocate(DType.FP32, 3, 1, 2L * d),
                        kit.ints(new int[] {PAGES[0], PAGES[1], PAGES[2], -1}, 4, 1),
                        pool,
                        transform,
                        shadow);
        return new Store(kit, pool, shadow, variant);
    }

    Variant variant() {
        return variant;
    }

    /** What was to be stored in entry 0 of each sequence, before the transform. */
    float[][] shadows() {
        float[] all = kit.read(shadow);
        int d = pool.format().width();
        float[][] rows = new float[PAGES.length][];
        for (int s = 0; s < PAGES.length; s++) {
            rows[s] = Arrays.copyOfRange(all, PAGES[s] * 64 * d, PAGES[s] * 64 * d + d);
        }
        return rows;
    }

    /** The page of each sequence. */
    byte[][] pages() {
        int length = Math.toIntExact(pool.format().bytes());
        byte[][] pages = new byte[PAGES.length][length];
        for (int s = 0; s < PAGES.length; s++) {
            kit.kernels().download(pool.data(), (long) PAGES[s] * length, pages[s], 0, length);
        }
        return pages;
    }

    /** Entry 0 of each sequence, as it reads. */
    float[][] rows() {
        float[][] rows = new float[PAGES.length][];
        for (int s = 0; s < PAGES.length; s++) {
            rows[s] = pool.readRow(kit.kernels(), PAGES[s], 0);
        }
        return rows;
    }

    /** The page that no sequence has. */
    byte[] otherPage() {
        byte[] page = new byte[Math.toIntExact(pool.format().bytes())];
        kit.kernels().download(pool.data(), page.length, page, 0, page.length);
        return page;
    }
}
