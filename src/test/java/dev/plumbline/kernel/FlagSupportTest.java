package dev.plumbline.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.plumbline.precision.Flag;
import dev.plumbline.precision.PartialProfile;
import dev.plumbline.precision.PrecisionProfile;
import org.junit.jupiter.api.Test;

class FlagSupportTest {
    private static final PrecisionProfile BASELINE = PrecisionProfile.baseline(8);

    @Test
    void aMissingValueIsRefusedWithTheOnesThatAreThere() {
        FlagSupport support = FlagSupport.everythingOn("abacus").except(Flag.INDEX_KEY_DTYPE, "fp8", "mxfp4");

        assertThat(support.refusal(BASELINE)).isEmpty();
        assertThat(support.refusal(BASELINE.with(PartialProfile.of(Flag.INDEX_KEY_DTYPE, "fp8"))))
                .contains("index_key_dtype is fp8, which the backend abacus has no kernel for; allowed: fp32, bf16");
    }

    @Test
    void aValueThatNoFlagHasCannotBeLeftOut() {
        FlagSupport all = FlagSupport.everythingOn("abacus");

        assertThatThrownBy(() -> all.except(Flag.KV_DTYPE, "mxfp4")).isInstanceOf(IllegalArgumentException.class);
    }
}
