package dev.plumbline.precision;

import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The flags of a lane; immutable. Every instance is a combination that makes sense; whether a backend can do it, it
 * says itself.
 *
 * @param numerics which arithmetic the weights are used with ({@code numerics})
 * @param linear operands of the dense linears ({@code linear_dtype}); accumulation is always fp32
 * @param indexKeys storage of CSA index keys ({@code index_key_dtype}); the index query follows
 * @param indexRotation map of index queries and keys before storage ({@code index_rotation})
 * @param indexTopk budget ({@code index_topk}), at least 1
 * @param indexScores precision of a score ({@code index_score_dtype})
 * @param indexLogits how scores read the keys ({@code index_logits}); changes no result
 * @param topk algorithm of the selection ({@code topk_backend}); changes no result
 * @param kv storage of window and compressed keys/values ({@code kv_dtype})
 * @param attentionDecode attention of rows in the decode stage ({@code attention_decode})
 * @param hyperConnection operands of the mixing products ({@code hyper_connection_dtype})
 * @param experts compute form of the routed experts ({@code expert_dtype})
 * @param routedScaling where the routed scaling factor is applied ({@code routed_scaling})
 * @param prefillChunk most prompt tokens of one step ({@code prefill_chunk}), at least 1; changes no result
 * @param graphs whether a backend that can may capture decode steps and repeat them ({@code graphs}); changes no result
 * @param prefixCache whether the state of prompts is kept for the next ones ({@code prefix_cache}); changes no result
 */
