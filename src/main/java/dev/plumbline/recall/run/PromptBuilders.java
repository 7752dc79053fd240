package dev.plumbline.recall.run;

import dev.plumbline.recall.FillerSource;
import dev.plumbline.recall.PromptCodec;
import dev.plumbline.recall.SuitePromptBuilder;

/** Makes what builds the prompts of a run. */
final class PromptBuilders {
    private PromptBuilders() {}

    /** @param haystack the user's own text, or null for the built-in ones */
    static SuitePromptBuilder of(PromptCodec codec, String haystack) {
        return haystack == null
                ? SuitePromptBuilder.inHeldOutTexts(codec)
                : SuitePromptBuilder.in(FillerSource.of("haystack", haystack), codec);
    }
}
