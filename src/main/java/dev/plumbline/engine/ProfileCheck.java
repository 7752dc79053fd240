package dev.plumbline.engine;

import dev.plumbline.kernel.Kernels;
import dev.plumbline.model.AttentionKind;
import dev.plumbline.model.ModelConfig;
import dev.plumbline.precision.Flag;
import dev.plumbline.precision.IndexRotation;
import dev.plumbline.precision.Numerics;
import dev.plumbline.precision.PageFormat;
import dev.plumbline.precision.PrecisionProfile;
import dev.plumbline.precision.ProfileException;
import dev.plumbline.precision.StorageType;

/** Asked before a lane is built: what cannot be honoured is refused, never replaced. */
public final class ProfileCheck {
    private ProfileCheck() {}

    /**
     * Whether the numbers of a profile mean something for a model: working memory grows with them, and beyond the context
     * they change nothing. What the checkpoint and the flag table say themselves is never refused.
     *
     * @throws ProfileException naming the flag, its value and what is allowed
     */
    public static void requireNumbers(PrecisionProfile profile, ModelConfig config) {
        PrecisionProfile defaults = PrecisionProfile.baseline(config.indexTopk());
        atMost(Flag.INDEX_TOPK, profile.indexTopk(), Math.max(config.maxPositions(), defaults.indexTopk()));
        atMost(Flag.PREFILL_CHUNK, profile.prefillChunk(), Math.max(config.maxPositions(), defaults.prefillChunk()));
    }

    private static void atMost(Flag flag, int value, int most) {
        if (value > most) {
            throw new ProfileException(
                    flag.key(),
                    flag.key() + " is " + value + ", which exceeds the context of this model; allowed: 1 to " + most);
        }
    }

    /**
     * Whether a backend, this engine and a model's shapes allow a profile.
     *
     * @throws ProfileException naming the flag, the reason and the allowed values
     */
    static void require(PrecisionProfile profile, ModelConfig config, Kernels kernels) {
        requireNumbers(profile, config);
        kernels.refusal(profile).ifPresent(reason -> {
            throw new ProfileException(reason.substring(0, reason.indexOf(' ')), reason);
        });
        keyValues(profile, config);
        if (config.layers().stream().anyMatch(layer -> layer.attention() == AttentionKind.CSA)) {
            index(profile, config.indexHeadDim());
        }
    }

    private static void keyValues(PrecisionProfile profile, ModelConfig config) {
        try {
            PageFormat.keyValues(profile.kv(), PageFormat.ENTRIES, config.headDim(), config.ropeDims());
        } catch (IllegalArgumentException e) {
            throw refused(Flag.KV_DTYPE, profile, "the model's " + e.getMessage(), "fp32, bf16");
        }
    }

    private static void index(PrecisionProfile profile, int width) {
        boolean powerOfTwo = (width & (width - 1)) == 0;
        if (profile.indexRotation() == IndexRotation.HADAMARD && !powerOfTwo) {
            boolean trained = profile.numerics() == Numerics.QAT;
            throw refused(
                    trained ? Flag.NUMERICS : Flag.INDEX_ROTATION,
                    profile,
                    "the model's index keys have " + width + " dims, which is no power of two",
                    trained ? "hf" : "none");
        }
        if (profile.indexKeys() == StorageType.MXFP4 && width % 2 != 0) {
            throw refused(
                    Flag.INDEX_KEY_DTYPE, profile, "the model's index keys have " + width + " dims", "fp32, bf16, fp8");
        }
    }

    private static ProfileException refused(Flag flag, PrecisionProfile profile, String reason, String allowed) {
        return new ProfileException(
                flag.key(),
                flag.key() + " is " + profile.value(flag) + ", but " + reason + "; allowed with it: " + allowed);
    }
}
