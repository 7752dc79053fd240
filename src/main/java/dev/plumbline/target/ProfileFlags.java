package dev.plumbline.target;

import dev.plumbline.model.ModelConfig;
import dev.plumbline.precision.PrecisionProfile;
import dev.plumbline.precision.StorageType;
import dev.plumbline.precision.TopkAlgorithm;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Precision flags as written by a person; null leaves a flag at its baseline.
 *
 * @param linearDtype fp32 or bf16
 * @param indexKeyDtype fp32 or bf16
 * @param kvDtype fp32 or bf16
 * @param topkBackend radix or sort
 * @param indexTopk at least 1; null takes the checkpoint's
 * @param prefillChunk tokens, at least 1
 * @param graphs on or off
 */
public record ProfileFlags(
        String linearDtype,
        String indexKeyDtype,
        String kvDtype,
        String topkBackend,
        Integer indexTopk,
        Integer prefillChunk,
        String graphs) {

    private enum Switch {
        ON,
        OFF
    }

    /** Every flag at its baseline. */
    public static ProfileFlags baseline() {
        return new ProfileFlags(null, null, null, null, null, null, null);
    }

    /**
     * The profile for a model.
     *
     * @throws TargetException naming the flag, its value and the allowed values
     */
    public PrecisionProfile profile(ModelConfig config) {
        PrecisionProfile base = PrecisionProfile.baseline(config.indexTopk());
        return new PrecisionProfile(
                parse("linear_dtype", linearDtype, base.linear(), StorageType.values()),
                parse("index_key_dtype", indexKeyDtype, base.indexKeys(), StorageType.values()),
                parse("kv_dtype", kvDtype, base.kv(), StorageType.values()),
                parse("topk_backend", topkBackend, base.topk(), TopkAlgorithm.values()),
                atLeastOne("index_topk", indexTopk, base.indexTopk()),
                atLeastOne("prefill_chunk", prefillChunk, base.prefillChunk()),
                parse("graphs", graphs, base.graphs() ? Switch.ON : Switch.OFF, Switch.values()) == Switch.ON);
    }

    private static <E extends Enum<E>> E parse(String flag, String value, E baseline, E[] allowed) {
        if (value == null) {
            return baseline;
        }
        return Arrays.stream(allowed)
                .filter(choice -> spelling(choice).equals(value.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new TargetException(flag + " is " + value + "; allowed: "
                        + Arrays.stream(allowed).map(ProfileFlags::spelling).collect(Collectors.joining(", "))));
    }

    private static String spelling(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static int atLeastOne(String flag, Integer value, int baseline) {
        if (value == null) {
            return baseline;
        }
        if (value < 1) {
            throw new TargetException(flag + " is " + value + "; allowed: at least 1");
        }
        return value;
    }
}
