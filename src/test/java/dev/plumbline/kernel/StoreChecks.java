package dev.plumbline.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.precision.PageFormat;
import dev.plumbline.precision.StorageType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** What is stored, byte by byte, against {@link StoredBytes}. Each check returns the variants that it asked. */
final class StoreChecks {
    private StoreChecks() {}

    /** Numbers that encoders get wrong, in rows of d. */
    static List<float[]> rows(int d) {
        List<float[]> rows = new ArrayList<>();
        // every tie of e4m3 under scale 1, and every number itself
        rows.add(filled(d, 448, i -> (StoredBytes.e4m3(i % 126) + StoredBytes.e4m3(i % 126 + 1)) / 2));
        rows.add(filled(d, 448, i -> StoredBytes.e4m3(126 - i % 127)));
        rows.add(filled(d, 448, i -> i / 1024.0));
        // every tie of e2m1 under scale 1 in each block
        double[] ties = {6, 0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5, 0.24, 0.26, 4.99, 5.01, 0, 0.5, 1, 1.5};
        rows.add(filled(d, 6, i -> ties[i % ties.length]));
        // the largest magnitude just above and just below what a scale holds
        rows.add(filled(d, Math.nextUp(448f), i -> 447 - i));
        rows.add(filled(d, Math.nextDown(448f), i -> 440 + i / 20.0));
        rows.add(filled(d, Math.nextUp(6f), i -> i / 21.0));
        // below every floor
        rows.add(filled(d, 9e-5f, i -> i * 1e-7));
        rows.add(filled(d, 0, i -> 0));
        rows.add(filled(d, -0f, i -> i % 2 == 0 ? -0.0 : 1e-44));
        rows.add(filled(d, Float.MIN_NORMAL, i -> i * Float.MIN_VALUE));
        // large
        rows.add(filled(d, Float.MAX_VALUE, i -> Math.pow(10, i % 39)));
        // numbers that are none
        rows.add(filled(d, Float.POSITIVE_INFINITY, i -> i % 7 == 0 ? Float.NEGATIVE_INFINITY : 3e5 * i));
        rows.add(filled(d, 5, i -> i % 33 == 5 ? Float.NaN : i / 50.0));
        Random random = new Random(11);
        for (int magnitude = -12; magnitude <= 12; magnitude += 4) {
            double factor = Math.pow(10, magnitude);
            rows.add(filled(d, (float) (3 * factor), i -> random.nextGaussian() * factor));
        }
        return rows;
    }

    private interface Numbers {
        double at(int i);
    }

    private static float[] filled(int d, float first, Numbers numbers) {
        float[] row = new float[d];
        for (int i = 0; i < d; i++) {
            row[i] = i == 0 ? first : (float) numbers.at(i);
        }
        return row;
    }

    static List<Variant> indexKeys(Kit kit, StorageType type, KeyTransform transform) {
        List<Variant> variants = new ArrayList<>();
        int[] widths = transform == KeyTransform.NONE ? new int[] {128, 14, 40, 2} : new int[] {128, 16};
        for (int d : widths) {
            for (float[] numbers : rows(d)) {
                Store store = Store.of(kit, PageFormat.indexKeys(type, d), transform, numbers, d >= 16 ? 8 : 2);
                byte[][] pages = store.pages();
                float[][] shadows = store.shadows();
                for (int s = 0; s < pages.length; s++) {
                    float[] row = transform == KeyTransform.NONE ? shadows[s] : StoredBytes.hadamard(shadows[s]);
                    assertSameBytes(pages[s], StoredBytes.indexKeys(type, new float[][] {row}), row);
                }
                assertThat(store.otherPage()).as("a page of no sequence").containsOnly(0);
                variants.add(store.variant());
            }
        }
        return variants;
    }

    static List<Variant> keyValues(Kit kit) {
        List<Variant> variants = new ArrayList<>();
        int[][] shapes = {{128, 32}, {512, 64}, {32, 8}, {20, 6}, {66, 2}};
        for (int[] shape : shapes) {
            for (float[] numbers : rows(shape[0])) {
                PageFormat format = PageFormat.keyValues(StorageType.FP8, 64, shape[0], shape[1]);
                Store store = Store.of(kit, format, KeyTransform.NONE, numbers, shape[1]);
                byte[][] pages = store.pages();
                float[][] shadows = store.shadows();
                for (int s = 0; s < pages.length; s++) {
                    byte[] expected = StoredBytes.keyValues(new float[][] {shadows[s]}, new int[] {0}, 64, shape[1]);
                    assertSameBytes(StoredBytes.withOneNaN(pages[s], 64, shape[0], shape[1]), expected, shadows[s]);
                }
                variants.add(store.variant());
            }
        }
        variants.add(ring(kit));
        return variants;
    }

