package dev.plumbline.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.precision.Flag;
import dev.plumbline.precision.IndexLogits;
import dev.plumbline.precision.IndexRotation;
import dev.plumbline.precision.PageFormat;
import dev.plumbline.precision.StorageType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every value of every flag that has a kernel of its own; what a backend refuses is skipped with its reason. */
interface FlagConformance extends Conformance {

    private void assume(String refusal) {
        if (refusal != null) {
            System.out.println("skipped on " + kit().kernels().backend() + ": " + refusal);
        }
        Assumptions.assumeTrue(refusal == null, refusal);
    }

    private boolean has(Flag flag, Enum<?> value) {
        return FlagCheck.supported(kit().kernels(), flag, value);
    }

    @ParameterizedTest
    @EnumSource(FlagCheck.class)
    default void aFlagsValueComputesWhatTheContractSays(FlagCheck check) {
        assume(check.refusal(kit().kernels()));

        assertThat(check.run(kit())).as("variants of " + check).isNotEmpty();
    }

    @ParameterizedTest
    @EnumSource(Flag.class)
    default void eachValueIsDoneByAVariantOfItsOwn(Flag flag) {
        List<String> all = new ArrayList<>();
        for (FlagCheck check : FlagCheck.of(flag)) {
            if (check.refusal(kit().kernels()) == null) {
                all.addAll(check.run(kit()));
            }
        }

        assertThat(all).as("variants of the values of " + flag.key()).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @EnumSource(
            value = StorageType.class,
            names = {"FP8", "MXFP4"})
    default void rotatedKeysAreStoredByteByByte(StorageType type) {
        if (has(Flag.INDEX_KEY_DTYPE, type) && has(Flag.INDEX_ROTATION, IndexRotation.HADAMARD)) {
            StoreChecks.indexKeys(kit(), type, KeyTransform.HADAMARD);
        }
    }

    @ParameterizedTest
    @EnumSource(StorageType.class)
    default void scoresOfEveryFormatMayBeRoundedOrGathered(StorageType type) {
        assume(has(Flag.INDEX_KEY_DTYPE, type) ? null : "index_key_dtype is " + type);
        boolean rounded = has(Flag.INDEX_SCORE_DTYPE, StorageType.BF16);
        boolean gathered = has(Flag.INDEX_LOGITS, IndexLogits.GATHERED);
        if (rounded) {
            ScoreChecks.formula(kit(), type, DType.BF16);
            ScoreChecks.alone(kit(), type, DType.BF16);
        }
        if (gathered) {
            ScoreChecks.gathered(kit(), type, DType.FP32);
        }
        if (rounded && gathered) {
            ScoreChecks.gathered(kit(), type, DType.BF16);
        }
    }

    /** A page of many beyond the bytes that 31 bits count: what is stored there is read from there. */
    @ParameterizedTest
    @EnumSource(
            value = StorageType.class,
            names = {"FP8", "MXFP4"})
    default void highPagesOfBytesAreReachable(StorageType type) {
        assume(has(Flag.INDEX_KEY_DTYPE, type) ? null : "index_key_dtype is " + type);
        PageFormat format = PageFormat.indexKeys(type, 128);
        int high = Math.toIntExact((1L << 31) / format.bytes() + 3);
        Pool pool = large(format, high + 1);
        try {
            float[][] rows = ScoreChecks.random(5, 2, 128);
            ScoreChecks.upload(kit(), pool, high, rows);
            float[] q = Kit.random(6, 128);
            float[] far = scores(pool, q, high);
            Pool near = Pool.allocate(kit().kernels(), format, 1);
            ScoreChecks.upload(kit(), near, 0, rows);

            Kit.assertSameBits(far, scores(near, q, 0), "scores of a high page");
            assertThat(far[0]).isNotEqualTo(far[1]);
        } finally {
            pool.data().close();
        }
    }

    private float[] scores(Pool pool, float[] q, int page) {
        Tensor scores = kit().poisoned(DType.FP32, 1, 2);
        kit().kernels()
                .indexScores(
                        new Runs(kit()).run(0, 7, 1).batch(),
                        0,
                        kit().floats(q, 1, 1, q.length),
                        kit().floats(new float[] {1}, 1, 1),
                        pool,
                        kit().ints(new int[] {page}, 1, 1),
                        kit().ints(new int[] {2}),
                        IndexScoring.PAGED,
                        scores);
        return kit().written(scores);
    }

    private Pool large(PageFormat format, int pages) {
        try {
            return Pool.allocate(kit().kernels(), format, pages);
        } catch (KernelException refused) {
            Assumptions.abort("no pool beyond 2^31 bytes here: " + refused.getMessage());
            throw refused;
        }
    }
}
