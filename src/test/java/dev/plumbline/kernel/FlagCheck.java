package dev.plumbline.kernel;

import dev.plumbline.precision.Flag;
import dev.plumbline.precision.PartialProfile;
import dev.plumbline.precision.PrecisionProfile;
import dev.plumbline.precision.RoutedScaling;
import dev.plumbline.precision.StorageType;
import dev.plumbline.precision.TopkAlgorithm;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What each value of each flag must compute. The variants that come back are those that do it. */
enum FlagCheck {
    NUMERICS_QAT(Flag.NUMERICS, "qat", StoreChecks::training),
    LINEAR_FP32(Flag.LINEAR_DTYPE, "fp32", kit -> List.of(MixChecks.linear(kit, DType.FP32))),
    LINEAR_BF16(Flag.LINEAR_DTYPE, "bf16", kit -> List.of(MixChecks.linear(kit, DType.BF16))),
    INDEX_KEYS_FP32(Flag.INDEX_KEY_DTYPE, "fp32", kit -> indexKeys(kit, StorageType.FP32)),
    INDEX_KEYS_BF16(Flag.INDEX_KEY_DTYPE, "bf16", kit -> indexKeys(kit, StorageType.BF16)),
    INDEX_KEYS_FP8(Flag.INDEX_KEY_DTYPE, "fp8", kit -> indexKeys(kit, StorageType.FP8)),
    INDEX_KEYS_MXFP4(Flag.INDEX_KEY_DTYPE, "mxfp4", kit -> indexKeys(kit, StorageType.MXFP4)),
    ROTATION_HADAMARD(Flag.INDEX_ROTATION, "hadamard", StoreChecks::rotation),
    SCORES_BF16(Flag.INDEX_SCORE_DTYPE, "bf16", kit -> List.of(ScoreChecks.formula(kit, StorageType.BF16, DType.BF16))),
    LOGITS_GATHERED(
            Flag.INDEX_LOGITS, "gathered", kit -> List.of(ScoreChecks.gathered(kit, StorageType.BF16, DType.FP32))),
    TOPK_RADIX(Flag.TOPK_BACKEND, "radix", kit -> List.of(SelectionChecks.hard(kit, TopkAlgorithm.RADIX))),
    TOPK_SORT(Flag.TOPK_BACKEND, "sort", kit -> List.of(SelectionChecks.hard(kit, TopkAlgorithm.SORT))),
    KV_FP32(Flag.KV_DTYPE, "fp32", kit -> List.of(AttentionChecks.storage(kit, StorageType.FP32))),
    KV_BF16(Flag.KV_DTYPE, "bf16", kit -> List.of(AttentionChecks.storage(kit, StorageType.BF16))),
    KV_FP8(Flag.KV_DTYPE, "fp8", kit -> {
        StoreChecks.keyValues(kit);
        return List.of(AttentionChecks.storage(kit, StorageType.FP8));
    }),
    DECODE_MMA(Flag.ATTENTION_DECODE, "mma", kit -> List.of(AttentionChecks.rounded(kit))),
    HYPER_FP32(Flag.HYPER_CONNECTION_DTYPE, "fp32", kit -> MixChecks.hyper(kit, DType.FP32)),
    HYPER_BF16(Flag.HYPER_CONNECTION_DTYPE, "bf16", kit -> MixChecks.hyper(kit, DType.BF16)),
    EXPERTS_FP32(Flag.EXPERT_DTYPE, "fp32", kit -> List.of(MixChecks.experts(kit, DType.FP32, RoutedScaling.FUSED))),
    EXPERTS_BF16(Flag.EXPERT_DTYPE, "bf16", kit -> List.of(MixChecks.experts(kit, DType.BF16, RoutedScaling.FUSED))),
    SCALING_SEPARATE(
            Flag.ROUTED_SCALING,
            "separate",
            kit -> List.of(MixChecks.experts(kit, DType.BF16, RoutedScaling.SEPARATE)));

    private interface Body {
        List<Variant> run(Kit kit);
    }

    private final Flag flag;
    private final String value;
    private final Body body;

    FlagCheck(Flag flag, String value, Body body) {
        this.flag = flag;
        this.value = value;
        this.body = body;
    }

    Flag flag() {
        return flag;
    }

    /** Why the backend does not do this value, or null. */
    String refusal(Kernels kernels) {
        return refusal(kernels, flag, value);
    }

    private static String refusal(Kernels kernels, Flag flag, String value) {
        PrecisionProfile profile = PrecisionProfile.baseline(8).with(PartialProfile.of(flag, value));
        return kernels.refusal(profile)
                .filter(reason -> reason.startsWith(flag.key() + " "))
                .orElse(null);
    }

    static boolean supported(Kernels kernels, Flag flag, Enum<?> value) {
        return refusal(kernels, flag, value.name().toLowerCase(Locale.ROOT)) == null;
    }

    /** Ids of the variants that computed the value, without repetition. */
    List<String> run(Kit kit) {
        return body.run(kit).stream().map(Variant::id).distinct().sorted().toList();
    }

    private static List<Variant> indexKeys(Kit kit, StorageType type) {
        if (type == StorageType.FP8 || type == StorageType.MXFP4) {
            StoreChecks.indexKeys(kit, type, KeyTransform.NONE);
        }
        ScoreChecks.notNumbers(kit, type);
        ScoreChecks.alone(kit, type, DType.FP32);
        return List.of(ScoreChecks.formula(kit, type, DType.FP32));
    }

    @Override
    public String toString() {
        return flag.key() + "=" + value;
    }

    /** The checks of one flag's values. */
    static List<FlagCheck> of(Flag flag) {
        return Arrays.stream(values()).filter(check -> check.flag == flag).toList();
    }
}
