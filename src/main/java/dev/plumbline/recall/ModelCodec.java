package dev.plumbline.recall;

import dev.plumbline.model.ChatEncoding;
import dev.plumbline.model.ChatMessage;
import dev.plumbline.model.ThinkingMode;
import dev.plumbline.model.Tokenizer;
import java.util.List;

/** A loaded model's own tokenizer and chat encoding; answers come without reasoning. */
public record ModelCodec(Tokenizer tokenizer, ChatEncoding encoding) implements PromptCodec {

    @Override
    public int[] encode(List<ChatMessage> turns) {
        return encoding.encode(turns, ThinkingMode.CHAT);
    }

    @Override
    public int countTokens(String text) {
        return tokenizer.encode(text).length;
    }

    /** The text of an answer. */
    public String decode(int[] tokens) {
        return tokenizer.decode(tokens);
    }
}
