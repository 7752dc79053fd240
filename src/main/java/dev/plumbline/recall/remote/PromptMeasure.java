package dev.plumbline.recall.remote;

import dev.plumbline.recall.ModelCodec;
import dev.plumbline.recall.PromptCodec;
import dev.plumbline.target.NativeTarget;

/**
 * How the lengths of prompts are measured.
 *
 * @param name equal names give equal prompts
 * @param codec measures them
 * @param tokens whether the codec's tokens are those of the model hosted here
 */
public record PromptMeasure(String name, PromptCodec codec, boolean tokens) {
    /** Begins the name of a measure by the tokenizer of a model, whose hash follows. */
    public static final String TOKENIZER = "tokenizer of ";

    private static final String UNKNOWN = "not measured: ";
    private static final double ROUGH_TOKENS_PER_CHARACTER = 0.25;

    /** The hosted model's own. */
    static PromptMeasure of(NativeTarget hosted) {
        return new PromptMeasure(
                TOKENIZER + hosted.model().hash(), new ModelCodec(hosted.tokenizer(), hosted.encoding()), true);
    }

    static PromptMeasure of(CalibratedCodec codec) {
        return new PromptMeasure(codec.measure(), codec, false);
    }

    /** For a server that could not be asked: prompts of about the lengths, which nobody will see. */
    static PromptMeasure unknown(String reason) {
        return new PromptMeasure(UNKNOWN + reason, rough(), false);
    }

    /** What prompts are built by before anything is known of a server. */
    static CalibratedCodec rough() {
        return CalibratedCodec.of(ROUGH_TOKENS_PER_CHARACTER, 0, 0);
    }

    /**
     * The measure of a run that exists, to ask the same prompts again.
     *
     * @param hosted null while no model is loaded
     * @throws TargetException if its prompts cannot be made here
     */
    public static PromptMeasure named(String name, NativeTarget hosted) {
        if (hosted != null && name.equals(TOKENIZER + hosted.model().hash())) {
            return of(hosted);
        }
        if (name.startsWith(UNKNOWN)) {
            return unknown(name.substring(UNKNOWN.length()));
        }
        return CalibratedCodec.parse(name)
                .map(PromptMeasure::of)
                .orElseThrow(() -> new TargetException(
                        "prompts_of",
                        "The prompts of that run were measured by the '" + name + "', which this server does not host;"
                                + " allowed: a run whose prompts can be made here."));
    }

    /** Why the server could not be measured; empty if it was. */
    String failure() {
        return name.startsWith(UNKNOWN) ? name.substring(UNKNOWN.length()) : "";
    }
}
