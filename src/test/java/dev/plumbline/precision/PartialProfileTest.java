package dev.plumbline.precision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PartialProfileTest {

    @Test
    void flagsAreReadAsYamlAndJsonWriteThem() {
        Map<String, Object> raw = new LinkedHashMap<>();
        raw.put("graphs", false);
        raw.put("prefix_cache", true);
        raw.put("index_topk", 1024L);
        raw.put("prefill_chunk", " 64 ");
        raw.put("index_key_dtype", "FP8");

        assertThat(PartialProfile.parse(raw).flags())
                .containsExactly(
                        Map.entry("index_key_dtype", "fp8"),
                        Map.entry("index_topk", "1024"),
                        Map.entry("prefill_chunk", "64"),
                        Map.entry("graphs", "off"),
                        Map.entry("prefix_cache", "on"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            linear_dtype     | fp16 | linear_dtype is fp16; allowed: fp32, bf16
            linear_dtype     | fp8  | linear_dtype is fp8; allowed: fp32, bf16
            kv_dtype         | mxfp4| kv_dtype is mxfp4; allowed: fp32, bf16, fp8
            index_key_dtype  | int8 | index_key_dtype is int8; allowed: fp32, bf16, fp8, mxfp4
            index_topk       | 0    | index_topk is 0; allowed: 1 to 2147483647
            index_topk       | 1.5  | index_topk is 1.5; allowed: 1 to 2147483647
            prefill_chunk    | -3   | prefill_chunk is -3; allowed: 1 to 2147483647
            prefill_chunk    | 9999999999 | prefill_chunk is 9999999999; allowed: 1 to 2147483647
            graphs           | yes  | graphs is yes; allowed: on, off
            numerics         | true | numerics is true; allowed: hf, qat
            """)
    void aWrongValueIsNamedWithWhatIsAllowed(String flag, String value, String message) {
        assertThatThrownBy(() -> PartialProfile.parse(Map.of(flag, value)))
                .isInstanceOf(ProfileException.class)
                .hasMessage(message);
    }

    @Test
    void everyFaultIsToldAtOnceOneALine() {
        Map<String, Object> raw = new LinkedHashMap<>();
        raw.put("prefill_chunk", 0);
        raw.put("index_dtype", "fp8");
        raw.put("numerics", null);

        ProfileException refused = catchThrowableOfType(ProfileException.class, () -> PartialProfile.parse(raw));

        assertThat(refused.getMessage().lines())
                .containsExactly(
                        "index_dtype is not a flag; allowed: " + Flag.keys(),
                        "numerics is null; allowed: hf, qat",
                        "prefill_chunk is 0; allowed: 1 to 2147483647");
        assertThat(refused.field()).isEqualTo("index_dtype");
        assertThat(refused.faults())
                .extracting(ProfileException.Fault::field)
                .containsExactly("index_dtype", "numerics", "prefill_chunk");
    }

    @Test
    void whatAStrangerWroteCannotForgeALineOfTheMessage() {
        ProfileException refused = catchThrowableOfType(
                ProfileException.class,
                () -> PartialProfile.parse(Map.of("kv_dtype", "x\nkv_dtype is fine" + "y".repeat(500))));

        assertThat(refused.getMessage().lines()).hasSize(1);
        assertThat(refused.getMessage()).hasSizeLessThan(150);
    }

    @Test
    void theUpperProfileWins() {
        PartialProfile upper = PartialProfile.parse(Map.of("kv_dtype", "fp8", "graphs", "off"));
        PartialProfile lower = PartialProfile.parse(Map.of("kv_dtype", "fp32", "index_topk", 3));

        assertThat(upper.over(lower).flags())
                .containsExactly(
                        Map.entry("index_topk", "3"), Map.entry("kv_dtype", "fp8"), Map.entry("graphs", "off"));
    }

    @Test
    void itDoesNotFollowTheMapItWasMadeOf() {
        Map<Flag, String> values = new HashMap<>(Map.of(Flag.GRAPHS, "on"));
        PartialProfile profile = new PartialProfile(values);

        values.put(Flag.GRAPHS, "off");

        assertThat(profile.values()).containsExactly(Map.entry(Flag.GRAPHS, "on"));
        assertThatThrownBy(() -> profile.values().clear()).isInstanceOf(UnsupportedOperationException.class);
    }
}
