package dev.plumbline.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Rings of the newest rows. */
interface RingConformance extends Conformance {

    @ParameterizedTest
    @CsvSource({"0,3,8", "0,8,8", "6,5,8", "13,1,8", "5,30,8", "7,17,8", "2,9,1"})
    default void theRingHoldsTheNewestRowsByPosition(int from, int length, int ringLength) {
        int w = 5;
        Batch batch =
                new Runs(kit()).run(2, from, length).run(0, 1, 2).padding(2).batch();
        float[] source = Kit.random(1, (long) batch.rows() * w);
        float[] before = Kit.random(2, 4L * ringLength * w);
        Tensor ring = kit().floats(before, 4, ringLength, w);
        kit().kernels().appendRing(batch, kit().floats(source, batch.rows(), w), ring);
        float[] expected = before.clone();
        for (int i = 0; i < length; i++) {
            System.arraycopy(source, i * w, expected, (2 * ringLength + (from + i) % ringLength) * w, w);
        }
        for (int i = 0; i < 2; i++) {
            System.arraycopy(source, (length + i) * w, expected, (1 + i) % ringLength * w, w);
        }
        Kit.assertSameBits(kit().read(ring), expected, "ring");
    }

    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            names = {"FP32", "BF16"})
    default void aStepOfPaddingStoresNothing(DType type) {
        Batch batch = new Runs(kit()).padding(3).batch();
        Tensor ring = kit().kernels().allocate(type, 1, 4, 6);
        float[] source = new float[18];
        Arrays.fill(source, 5);
        kit().kernels().appendRing(batch, kit().filled(type, source, 3, 6), ring);
        assertThat(kit().read(ring)).containsOnly(0f);
    }

    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            names = {"FP32", "BF16"})
    default void valuesAreCopiedUnchanged(DType type) {
        Batch batch = new Runs(kit()).run(0, 3, 4).batch();
        float[] source = Kit.random(1, 4 * 130);
        Tensor ring = kit().kernels().allocate(type, 1, 4, 130);
        kit().kernels().appendRing(batch, kit().filled(type, source, 4, 130), ring);
        float[] read = kit().read(ring);
        float[] expected = Oracle.as(type, source);
        for (int i = 0; i < 4; i++) {
            int at = (3 + i) % 4 * 130;
            Kit.assertSameBits(
                    Arrays.copyOfRange(read, at, at + 130),
                    Arrays.copyOfRange(expected, i * 130, i * 130 + 130),
                    "row " + i);
        }
    }
}
