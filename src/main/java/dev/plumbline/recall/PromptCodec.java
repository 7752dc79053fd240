package dev.plumbline.recall;

import dev.plumbline.model.ChatMessage;
import java.util.List;

/** Measures prompts as the model under test does: messages to token ids. */
public interface PromptCodec {

    /** The whole prompt, ready for the answer. */
    int[] encode(List<ChatMessage> turns);

    /** Tokens of a text on its own. */
    int countTokens(String text);
}
