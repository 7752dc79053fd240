package dev.plumbline.precision;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The flags of a precision profile, in the order of the flag table. */
public enum Flag {
    NUMERICS(
            true,
            Spelling.all(Numerics.values()),
            "hf computes what other implementations of the architecture compute; qat repeats the rotation and the"
                    + " rounding that the released weights were trained with, at a little extra work per stored entry."),
    LINEAR_DTYPE(
            true,
            Spelling.all(StorageType.FP32, StorageType.BF16),
            "Operands of the dense linears; sums are fp32 either way. fp32 doubles the memory of these weights and is"
                    + " much slower where the machine multiplies bf16 in hardware."),
    INDEX_KEY_DTYPE(
            true,
            Spelling.all(StorageType.values()),
            "Storage of the keys by which a query finds its entries; the query is rounded alike. Fewer bits mean more"
                    + " tokens in the same memory, and a selection that may miss what it should find."),
    INDEX_ROTATION(
            true,
            Spelling.all(IndexRotation.values()),
            "hadamard spreads outliers of index queries and keys over all dims before they are rounded. It costs one"
                    + " small transform per query and entry, and changes nothing in exact arithmetic."),
    INDEX_TOPK(
            true,
            1,
            "Budget: entries that a query may select. A larger one costs attention time and moves the length from"
                    + " which the selection matters."),
    INDEX_SCORE_DTYPE(
            true,
            Spelling.all(StorageType.FP32, StorageType.BF16),
            "Precision of an entry's score. bf16 is what a faster product would give; near scores become ties."),
    INDEX_LOGITS(
            false,
            Spelling.all(IndexLogits.values()),
            "paged reads index keys where they lie; gathered copies them first, within a stated budget. The scores are"
                    + " the same bits."),
    TOPK_BACKEND(
            false,
            Spelling.all(TopkAlgorithm.values()),
            "How the best entries are found: radix select, or a full sort as a reference. The same set, ties to the"
                    + " lower entry."),
    KV_DTYPE(
            true,
            Spelling.all(StorageType.FP32, StorageType.BF16, StorageType.FP8),
            "Storage of window and compressed keys/values. fp8 keeps the rotated dims in bf16 and nearly halves the"
                    + " rest against bf16."),
    ATTENTION_DECODE(
            true,
            Spelling.all(AttentionDecode.values()),
            "mma rounds query, keys, probabilities and values of generated tokens to bf16, for matrix units; scalar"
                    + " attends in fp32 and is slower."),
    HYPER_CONNECTION_DTYPE(
            true,
            Spelling.all(StorageType.FP32, StorageType.BF16),
            "Operands of the small products that mix the residual streams. bf16 is faster and rounds what every layer"
                    + " reads."),
    EXPERT_DTYPE(
            true,
            Spelling.all(ExpertType.values()),
            "Compute form of the routed experts: as stored, or converted. fp32 doubles their memory against bf16."),
    ROUTED_SCALING(
            true,
            Spelling.all(RoutedScaling.values()),
            "Where the routed scaling factor is applied: in the router's weights, or once to the sum of the experts."
                    + " It differs by rounding only."),
    PREFILL_CHUNK(
            false,
            1,
            "Most prompt tokens of one step. Larger chunks read prompts faster and let running answers wait longer."),
    GRAPHS(
            false,
            List.of("on", "off"),
            "Captures decode steps once and repeats them, on backends that can; not applicable on others."),
    PREFIX_CACHE(
            false,
            List.of("on", "off"),
            "Keeps the state of prompts so that the next one with the same beginning starts there; costs memory.");

    private final boolean arithmetic;
    private final List<String> choices;
    private final int least;
    private final String explanation;

    Flag(boolean arithmetic, List<String> choices, String explanation) {
        this.arithmetic = arithmetic;
        this.choices = List.copyOf(choices);
        this.least = 0;
        this.explanation = explanation;
    }

    Flag(boolean arithmetic, int least, String explanation) {
        this.arithmetic = arithmetic;
        this.choices = List.of();
        this.least = least;
        this.explanation = explanation;
    }

    /** Name as written in configs and requests: {@code index_key_dtype}. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Allowed values; empty for a number. */
    public List<String> choices() {
        return choices;
    }

    /** Whether the value is a whole number. */
    public boolean number() {
        return choices.isEmpty();
    }

    /** Allowed values for people: {@code fp32, bf16} or {@code 1 to 2147483647}. */
    public String allowed() {
        return number() ? least + " to " + Integer.MAX_VALUE : String.join(", ", choices);
    }

    /** What the flag is and what it costs, for people. */
    public String explanation() {
        return explanation;
    }

    /** Whether the value may change a result; the others only change speed or memory. */
    public boolean arithmetic() {
        return arithmetic;
    }

    /** The flag of that key. */
    public static Optional<Flag> byKey(String key) {
        return Arrays.stream(values()).filter(flag -> flag.key().equals(key)).findFirst();
    }

    /** Every key, for people. */
    public static String keys() {
        return Arrays.stream(values()).map(Flag::key).collect(Collectors.joining(", "));
    }

    /**
     * The value as profiles hold it, or nothing and one more fault. Numbers and booleans of YAML and JSON count as what
     * they stand for: {@code 512}, {@code true} for on.
     */
    Optional<String> read(Object raw, List<ProfileException.Fault> faults) {
        Optional<String> value = number() ? wholeNumber(raw) : choice(raw);
        if (value.isEmpty()) {
            faults.add(
                    new ProfileException.Fault(key(), key() + " is " + Spelling.echo(raw) + "; allowed: " + allowed()));
        }
        return value;
    }

    private Optional<String> choice(Object raw) {
        if (raw instanceof Boolean on && choices.contains("on")) {
            return Optional.of(on ? "on" : "off");
        }
        String text = String.valueOf(raw).strip().toLowerCase(Locale.ROOT);
        return choices.contains(text) ? Optional.of(text) : Optional.empty();
    }

    private Optional<String> wholeNumber(Object raw) {
        String text = String.valueOf(raw).strip();
        if (!text.matches("[0-9]{1,10}")) {
            return Optional.empty();
        }
        long number = Long.parseLong(text);
        return number >= least && number <= Integer.MAX_VALUE ? Optional.of(String.valueOf(number)) : Optional.empty();
    }
}
