package dev.plumbline.model;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Turns conversations into token ids (spec section 5). Thread-safe. */
public final class ChatEncoding {
    private static final List<String> SPECIALS = List.of(
            ChatTemplate.BOS,
            ChatTemplate.EOS,
            ChatTemplate.USER,
            ChatTemplate.ASSISTANT,
            ChatTemplate.THINK,
            ChatTemplate.THINK_END);

    private final Tokenizer tokenizer;
    private final Map<String, Integer> ids = new HashMap<>();

    /**
     * Looks up the special tokens.
     *
     * @throws IllegalArgumentException naming a special token that the tokenizer lacks
     */
    public ChatEncoding(Tokenizer tokenizer) {
        this.tokenizer = tokenizer;
        SPECIALS.forEach(token -> ids.put(token, tokenizer.special(token)));
    }

    /**
     * The prompt for the next answer. Special tokens come from the layout only; message texts are ordinary text.
     *
     * @param messages in order; if the last is an assistant's, no new turn is opened
     */
    public int[] encode(List<ChatMessage> messages, ThinkingMode mode) {
        return ChatTemplate.layOut(messages, mode).stream()
                .flatMapToInt(part -> {
                    if (part instanceof PromptPart.Special special) {
                        return IntStream.of(ids.get(special.token()));
                    }
                    return IntStream.of(tokenizer.encode(((PromptPart.Text) part).text()));
                })
                .toArray();
    }

    /** The prompt as text, special tokens spelled out: for people and tests, not for encoding. */
    public static String render(List<ChatMessage> messages, ThinkingMode mode) {
        StringBuilder text = new StringBuilder();
        for (PromptPart part : ChatTemplate.layOut(messages, mode)) {
            text.append(part instanceof PromptPart.Special special ? special.token() : ((PromptPart.Text) part).text());
        }
        return text.toString();
    }

    /** A splitter for one completion generated in this mode. */
    public ReasoningSplitter splitter(ThinkingMode mode) {
        return new ReasoningSplitter(ids.get(ChatTemplate.THINK_END), mode == ThinkingMode.THINKING);
    }

    /** The token that begins what a user says; it comes from the layout only. */
    public int userTurn() {
        return ids.get(ChatTemplate.USER);
    }

    /** The token that ends an answer. */
    public int endOfSentence() {
        return ids.get(ChatTemplate.EOS);
    }
}
