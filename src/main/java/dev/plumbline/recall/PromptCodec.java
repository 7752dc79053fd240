package dev.plumbline.recall;

import dev.plumbline.model.ChatMessage;
import java.util.List;

/** Messages to token ids and back, as the model under test does it. */
public interface PromptCodec {

    /** The whole prompt, ready for the answer. */
    int[] encode(List<ChatMessage> turns);

    /** Tokens of a text on its own. */
    int countTokens(String text);

    /** The text of an answer. */
    String decode(int[] tokens);
}
