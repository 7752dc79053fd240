package dev.plumbline.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.plumbline.precision.TopkAlgorithm;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Wrong arguments give a {@link KernelException} that names them, and the backend works afterwards. */
interface RefusalConformance extends Conformance {

    /** The call fails with these words, at once or at the next wait, and the backend still multiplies. */
    default void refused(ThrowingCallable call, String... words) {
        assertThatThrownBy(() -> {
                    call.call();
                    kit().kernels().synchronize();
                })
                .isInstanceOf(KernelException.class)
                .message()
                .contains(words);
        Tensor y = kit().poisoned(DType.FP32, 1, 1);
        kit().kernels()
                .linear(kit().floats(new float[] {2, 3}, 1, 2), kit().weight(new float[] {5, 7}, 1, 2, DType.FP32), y);
        assertThat(kit().read(y)).containsExactly(31f);
    }

    /** A zeroed fp32 tensor. */
    default Tensor zeros(long... shape) {
        return kit().kernels().allocate(DType.FP32, shape);
    }

    /** A zeroed int32 tensor. */
    default Tensor zeroInts(long... shape) {
        return kit().kernels().allocate(DType.INT32, shape);
    }

    @Test
    default void aWrongShapeIsNamedWithWhatWasExpected() {
        Kernels kernels = kit().kernels();
        LinearWeight weight = kit().weight(new float[128 * 64], 128, 64, DType.FP32);
        refused(() -> kernels.linear(zeros(3, 64), weight, zeros(3, 64)), "linear", "y", "[3, 64]", "[3, 128]");
        refused(() -> kernels.linear(zeros(3, 65), weight, zeros(3, 128)), "linear", "x", "[3, 65]", "64]");
        refused(() -> kernels.linear(zeros(3, 64), weight, zeroInts(3, 128)), "linear", "y", "int32", "fp32");
        refused(() -> kernels.linear(null, weight, zeros(3, 128)), "linear", "x", "null");
        refused(
                () -> kernels.groupedLinear(zeros(3, 64), List.of(weight, weight), zeros(3, 256)),
                "groupedLinear",
                "x",
                "[3, 64]",
                "128]");
        refused(() -> kernels.rmsNorm(zeros(2, 8), zeros(7), 1e-6f, zeros(2, 8)), "rmsNorm", "weight", "[7]", "[8]");
        refused(() -> kernels.rmsNorm(zeros(2, 8), null, 1e-6f, zeros(8, 2)), "rmsNorm", "y", "[8, 2]", "[2, 8]");
        refused(() -> kernels.rope(zeros(2, 3, 8), zeros(2, 10), false), "rope", "table", "10", "8");
        refused(() -> kernels.swiglu(zeros(2, 9), 10, zeros(2, 4)), "swiglu", "gateUp", "[2, 9]", "[2, 8]");
        refused(() -> kernels.gatherRows(zeros(4, 3), zeroInts(2), zeros(2, 4)), "gatherRows", "out", "[2, 3]");
        refused(
                () -> kernels.windowKeys(zeros(2, 8), zeros(8), 1e-6f, zeros(2, 4), zeros(3, 8)),
                "windowKeys",
                "out",
                "[3, 8]",
                "[2, 8]");
        refused(
                () -> kernels.topK(zeros(2, 9), zeroInts(3), TopkAlgorithm.RADIX, zeroInts(2, 4), zeroInts(2)),
                "topK",
                "counts",
                "[3]",
                "[2]");
        HyperWeights hyper = new HyperWeights(zeros(24, 32), zeros(24), zeros(3), 20, 1e-6f, 1e-6f);
        refused(() -> kernels.mix(zeros(2, 4, 8), hyper, zeros(2, 4), zeros(2, 16), zeros(2, 8)), "mix", "comb");
        refused(() -> kernels.unmix(zeros(2, 7), zeros(2, 4), zeros(2, 4, 4), zeros(2, 4, 8)), "unmix", "y");
        refused(() -> kernels.collapse(zeros(2, 4, 8), hyper, zeros(2, 8)), "collapse", "fn", "[4, 32]");
    }