    /** A ring of fp8 holds, of every row, what the step attended to. */
    private static Variant ring(Kit kit) {
        int d = 128;
        int rotated = 32;
        int length = 5;
        Pool ring = Pool.allocate(kit.kernels(), PageFormat.keyValues(StorageType.FP8, length, d, rotated), 3);
        Tensor keys = kit.poisoned(DType.BF16, 7, d);
        Tensor table = kit.floats(Kit.random(3, 7L * rotated), 7, rotated);
        float[] x = Kit.scaled(Kit.random(1, 7L * d), 30);
        float[] weight = Kit.random(2, d);
        kit.kernels()
                .windowKeys(kit.floats(x, 7, d), kit.floats(weight, d), 1e-6f, table, KeyTransform.FP8_BLOCKS, keys);
        Tensor unrounded = kit.poisoned(DType.FP32, 7, d);
        kit.kernels().windowKeys(kit.floats(x, 7, d), kit.floats(weight, d), 1e-6f, table, unrounded);
        float[] before = kit.written(unrounded);
        float[] source = kit.written(keys);
        for (int t = 0; t < 7; t++) {
            float[] row = Arrays.copyOfRange(before, t * d, t * d + d);
            Kit.assertSameBits(
                    Arrays.copyOfRange(source, t * d, t * d + d),
                    StoredBytes.roundedKeyValue(row, rotated),
                    "window key " + t);
        }
        Variant variant =
                kit.kernels().appendRing(new Runs(kit).run(2, 13, 6).padding(1).batch(), keys, ring);
        float[][] rows = new float[length][];
        int[] places = new int[length];
        for (int i = 0; i < length; i++) {
            rows[i] = Arrays.copyOfRange(source, (1 + i) * d, (2 + i) * d);
            places[i] = (14 + i) % length;
            Kit.assertSameBits(ring.readRow(kit.kernels(), 2, places[i]), rows[i], "row " + i + " of the ring");
        }
        int bytes = Math.toIntExact(ring.format().bytes());
        byte[] page = new byte[bytes];
        kit.kernels().download(ring.data(), 2L * bytes, page, 0, bytes);
        assertSameBytes(page, StoredBytes.keyValues(rows, places, length, rotated), rows[0]);
        byte[] other = new byte[2 * bytes];
        kit.kernels().download(ring.data(), 0, other, 0, other.length);
        assertThat(other).as("slots of other sequences").containsOnly(0);
        return variant;
    }

    private static void assertSameBytes(byte[] actual, byte[] expected, float[] row) {
        int wrong = Arrays.mismatch(actual, expected);
        assertThat(wrong)
                .as(() -> "byte " + wrong + " of the page is " + (actual[wrong] & 255) + ", expected "
                        + (expected[wrong] & 255) + "; the row starts with " + Arrays.toString(Arrays.copyOf(row, 8)))
                .isEqualTo(-1);
    }

    /** Rotation keeps products, and the index query is transformed as the key. */
    static List<Variant> rotation(Kit kit) {
        List<Variant> variants = new ArrayList<>();
        for (int d : new int[] {1, 2, 16, 128, 256}) {
            float[] x = Kit.random(d, 2L * 3 * d);
            Tensor rows = kit.floats(x, 2, 3, d);
            variants.add(kit.kernels().transform(rows, KeyTransform.HADAMARD));
            float[] actual = kit.written(rows);
            for (int i = 0; i < 6; i++) {
                float[] row = Arrays.copyOfRange(x, i * d, i * d + d);
                float[] turned = Arrays.copyOfRange(actual, i * d, i * d + d);
                Kit.assertSameBits(turned, StoredBytes.hadamard(row), "row " + i + " of " + d);
                Kit.assertClose(turned, StoredBytes.hadamardExactly(row), 1e-12);
            }
        }
        for (StorageType type : new StorageType[] {StorageType.FP32, StorageType.BF16}) {
            float[] numbers = Kit.random(5, 64);
            Store store = Store.of(kit, PageFormat.indexKeys(type, 64), KeyTransform.HADAMARD, numbers, 8);
            variants.add(store.variant());
            float[][] shadows = store.shadows();
            float[][] stored = store.rows();
            for (int s = 0; s < stored.length; s++) {
                Kit.assertSameBits(
                        stored[s], StoredBytes.rounded(type, StoredBytes.hadamard(shadows[s])), "key of " + type);
            }
        }
        return variants;
    }

    /** The rounding of training: index keys and queries in e2m1, keys/values in e4m3, stored in bf16 or fp32. */
    static List<Variant> training(Kit kit) {
        List<Variant> variants = new ArrayList<>();
        for (float[] numbers : rows(64)) {
            for (StorageType type : new StorageType[] {StorageType.FP32, StorageType.BF16}) {
                Store keys = Store.of(kit, PageFormat.indexKeys(type, 64), KeyTransform.HADAMARD_FP4, numbers, 8);
                variants.add(keys.variant());
                for (int s = 0; s < 3; s++) {
                    float[] expected = StoredBytes.rounded(StorageType.MXFP4, StoredBytes.hadamard(keys.shadows()[s]));
                    Kit.assertSameBits(keys.rows()[s], expected, "index key in " + type);
                }
            }
            PageFormat format = PageFormat.keyValues(StorageType.BF16, 64, 64, 8);
            Store entries = Store.of(kit, format, KeyTransform.FP8_BLOCKS, numbers, 8);
            variants.add(entries.variant());
            for (int s = 0; s < 3; s++) {
                Kit.assertSameBits(
                        entries.rows()[s], StoredBytes.roundedKeyValue(entries.shadows()[s], 8), "key/value");
            }
            Tensor query = kit.floats(numbers, 1, 1, 64);
            variants.add(kit.kernels().transform(query, KeyTransform.HADAMARD_FP4));
            Kit.assertSameBits(
                    kit.read(query),
                    StoredBytes.rounded(StorageType.MXFP4, StoredBytes.hadamard(numbers)),
                    "index query");
        }
        return variants;
    }
}
