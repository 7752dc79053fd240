package dev.plumbline.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Linears, norms, activations and the kernels that copy rows. */
interface DenseConformance extends Conformance {

    @ParameterizedTest
    @CsvSource({
        "1,1,1",
        "1,7,1",
        "17,3,5",
        "1,64,64",
        "17,65,63",
        "5,130,515",
        "3,513,1",
        "33,100,257",
        "2,1024,96",
        "70,48,1030"
    })
    default void linearMatchesTheSumOfProducts(int t, int k, int n) {
        for (DType form : List.of(DType.FP32, DType.BF16)) {
            float[] x = Kit.random(t, (long) t * k);
            float[] w = Kit.random(n, (long) n * k);
            LinearWeight weight = kit().weight(w, n, k, form);
            assertThat(weight.outputs()).isEqualTo(n);
            assertThat(weight.inputs()).isEqualTo(k);
            assertThat(weight.form()).isEqualTo(form);
            assertThat(weight.bytes()).isGreaterThanOrEqualTo((long) n * k * form.bytes());
            Tensor y = kit().poisoned(DType.FP32, t, n);
            Variant variant = kit().kernels().linear(kit().floats(x, t, k), weight, y);
            assertThat(variant.id()).contains("linear");
            Kit.assertClose(
                    kit().written(y), Oracle.linear(x, w, t, k, n, form), form == DType.FP32 ? Kit.FP32 : Kit.BF16);
            weight.close();
        }
    }

    @Test
    default void linearOfNoRowsDoesNothing() {
        Tensor some = kit().floats(new float[8], 2, 4);
        Tensor out = kit().kernels().allocate(DType.FP32, 2, 3);
        kit().kernels().linear(some.rows(1, 1), kit().weight(new float[12], 3, 4, DType.FP32), out.rows(0, 0));
        assertThat(kit().read(out)).containsOnly(0f);
    }

    @Test
    default void linearRoundsBothOperandsToBf16() {
        float fine = 1.0009765625f;
        Tensor y = kit().poisoned(DType.FP32, 1, 1);
        kit().kernels()
                .linear(
                        kit().floats(new float[] {fine, 1}, 1, 2),
                        kit().weight(new float[] {1, fine}, 1, 2, DType.BF16),
                        y);
        assertThat(kit().read(y)).containsExactly(2f);
    }

    @Test
    default void weightsAreReadInPiecesThatCoverThemOnce() {
        int n = 700;
        int k = 300;
        float[] w = Kit.random(5, n * k);
        int[] reads = new int[n * k];
        LinearWeight weight = kit().kernels()
                .linearWeight(
                        (from, target, offset, length) -> {
                            for (int i = 0; i < length; i++) {
                                reads[(int) from + i]++;
                                target[offset + i] = w[(int) from + i];
                            }
                        },
                        n,
                        k,
                        DType.FP32);
        assertThat(reads).doesNotContain(0);
        float[] x = Kit.random(6, k);
        Tensor y = kit().poisoned(DType.FP32, 1, n);
        kit().kernels().linear(kit().floats(x, 1, k), weight, y);
        Kit.assertClose(kit().written(y), Oracle.linear(x, w, 1, k, n, DType.FP32), Kit.FP32);
    }

    @ParameterizedTest
    @CsvSource({"1,2,16,8", "17,3,20,7", "4,8,65,33", "9,1,12,5"})
    default void groupsMapTheirOwnColumns(int t, int groups, int k, int n) {
        for (DType form : List.of(DType.FP32, DType.BF16)) {
            float[] x = Kit.random(1, (long) t * groups * k);
            List<LinearWeight> weights = new ArrayList<>();
            double[] expected = new double[t * groups * n];
            for (int g = 0; g < groups; g++) {
                float[] w = Kit.random(10 + g, (long) n * k);
                weights.add(kit().weight(w, n, k, form));
                for (int i = 0; i < t; i++) {
                    int from = (i * groups + g) * k;
                    double[] part = Oracle.linear(Arrays.copyOfRange(x, from, from + k), w, 1, k, n, form);
                    System.arraycopy(part, 0, expected, (i * groups + g) * n, n);
                }
            }
            Tensor y = kit().poisoned(DType.FP32, t, (long) groups * n);
            kit().kernels().groupedLinear(kit().floats(x, t, (long) groups * k), weights, y);
            Kit.assertClose(kit().written(y), expected, form == DType.FP32 ? Kit.FP32 : Kit.BF16);
        }
    }

    @ParameterizedTest
    @CsvSource({"1,1", "17,5", "3,64", "2,515", "40,130"})
    default void rmsNormMatchesWithAndWithoutWeight(int t, int d) {
        float[] x = Kit.random(1, (long) t * d);
        float[] weight = Kit.random(2, d);
        for (float[] w : new float[][] {weight, null}) {
            Tensor y = kit().poisoned(DType.FP32, t, d);
            kit().kernels().rmsNorm(kit().floats(x, t, d), w == null ? null : kit().floats(w, d), 1e-6f, y);
            Kit.assertClose(kit().written(y), Oracle.rms(Oracle.doubles(x), d, w, 1e-6f), Kit.FP32);
        }
    }

