package dev.plumbline.precision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class PrecisionProfileTest {
    private static final PrecisionProfile BASELINE = PrecisionProfile.baseline(512);

    static Stream<Arguments> everyValue() {
        return Arrays.stream(Flag.values())
                .flatMap(flag -> (flag.number() ? Stream.of("1", "777") : flag.choices().stream())
                        .map(value -> Arguments.of(flag, value)));
    }

    @ParameterizedTest
    @MethodSource("everyValue")
    void everyValueOfEveryFlagReadsBackAndChangesNoOtherFlag(Flag flag, String value) {
        PrecisionProfile changed = BASELINE.with(PartialProfile.of(flag, value));

        assertThat(changed.value(flag)).isEqualTo(value);
        for (Flag other : Flag.values()) {
            if (other != flag && !(value.equals("qat") && other == Flag.INDEX_ROTATION)) {
                assertThat(changed.value(other)).as(other.key()).isEqualTo(BASELINE.value(other));
            }
        }
        assertThat(BASELINE.with(new PartialProfile(new PartialProfile(Map.of(flag, value)).values())))
                .isEqualTo(changed);
    }

    @Test
    void everyFlagIsToldInTheOrderOfTheTable() {
        assertThat(BASELINE.flags().keySet())
                .containsExactlyElementsOf(
                        Arrays.stream(Flag.values()).map(Flag::key).toList());
        assertThat(PrecisionProfile.baseline(1)
                        .with(PartialProfile.parse(PrecisionProfile.fp32(9).flags())))
                .isEqualTo(PrecisionProfile.fp32(9));
    }

    @ParameterizedTest
    @EnumSource(Flag.class)
    void everyFlagExplainsItself(Flag flag) {
        assertThat(Flag.byKey(flag.key())).contains(flag);
        assertThat(flag.explanation()).endsWith(".").hasSizeGreaterThan(60);
        assertThat(flag.allowed()).isEqualTo(flag.number() ? "1 to 2147483647" : String.join(", ", flag.choices()));
    }

    @ParameterizedTest
    @CsvSource({
        "index_key_dtype, fp8, 'fp32, bf16'",
        "index_key_dtype, mxfp4, 'fp32, bf16'",
        "kv_dtype, fp8, 'fp32, bf16'",
        "index_rotation, none, hadamard"
    })
    void trainingArithmeticRefusesWhatWouldRoundTwiceOrNotRotate(String flag, String value, String allowed) {
        PartialProfile partial = PartialProfile.parse(Map.of("numerics", "qat", flag, value));

        assertThatThrownBy(() -> BASELINE.with(partial))
                .isInstanceOf(ProfileException.class)
                .hasMessageStartingWith(flag + " is " + value + ", but numerics qat")
                .hasMessageEndingWith("allowed with it: " + allowed);
    }

    @Test
    void trainingArithmeticBringsItsRotation() {
        PrecisionProfile qat = BASELINE.with(PartialProfile.of(Flag.NUMERICS, "qat"));

        assertThat(qat.indexRotation()).isEqualTo(IndexRotation.HADAMARD);
        assertThat(qat.indexKeys()).isEqualTo(StorageType.BF16);
    }

    @Test
    void allFp32LeavesNoReducedPrecision() {
        assertThat(PrecisionProfile.fp32(8).flags())
                .containsEntry("expert_dtype", "fp32")
                .containsEntry("attention_decode", "scalar")
                .doesNotContainValue("bf16");
    }
}