    @Test
    default void aWrongShapeInAStepIsNamed() {
        Kernels kernels = kit().kernels();
        Batch batch = new Runs(kit()).run(0, 0, 3).batch();
        refused(() -> kernels.embed(batch, zeros(5, 8), zeros(2, 4, 8)), "embed", "streams", "[2, 4, 8]", "3");
        refused(() -> kernels.angles(batch, zeros(4), zeros(3, 4)), "angles", "table", "[3, 8]");
        refused(() -> kernels.visible(batch, 4, zeroInts(4)), "visible", "counts", "[4]", "[3]");
        refused(() -> kernels.visible(batch, 0, zeroInts(3)), "visible", "ratio");
        refused(
                () -> kernels.appendRing(batch, zeros(3, 8), kernels.allocate(DType.BF16, 1, 4, 8)),
                "appendRing",
                "source",
                "bf16");
        CompressorWeights weights = new CompressorWeights(4, true, 8, zeros(4, 16), zeros(8), 1e-6f, zeros(2));
        refused(
                () -> kernels.compress(batch, weights, zeros(3, 32), zeros(1, 4, 32), zeroInts(1, 1), zeros(1, 64, 8)),
                "compress",
                "state",
                "[1, 4, 32]");
        refused(
                () -> kernels.indexScores(
                        batch,
                        1,
                        zeros(3, 2, 8),
                        zeros(3, 2),
                        zeros(1, 64, 8),
                        zeroInts(1, 1),
                        zeroInts(3),
                        zeros(3, 4)),
                "indexScores",
                "1",
                "4",
                "3");
        refused(
                () -> kernels.attention(
                        batch, zeros(3, 2, 8), zeros(3, 8), zeros(1, 4, 8), null, zeros(3), 1, zeros(3, 2, 8), null),
                "attention",
                "sinks",
                "[3]",
                "[2]");
        refused(() -> kernels.route(batch, zeros(3, 4), null, null, 1, zeroInts(3, 5), zeros(3, 5)), "route", "5", "4");
        LinearWeight up = kit().weight(new float[64], 8, 8, DType.FP32);
        LinearWeight down = kit().weight(new float[24], 8, 3, DType.FP32);
        refused(
                () -> kernels.experts(
                        batch, zeros(3, 8), zeroInts(3, 1), zeros(3, 1), List.of(up), List.of(down), 1, zeros(3, 8)),
                "experts",
                "gateUp",
                "[8, 8]",
                "[6, 8]");
    }

    @Test
    default void tokensOutsideTheTableAreRefused() {
        for (int token : new int[] {5, -1, Integer.MAX_VALUE}) {
            Batch batch = new Runs(kit()).run(0, 0, 2).tokens(0, token).batch();
            refused(() -> kit().kernels().embed(batch, zeros(5, 8), zeros(2, 4, 8)), "embed", String.valueOf(token));
            refused(
                    () -> kit().kernels()
                            .route(batch, zeros(2, 4), null, zeroInts(5, 2), 1, zeroInts(2, 2), zeros(2, 2)),
                    "route",
                    String.valueOf(token));
        }
    }

    @Test
    default void expertsOutsideTheListAreRefused() {
        Batch batch = new Runs(kit()).run(0, 0, 1).tokens(0).batch();
        LinearWeight up = kit().weight(new float[64], 8, 8, DType.FP32);
        LinearWeight down = kit().weight(new float[32], 8, 4, DType.FP32);
        for (int expert : new int[] {2, -1, Integer.MIN_VALUE}) {
            refused(
                    () -> kit().kernels()
                            .experts(
                                    batch,
                                    zeros(1, 8),
                                    kit().ints(new int[] {0, expert}, 1, 2),
                                    zeros(1, 2),
                                    List.of(up, up),
                                    List.of(down, down),
                                    1,
                                    zeros(1, 8)),
                    "experts",
                    String.valueOf(expert));
        }
        refused(
                () -> kit().kernels()
                        .route(
                                batch,
                                zeros(1, 4),
                                null,
                                kit().ints(new int[] {1, 4}, 1, 2),
                                1,
                                zeroInts(1, 2),
                                zeros(1, 2)),
                "route",
                "4");
    }