    @Test
    default void rmsNormWorksInPlaceOnHeads() {
        float[] x = Kit.random(1, 6 * 4 * 20);
        Tensor heads = kit().floats(x, 6, 4, 20);
        kit().kernels().rmsNorm(heads, null, 1e-6f, heads);
        Kit.assertClose(kit().written(heads), Oracle.rms(Oracle.doubles(x), 20, null, 1e-6f), Kit.FP32);
    }

    @Test
    default void rmsNormSurvivesTinyAndZeroRows() {
        float[] x = new float[24];
        Arrays.fill(x, 8, 16, 1e-30f);
        Arrays.fill(x, 16, 24, 1e15f);
        Tensor y = kit().poisoned(DType.FP32, 3, 8);
        kit().kernels().rmsNorm(kit().floats(x, 3, 8), null, 1e-6f, y);
        Kit.assertClose(kit().written(y), Oracle.rms(Oracle.doubles(x), 8, null, 1e-6f), Kit.FP32);
    }

    @ParameterizedTest
    @CsvSource({"1,1,10", "17,5,10", "3,130,0.7"})
    default void swigluClampsGateAboveAndUpOnBothSides(int t, int inner, float limit) {
        float[] x = Kit.scaled(Kit.random(1, (long) t * 2 * inner), 8);
        double[] expected = new double[t * inner];
        for (int i = 0; i < t; i++) {
            for (int j = 0; j < inner; j++) {
                expected[i * inner + j] = Oracle.swiglu(x[i * 2 * inner + j], x[i * 2 * inner + inner + j], limit);
            }
        }
        Tensor h = kit().poisoned(DType.FP32, t, inner);
        kit().kernels().swiglu(kit().floats(x, t, 2L * inner), limit, h);
        Kit.assertClose(kit().written(h), expected, Kit.FP32);
    }

    @Test
    default void swigluOfExtremeGatesStaysFinite() {
        Tensor h = kit().poisoned(DType.FP32, 1, 4);
        kit().kernels().swiglu(kit().floats(new float[] {-200, 200, -89, 0, 1, 1, 1, 1}, 1, 8), 10, h);
        Kit.assertClose(
                kit().written(h), new double[] {0, 10 * Oracle.sigmoid(10), -89 * Oracle.sigmoid(-89), 0}, Kit.FP32);
    }

    @Test
    default void gatherCopiesRowsInTheOrderAsked() {
        Tensor x = kit().floats(Kit.random(1, 5 * 2 * 3), 5, 2, 3);
        Tensor out = kit().poisoned(DType.FP32, 4, 2, 3);
        kit().kernels().gatherRows(x, kit().ints(new int[] {4, 0, 4, 2}), out);
        float[] source = kit().read(x);
        float[] read = kit().written(out);
        int[] rows = {4, 0, 4, 2};
        for (int i = 0; i < 4; i++) {
            assertThat(Arrays.copyOfRange(read, i * 6, i * 6 + 6))
                    .containsExactly(Arrays.copyOfRange(source, rows[i] * 6, rows[i] * 6 + 6));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            names = {"FP32", "BF16"})
    default void everyStreamStartsAsTheTokensRow(DType type) {
        int d = 37;
        float[] table = Kit.random(1, 11 * d);
        Batch batch = new Runs(kit())
                .run(0, 0, 2)
                .run(1, 5, 3)
                .tokens(10, 0, 3, 3, 7)
                .padding(2)
                .batch();
        Tensor streams = kit().poisoned(DType.FP32, 7, 4, d);
        kit().kernels().embed(batch, kit().filled(type, table, 11, d), streams);
        float[] read = kit().read(streams);
        float[] expected = Oracle.as(type, table);
        int[] tokens = {10, 0, 3, 3, 7};
        for (int t = 0; t < 5; t++) {
            for (int j = 0; j < 4; j++) {
                int at = (t * 4 + j) * d;
                assertThat(Arrays.copyOfRange(read, at, at + d))
                        .containsExactly(Arrays.copyOfRange(expected, tokens[t] * d, tokens[t] * d + d));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"4", "128", "1"})
    default void anEntryIsVisibleFromItsLastTokenOn(int ratio) {
        Batch batch = new Runs(kit())
                .run(0, 0, 2 * ratio + 1)
                .run(1, 1000, 9)
                .padding(3)
                .batch();
        Tensor counts = kit().poisoned(DType.INT32, batch.rows());
        kit().kernels().visible(batch, ratio, counts);
        int[] read = kit().writtenInts(counts);
        for (int t = 0; t < batch.rows(); t++) {
            int position = t < 2 * ratio + 1 ? t : 1000 + t - (2 * ratio + 1);
            boolean padded = t >= batch.rows() - 3;
            assertThat(read[t]).as("row %d", t).isEqualTo(padded ? 0 : (position + 1) / ratio);
        }
    }

    @Test
    default void swigluDoesNotHideNotANumber() {
        int inner = 37;
        float[] x = Kit.random(1, 3 * 2 * inner);
        Tensor h = kit().poisoned(DType.FP32, 3, inner);
        kit().kernels().swiglu(kit().floats(x, 3, 2 * inner), 10, h);
        float[] clean = kit().written(h);
        x[2 * inner + 5] = Float.NaN;
        x[2 * inner + inner + 36] = Float.NaN;
        kit().kernels().swiglu(kit().floats(x, 3, 2 * inner), 10, h);
        Kit.assertSpoiled(kit().read(h), clean, i -> i == inner + 5 || i == inner + 36, "h");
    }
}