public record PrecisionProfile(
        Numerics numerics,
        StorageType linear,
        StorageType indexKeys,
        IndexRotation indexRotation,
        int indexTopk,
        StorageType indexScores,
        IndexLogits indexLogits,
        TopkAlgorithm topk,
        StorageType kv,
        AttentionDecode attentionDecode,
        StorageType hyperConnection,
        ExpertType experts,
        RoutedScaling routedScaling,
        int prefillChunk,
        boolean graphs,
        boolean prefixCache) {

    /** Tokens of a prefill chunk unless configured otherwise. */
    public static final int DEFAULT_PREFILL_CHUNK = 512;

    /**
     * Checks every value and that they go together.
     *
     * @throws ProfileException naming what is wrong
     */
    public PrecisionProfile {
        Map<Flag, String> flags = new EnumMap<>(Flag.class);
        flags.put(Flag.NUMERICS, Spelling.of(numerics));
        flags.put(Flag.LINEAR_DTYPE, Spelling.of(linear));
        flags.put(Flag.INDEX_KEY_DTYPE, Spelling.of(indexKeys));
        flags.put(Flag.INDEX_ROTATION, Spelling.of(indexRotation));
        flags.put(Flag.INDEX_TOPK, String.valueOf(indexTopk));
        flags.put(Flag.INDEX_SCORE_DTYPE, Spelling.of(indexScores));
        flags.put(Flag.KV_DTYPE, Spelling.of(kv));
        flags.put(Flag.HYPER_CONNECTION_DTYPE, Spelling.of(hyperConnection));
        flags.put(Flag.PREFILL_CHUNK, String.valueOf(prefillChunk));
        Combinations.check(new PartialProfile(flags).values());
    }

    /** The defaults of the flag table, with the checkpoint's budget. */
    public static PrecisionProfile baseline(int indexTopk) {
        return new PrecisionProfile(
                Numerics.HF,
                StorageType.BF16,
                StorageType.BF16,
                IndexRotation.NONE,
                indexTopk,
                StorageType.FP32,
                IndexLogits.PAGED,
                TopkAlgorithm.RADIX,
                StorageType.BF16,
                AttentionDecode.MMA,
                StorageType.FP32,
                ExpertType.STORED,
                RoutedScaling.FUSED,
                DEFAULT_PREFILL_CHUNK,
                true,
                true);
    }

    /** Everything in fp32: the profile of parity tests. */
    public static PrecisionProfile fp32(int indexTopk) {
        return baseline(indexTopk)
                .with(PartialProfile.parse(Map.of(
                        Flag.LINEAR_DTYPE.key(), "fp32",
                        Flag.INDEX_KEY_DTYPE.key(), "fp32",
                        Flag.KV_DTYPE.key(), "fp32",
                        Flag.ATTENTION_DECODE.key(), "scalar",
                        Flag.EXPERT_DTYPE.key(), "fp32")));
    }

    /**
     * This profile with some flags set otherwise. As {@code numerics=qat} includes the rotation, it sets
     * {@code index_rotation=hadamard} unless {@code partial} says something else of it.
     *
     * @throws ProfileException if the result makes no sense, with the reason and the allowed values
     */
    public PrecisionProfile with(PartialProfile partial) {
        Map<Flag, String> merged = byFlag();
        merged.putAll(partial.values());
        if ("qat".equals(partial.values().get(Flag.NUMERICS))
                && !partial.values().containsKey(Flag.INDEX_ROTATION)) {
            merged.put(Flag.INDEX_ROTATION, Spelling.of(IndexRotation.HADAMARD));
        }
        return of(merged);
    }

    private static PrecisionProfile of(Map<Flag, String> flags) {
        return new PrecisionProfile(
                value(flags, Flag.NUMERICS, Numerics.class),
                value(flags, Flag.LINEAR_DTYPE, StorageType.class),
                value(flags, Flag.INDEX_KEY_DTYPE, StorageType.class),
                value(flags, Flag.INDEX_ROTATION, IndexRotation.class),
                Integer.parseInt(flags.get(Flag.INDEX_TOPK)),
                value(flags, Flag.INDEX_SCORE_DTYPE, StorageType.class),
                value(flags, Flag.INDEX_LOGITS, IndexLogits.class),
                value(flags, Flag.TOPK_BACKEND, TopkAlgorithm.class),
                value(flags, Flag.KV_DTYPE, StorageType.class),
                value(flags, Flag.ATTENTION_DECODE, AttentionDecode.class),
                value(flags, Flag.HYPER_CONNECTION_DTYPE, StorageType.class),
                value(flags, Flag.EXPERT_DTYPE, ExpertType.class),
                value(flags, Flag.ROUTED_SCALING, RoutedScaling.class),
                Integer.parseInt(flags.get(Flag.PREFILL_CHUNK)),
                flags.get(Flag.GRAPHS).equals("on"),
                flags.get(Flag.PREFIX_CACHE).equals("on"));
    }

    private static <E extends Enum<E>> E value(Map<Flag, String> flags, Flag flag, Class<E> type) {
        return Spelling.parse(type, flags.get(flag));
    }

    private Map<Flag, String> byFlag() {
        Map<Flag, String> flags = new EnumMap<>(Flag.class);
        flags.put(Flag.NUMERICS, Spelling.of(numerics));
        flags.put(Flag.LINEAR_DTYPE, Spelling.of(linear));
        flags.put(Flag.INDEX_KEY_DTYPE, Spelling.of(indexKeys));
        flags.put(Flag.INDEX_ROTATION, Spelling.of(indexRotation));
        flags.put(Flag.INDEX_TOPK, String.valueOf(indexTopk));
        flags.put(Flag.INDEX_SCORE_DTYPE, Spelling.of(indexScores));
        flags.put(Flag.INDEX_LOGITS, Spelling.of(indexLogits));
        flags.put(Flag.TOPK_BACKEND, Spelling.of(topk));
        flags.put(Flag.KV_DTYPE, Spelling.of(kv));
        flags.put(Flag.ATTENTION_DECODE, Spelling.of(attentionDecode));
        flags.put(Flag.HYPER_CONNECTION_DTYPE, Spelling.of(hyperConnection));
        flags.put(Flag.EXPERT_DTYPE, Spelling.of(experts));
        flags.put(Flag.ROUTED_SCALING, Spelling.of(routedScaling));
        flags.put(Flag.PREFILL_CHUNK, String.valueOf(prefillChunk));
        flags.put(Flag.GRAPHS, graphs ? "on" : "off");
        flags.put(Flag.PREFIX_CACHE, prefixCache ? "on" : "off");
        return flags;
    }

    /** The value of one flag, as a person writes it. */
    public String value(Flag flag) {
        return byFlag().get(flag);
    }

    /** Every flag by its name, as a person writes it, in the order of the flag table. */
    public Map<String, String> flags() {
        Map<String, String> flags = new LinkedHashMap<>();
        byFlag().forEach((flag, value) -> flags.put(flag.key(), value));
        return Collections.unmodifiableMap(flags);
    }

    /** The same flags with another budget. */
    public PrecisionProfile withIndexTopk(int budget) {
        return with(PartialProfile.of(Flag.INDEX_TOPK, budget));
    }

    /** The same flags with another chunk. */
    public PrecisionProfile withPrefillChunk(int tokens) {
        return with(PartialProfile.of(Flag.PREFILL_CHUNK, tokens));
    }

    /** The same flags with another selection algorithm. */
    public PrecisionProfile withTopk(TopkAlgorithm algorithm) {
        return with(PartialProfile.of(Flag.TOPK_BACKEND, algorithm));
    }

    /** The same flags with the prefix cache on or off. */
    public PrecisionProfile withPrefixCache(boolean on) {
        return with(PartialProfile.of(Flag.PREFIX_CACHE, on));
    }

    /** The same flags with graphs on or off. */
    public PrecisionProfile withGraphs(boolean on) {
        return with(PartialProfile.of(Flag.GRAPHS, on));
    }
}