    @Test
    default void pagesOutsideThePoolAreRefused() {
        CompressorWeights weights = new CompressorWeights(4, true, 8, zeros(4, 16), zeros(8), 1e-6f, zeros(2));
        Batch batch = new Runs(kit()).run(0, 0, 4).batch();
        for (int page : new int[] {3, -1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            Tensor pages = kit().ints(new int[] {page}, 1, 1);
            refused(
                    () -> kit().kernels()
                            .compress(batch, weights, zeros(4, 32), zeros(1, 8, 32), pages, zeros(3, 64, 8)),
                    "compress",
                    String.valueOf(page));
            refused(
                    () -> kit().kernels()
                            .indexScores(
                                    batch,
                                    0,
                                    zeros(4, 2, 8),
                                    zeros(4, 2),
                                    zeros(3, 64, 8),
                                    pages,
                                    kit().ints(new int[] {0, 0, 0, 1}),
                                    zeros(4, 4)),
                    "indexScores",
                    String.valueOf(page));
            refused(() -> attend(batch, pages, null, new int[] {0, 0, 0, 1}), "attention", String.valueOf(page));
        }
    }

    @Test
    default void entriesBeyondThePageTableAreRefused() {
        CompressorWeights weights = new CompressorWeights(4, true, 8, zeros(4, 16), zeros(8), 1e-6f, zeros(2));
        Batch batch = new Runs(kit()).run(0, 256, 4).batch();
        Tensor pages = kit().ints(new int[] {0}, 1, 1);
        refused(
                () -> kit().kernels().compress(batch, weights, zeros(4, 32), zeros(1, 8, 32), pages, zeros(3, 64, 8)),
                "compress",
                "64");
        refused(() -> attend(batch, pages, null, new int[] {0, 0, 0, 65}), "attention");
        refused(() -> attend(batch, pages, new int[] {0, 0, 0, 64}, new int[] {0, 0, 0, 1}), "attention", "64");
        refused(() -> attend(batch, pages, new int[] {0, 0, 0, -1}, new int[] {0, 0, 0, 1}), "attention", "-1");
        refused(() -> attend(batch, pages, new int[] {0, 0, 0, 0}, new int[] {0, 0, 0, 2}), "attention", "2");
    }

    /** Attention of four rows over a pool of three pages. */
    default void attend(Batch batch, Tensor pages, int[] ids, int[] counts) {
        kit().kernels()
                .attention(
                        batch,
                        zeros(4, 2, 8),
                        zeros(4, 8),
                        zeros(1, 4, 8),
                        new Entries(
                                zeros(3, 64, 8), pages, ids == null ? null : kit().ints(ids, 4, 1), kit().ints(counts)),
                        zeros(2),
                        1,
                        zeros(4, 2, 8),
                        null);
    }

    @Test
    default void slotsOutsideTheRingAreRefused() {
        for (int slot : new int[] {2, -1, 1 << 30}) {
            Batch batch = new Runs(kit()).run(slot, 6, 2).batch();
            refused(
                    () -> kit().kernels().appendRing(batch, zeros(2, 8), zeros(2, 4, 8)),
                    "appendRing",
                    String.valueOf(slot));
            refused(
                    () -> kit().kernels()
                            .attention(
                                    batch,
                                    zeros(2, 2, 8),
                                    zeros(2, 8),
                                    zeros(2, 4, 8),
                                    null,
                                    zeros(2),
                                    1,
                                    zeros(2, 2, 8),
                                    null),
                    "attention",
                    String.valueOf(slot));
            CompressorWeights weights = new CompressorWeights(4, true, 8, zeros(4, 16), zeros(8), 1e-6f, zeros(2));
            refused(
                    () -> kit().kernels()
                            .compress(
                                    batch,
                                    weights,
                                    zeros(2, 32),
                                    zeros(2, 8, 32),
                                    kit().ints(new int[] {0}, 1, 1),
                                    zeros(1, 64, 8)),
                    "compress",
                    String.valueOf(slot));
        }
    }

    @Test
    default void countsBeyondTheScoresAreRefused() {
        for (int count : new int[] {10, -1}) {
            Tensor counts = kit().ints(new int[] {1, count});
            for (TopkAlgorithm algorithm : TopkAlgorithm.values()) {
                refused(
                        () -> kit().kernels().topK(zeros(2, 9), counts, algorithm, zeroInts(2, 4), zeroInts(2)),
                        "topK",
                        String.valueOf(count));
            }
            refused(
                    () -> kit().kernels()
                            .indexScores(
                                    new Runs(kit()).run(0, 100, 2).batch(),
                                    0,
                                    zeros(2, 2, 8),
                                    zeros(2, 2),
                                    zeros(1, 64, 8),
                                    zeroInts(1, 1),
                                    counts,
                                    zeros(2, 9)),
                    "indexScores",
                    String.valueOf(count));
        }
    }

    @Test
    default void rowsAndTokensOutsideAreRefused() {
        for (int row : new int[] {4, -1}) {
            refused(
                    () -> kit().kernels().gatherRows(zeros(4, 3), kit().ints(new int[] {0, row}), zeros(2, 3)),
                    "gatherRows",
                    String.valueOf(row));
        }
        for (int token : new int[] {3, -1}) {
            refused(
                    () -> new SamplingConformance.Draw(0, 1, 0, 0)
                            .sample(kit(), zeros(1, 3), 1, 0, new int[] {0, 1}, new int[] {token}, new float[] {1}),
                    "sample",
                    String.valueOf(token));
        }
    }

    @Test
    default void shapesThatCannotBeAreRefused() {
        assertThatThrownBy(() -> kit().kernels().allocate(DType.FP32, 3, -1)).isInstanceOf(KernelException.class);
        assertThatThrownBy(() -> kit().kernels().allocate(DType.FP32, 1L << 40, 1L << 40))
                .isInstanceOf(KernelException.class);
        assertThatThrownBy(() -> kit().weight(new float[0], 0, 3, DType.FP32)).isInstanceOf(KernelException.class);
    }

    @Test
    default void sizesOfZeroThatDivideAreRefused() {
        Kernels kernels = kit().kernels();
        Batch batch = new Runs(kit()).run(0, 0, 3).batch();
        refused(() -> kernels.appendRing(batch, zeros(3, 8), zeros(1, 0, 8)), "at least one row", "0");
        for (int[] size : new int[][] {{0, 8}, {2, 0}}) {
            int heads = size[0];
            int d = size[1];
            refused(
                    () -> kernels.indexScores(
                            batch,
                            0,
                            zeros(3, heads, d),
                            zeros(3, heads),
                            zeros(1, 64, 8),
                            zeroInts(1, 1),
                            zeroInts(3),
                            zeros(3, 4)),
                    "indexScores",
                    heads == 0 ? "heads" : "width",
                    "0");
            refused(
                    () -> kernels.attention(
                            batch,
                            zeros(3, heads, d),
                            zeros(3, d),
                            zeros(1, 4, 8),
                            null,
                            zeros(heads),
                            1,
                            zeros(3, heads, d),
                            null),
                    "attention",
                    heads == 0 ? "heads" : "width",
                    "0");
        }
        refused(
                () -> kernels.attention(
                        batch, zeros(3, 2, 8), zeros(3, 8), zeros(1, 0, 8), null, zeros(2), 1, zeros(3, 2, 8), null),
                "at least one row");
        refused(() -> kernels.route(batch, zeros(3, 4), null, null, 1, zeroInts(3, 0), zeros(3, 0)), "route", "0");
        LinearWeight up = kit().weight(new float[64], 8, 8, DType.FP32);
        LinearWeight down = kit().weight(new float[32], 8, 4, DType.FP32);
        refused(
                () -> kernels.experts(
                        batch, zeros(3, 8), zeroInts(3, 0), zeros(3, 0), List.of(up), List.of(down), 1, zeros(3, 8)),
                "experts",
                "0");
        refused(() -> kernels.unmix(zeros(2, 7), zeros(2, 0), zeros(2, 0, 0), zeros(2, 0, 7)), "unmix", "0");
    }

    @Test
    default void moreChoicesThanExpertsAreRefusedWithATableToo() {
        Batch batch = new Runs(kit()).run(0, 0, 1).tokens(0).batch();
        refused(
                () -> kit().kernels().route(batch, zeros(1, 2), null, zeroInts(1, 3), 1, zeroInts(1, 3), zeros(1, 3)),
                "route",
                "3",
                "2");
    }

    @Test
    default void stepsThatCannotBeAreRefused() {
        Kernels kernels = kit().kernels();
        Tensor none = zeroInts(0);
        Batch rows = new Batch(-1, 0, 1, none, none, none, zeroInts(1), none, none, null, null);
        refused(() -> kernels.visible(rows, 4, none), "visible", "-1");
        Batch sequences = new Batch(0, -1, 1, none, none, none, none, none, none, null, null);
        refused(() -> kernels.visible(sequences, 4, none), "visible", "-1");
        Tensor padding = kit().ints(new int[] {-1, -1});
        Batch noSequence = new Batch(
                2,
                0,
                1,
                zeroInts(2),
                zeroInts(2),
                padding,
                kit().ints(new int[] {1 << 30}),
                none,
                zeroInts(2),
                null,
                null);
        refused(() -> kernels.visible(noSequence, 4, zeroInts(2)), "visible", "firstRow", "1073741824");
        refused(
                () -> kernels.attention(
                        noSequence,
                        zeros(2, 2, 8),
                        zeros(2, 8),
                        zeros(1, 4, 8),
                        null,
                        zeros(2),
                        1,
                        zeros(2, 2, 8),
                        null),
                "attention",
                "firstRow");
        Batch empty = new Batch(2, 0, 1, zeroInts(2), zeroInts(2), padding, zeroInts(1), none, zeroInts(2), null, null);
        kernels.attention(empty, zeros(2, 2, 8), zeros(2, 8), zeros(1, 4, 8), null, zeros(2), 1, zeros(2, 2, 8), null);
    }
}
