package dev.plumbline.precision;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The flags of a lane; immutable.
 *
 * @param linear operands of the dense linears ({@code linear_dtype}); accumulation is always fp32
 * @param indexKeys storage of CSA index keys ({@code index_key_dtype}); the index query follows
 * @param kv storage of window and compressed keys/values ({@code kv_dtype})
 * @param topk algorithm of the selection ({@code topk_backend})
 * @param indexTopk budget ({@code index_topk}), at least 1
 * @param prefillChunk most prompt tokens of one step ({@code prefill_chunk}), at least 1
 * @param graphs whether a backend that can may capture decode steps and repeat them ({@code graphs}); changes no result
 */
public record PrecisionProfile(
        StorageType linear,
        StorageType indexKeys,
        StorageType kv,
        TopkAlgorithm topk,
        int indexTopk,
        int prefillChunk,
        boolean graphs) {

    /** Tokens of a prefill chunk unless configured otherwise. */
    public static final int DEFAULT_PREFILL_CHUNK = 512;

    /** Validates the numbers. */
    public PrecisionProfile {
        requireAtLeastOne("index_topk", indexTopk);
        requireAtLeastOne("prefill_chunk", prefillChunk);
    }

    /** The defaults of the flag table, with the checkpoint's budget. */
    public static PrecisionProfile baseline(int indexTopk) {
        return new PrecisionProfile(
                StorageType.BF16,
                StorageType.BF16,
                StorageType.BF16,
                TopkAlgorithm.RADIX,
                indexTopk,
                DEFAULT_PREFILL_CHUNK,
                true);
    }

    /** Everything in fp32: the profile of parity tests. */
    public static PrecisionProfile fp32(int indexTopk) {
        return new PrecisionProfile(
                StorageType.FP32,
                StorageType.FP32,
                StorageType.FP32,
                TopkAlgorithm.RADIX,
                indexTopk,
                DEFAULT_PREFILL_CHUNK,
                true);
    }

    /** Every flag by its name, as a person writes it, in the order of the flag table. */
    public Map<String, String> flags() {
        Map<String, String> flags = new LinkedHashMap<>();
        flags.put("linear_dtype", spelled(linear));
        flags.put("index_key_dtype", spelled(indexKeys));
        flags.put("kv_dtype", spelled(kv));
        flags.put("index_topk", String.valueOf(indexTopk));
        flags.put("topk_backend", spelled(topk));
        flags.put("prefill_chunk", String.valueOf(prefillChunk));
        flags.put("graphs", graphs ? "on" : "off");
        return Collections.unmodifiableMap(flags);
    }

    private static String spelled(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /** The same flags with another budget. */
    public PrecisionProfile withIndexTopk(int budget) {
        return new PrecisionProfile(linear, indexKeys, kv, topk, budget, prefillChunk, graphs);
    }

    /** The same flags with another chunk. */
    public PrecisionProfile withPrefillChunk(int tokens) {
        return new PrecisionProfile(linear, indexKeys, kv, topk, indexTopk, tokens, graphs);
    }

    /** The same flags with another selection algorithm. */
    public PrecisionProfile withTopk(TopkAlgorithm algorithm) {
        return new PrecisionProfile(linear, indexKeys, kv, algorithm, indexTopk, prefillChunk, graphs);
    }

    /** The same flags with graphs on or off. */
    public PrecisionProfile withGraphs(boolean on) {
        return new PrecisionProfile(linear, indexKeys, kv, topk, indexTopk, prefillChunk, on);
    }

    private static void requireAtLeastOne(String flag, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(flag + " is " + value + "; allowed: at least 1");
        }
    }
}
