package dev.plumbline.gpucheck;

import dev.plumbline.kernel.Kernels;
import dev.plumbline.model.Checkpoint;
import dev.plumbline.precision.ExpertType;
import dev.plumbline.precision.Flag;
import dev.plumbline.precision.PartialProfile;
import dev.plumbline.precision.PrecisionProfile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The whole model under every value of every flag, on one backend against another: logits, selections, and which variants
 * the calls named. Everything starts from the profile whose values are all fp32.
 */
final class FlagRows {
    /** The bounds of the conformance kit, for fp32 and for operands or storage that both backends round. */
    private static final double FP32_BOUND = 1e-10;

    private static final double REDUCED_BOUND = 1e-6;

    /** What rounding itself may change, and so a choice between equals: the bound of the parity kit. */
    private static final double WHOLE_BOUND = 2e-3;

    /** Ten roundings on top of each other. */
    private static final double TOGETHER_BOUND = 1e-4;

    private static final String STORED = ExpertType.STORED.name().toLowerCase(Locale.ROOT);

    private static final Map<Flag, String> ALL_REDUCED = Map.of(
            Flag.LINEAR_DTYPE, "bf16",
            Flag.INDEX_KEY_DTYPE, "mxfp4",
            Flag.INDEX_ROTATION, "hadamard",
            Flag.INDEX_SCORE_DTYPE, "bf16",
            Flag.INDEX_LOGITS, "gathered",
            Flag.KV_DTYPE, "fp8",
            Flag.ATTENTION_DECODE, "mma",
            Flag.HYPER_CONNECTION_DTYPE, "bf16",
            Flag.EXPERT_DTYPE, "bf16",
            Flag.ROUTED_SCALING, "separate");

    private final CheckReport report;
    private final Kernels tested;
    private final Kernels expected;

    FlagRows(CheckReport report, Kernels tested, Kernels expected) {
        this.report = report;
        this.tested = tested;
        this.expected = expected;
    }

    /** The rows of a model: a prompt, then {@code decoded} tokens of the decode stage, one a step. */
    void run(String model, Checkpoint checkpoint, int[] ids, int decoded) {
        PrecisionProfile base = PrecisionProfile.fp32(checkpoint.config().indexTopk());
        Map<PartialProfile, List<String>> variants = new LinkedHashMap<>();
        for (PartialProfile flags : settings(base, ids.length)) {
            PrecisionProfile profile = base.with(flags);
            String name = "flags." + model + "." + (flags.values().isEmpty() ? "fp32_all" : name(flags));
            Optional<String> refusal = tested.refusal(profile);
            if (refusal.isPresent()) {
                report.row(name, refusal.get(), "", "is not refused", false);
                continue;
            }
            int prompt = ids.length - decoded;
            Observed actual = observe(checkpoint, profile, tested, ids, prompt);
            Agreement agreement =
                    Agreement.between(observe(checkpoint, profile, expected, ids, prompt), actual, prompt);
            compare(name, agreement, bound(flags));
            variants.put(flags, actual.variants());
        }
        variantRows(model, variants);
    }

    private static Observed observe(
            Checkpoint checkpoint, PrecisionProfile profile, Kernels kernels, int[] ids, int prompt) {
        List<Integer> chunks = new ArrayList<>();
        for (int at = 0; at < prompt; at += profile.prefillChunk()) {
            chunks.add(Math.min(profile.prefillChunk(), prompt - at));
        }
        chunks.addAll(Collections.nCopies(ids.length - prompt, 1));
        return Observed.of(checkpoint, profile, kernels, ids, prompt, chunks);
    }

    private void compare(String name, Agreement agreement, double bound) {
        double median = Math.max(agreement.prefill(), agreement.decode());
        report.row(
                name + ".logits_nmse",
                median,
                "in the median position of prefill or decode, the larger; all positions: "
                        + String.format(Locale.ROOT, "%.1e", agreement.whole()),
                "at most " + bound + ", all positions " + WHOLE_BOUND,
                median <= bound && agreement.whole() <= WHOLE_BOUND);
        report.row(
                name + ".selections",
                agreement.equalSets(),
                "of " + agreement.sets() + " equal as sets, " + agreement.unexplained() + " differ beyond a tie",
                "all but ties with the cut",
                agreement.unexplained() == 0);
    }

    /** One value from fp32 each, then all reduced ones together. */
    private static List<PartialProfile> settings(PrecisionProfile base, int tokens) {
        Stream<PartialProfile> single = Arrays.stream(Flag.values())
                .filter(flag -> !flag.number() && flag != Flag.GRAPHS && flag != Flag.PREFIX_CACHE)
                .flatMap(flag -> flag.choices().stream()
                        .filter(value -> !value.equals(base.value(flag)))
                        .map(value -> PartialProfile.of(flag, value)));
        Stream<PartialProfile> numbers = Stream.of(
                PartialProfile.of(Flag.INDEX_TOPK, base.indexTopk() / 4 + 1),
                PartialProfile.of(Flag.INDEX_TOPK, tokens),
                PartialProfile.of(Flag.PREFILL_CHUNK, 37));
        return Stream.of(
                        Stream.of(PartialProfile.empty()),
                        single,
                        numbers,
                        Stream.of(new PartialProfile(
                                Map.of(Flag.INDEX_KEY_DTYPE, "fp8", Flag.INDEX_ROTATION, "hadamard"))),
                        Stream.of(new PartialProfile(ALL_REDUCED)))
                .flatMap(stream -> stream)
                .toList();
    }

    private static double bound(PartialProfile flags) {
        if (flags.values().equals(ALL_REDUCED)) {
            return TOGETHER_BOUND;
        }
        return flags.values().entrySet().stream().anyMatch(FlagRows::rounds) ? REDUCED_BOUND : FP32_BOUND;
    }

    private static boolean rounds(Map.Entry<Flag, String> flag) {
        return switch (flag.getKey()) {
            case INDEX_TOPK, INDEX_ROTATION, ROUTED_SCALING -> false;
            default -> flag.getKey().arithmetic();
        };
    }

    private static String name(PartialProfile flags) {
        return flags.values().equals(ALL_REDUCED)
                ? "everything_reduced"
                : flags.values().entrySet().stream()
                        .map(entry -> entry.getKey().key() + "=" + entry.getValue())
                        .collect(Collectors.joining("+"));
    }

    /** Two values of a flag are done by different kernels: the ids that the calls returned are not the same. */
    private void variantRows(String model, Map<PartialProfile, List<String>> variants) {
        List<String> base = variants.get(PartialProfile.empty());
        for (Flag flag : Flag.values()) {
            Map<String, List<String>> byValue = new LinkedHashMap<>();
            variants.forEach((flags, ids) -> {
                if (flags.values().size() == 1 && flags.values().containsKey(flag) && !flag.number()) {
                    byValue.put(flags.values().get(flag), ids);
                }
            });
            byValue.forEach((value, ids) -> {
                TreeSet<String> own = new TreeSet<>(ids);
                base.forEach(own::remove);
                // The form that a checkpoint stores is one of the others.
                boolean stored = value.equals(STORED);
                long alike = byValue.entrySet().stream()
                        .filter(other -> stored || !other.getKey().equals(STORED))
                        .filter(other -> other.getValue().equals(ids))
                        .count();
                report.row(
                        "flags." + model + "." + flag.key() + "=" + value + ".variants",
                        own.isEmpty() ? "those of fp32" : String.join(", ", own),
                        "",
                        stored ? "those of the stored form" : "differ from those of every other value",
                        stored ? alike > 1 || own.isEmpty() : !own.isEmpty() && alike == 1);
            });
        }
    }
}
