package dev.plumbline.engine;

import dev.plumbline.precision.Flag;
import dev.plumbline.precision.PrecisionProfile;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * What a lane's flags are by what serves it: the variants that its kernel calls reported, and its memory. A flag that
 * left no trace is told as it was asked for: {@code graphs}, which no call reports, and whatever this model has no use
 * for. Where calls disagree all values are told.
 */
final class FlagReadback {
    private static final List<String> MMA = List.of("mma_decode", "bf16_operands_decode");
    private static final List<String> SEPARATE = List.of("separate", "scaled_sum");

    private final Map<Flag, String> found = new TreeMap<>();
    private final Collection<String> variants;

    private FlagReadback(Collection<String> variants) {
        this.variants = variants;
    }

    /**
     * Every flag by name.
     *
     * @param asked the profile
     * @param variants ids of the variants that have served
     * @param memory what the lane's memory says, by flag; it goes first where no call tells
     */
    static Map<String, String> of(PrecisionProfile asked, Collection<String> variants, Map<Flag, String> memory) {
        FlagReadback readback = new FlagReadback(variants);
        readback.found.putAll(memory);
        readback.calls();
        Map<String, String> flags = new LinkedHashMap<>(asked.flags());
        readback.found.forEach((flag, value) -> flags.put(flag.key(), value));
        return flags;
    }

    private void calls() {
        note(Flag.NUMERICS, "compress", parts -> parts.contains("hadamard_fp4") ? "qat" : null);
        note(Flag.INDEX_KEY_DTYPE, "indexscores", parts -> storage(parts.get(0)));
        note(
                Flag.INDEX_ROTATION,
                "compress",
                parts -> any(parts, List.of("hadamard", "hadamard_fp4"), "hadamard", null));
        note(Flag.INDEX_SCORE_DTYPE, "indexscores", parts -> parts.contains("bf16_scores") ? "bf16" : "fp32");
        note(Flag.INDEX_LOGITS, "indexscores", parts -> parts.contains("gathered") ? "gathered" : "paged");
        note(Flag.TOPK_BACKEND, "topk", parts -> parts.get(0));
        note(Flag.KV_DTYPE, "attention", parts -> storage(parts.get(0)));
        note(Flag.ATTENTION_DECODE, "attention", parts -> any(parts, MMA, "mma", null));
        note(Flag.HYPER_CONNECTION_DTYPE, "mix", parts -> parts.get(0));
        note(Flag.ROUTED_SCALING, "experts", parts -> any(parts, SEPARATE, "separate", "fused"));
        // What the marks of a variant say when they are missing from all of them.
        unmarked(Flag.NUMERICS, "compress", "hf");
        unmarked(Flag.INDEX_ROTATION, "indexscores", "none");
        unmarked(Flag.ATTENTION_DECODE, "attention", "scalar");
    }

    /** Takes what the calls of a kernel say: {@code value} gets the parts of an id after the kernel's name. */
    private void note(Flag flag, String kernel, Function<List<String>, String> value) {
        Set<String> said = new TreeSet<>();
        for (String id : variants) {
            List<String> parts = List.of(id.toLowerCase(Locale.ROOT).split("\\."));
            if (parts.get(0).equals(kernel)) {
                String one = value.apply(parts.subList(1, parts.size()));
                if (one != null) {
                    said.add(one);
                }
            }
        }
        if (!said.isEmpty()) {
            found.put(flag, String.join(" and ", said));
        }
    }

    private void unmarked(Flag flag, String kernel, String value) {
        boolean ran =
                variants.stream().anyMatch(id -> id.toLowerCase(Locale.ROOT).startsWith(kernel + "."));
        if (ran) {
            found.putIfAbsent(flag, value);
        }
    }

    private static String any(List<String> parts, List<String> marks, String marked, String otherwise) {
        return marks.stream().anyMatch(parts::contains) ? marked : otherwise;
    }

    /** {@code index_fp8} and {@code kv_fp8} are fp8 of different pages. */
    private static String storage(String layout) {
        return layout.substring(layout.indexOf('_') + 1);
    }
}
