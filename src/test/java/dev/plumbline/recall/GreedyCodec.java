package dev.plumbline.recall;

import dev.plumbline.model.ChatMessage;
import dev.plumbline.model.ChatMessage.Role;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tokens that run over line breaks, so that a text has fewer tokens than its lines: what large tokenizers do. */
final class GreedyCodec implements PromptCodec {
    private static final Pattern TOKEN =
            Pattern.compile(" ?\\p{L}{1,5}|\\p{N}{1,3}|[^\\S\\n]*\\n+|\\s+|.", Pattern.DOTALL);
    private static final int BEGIN = 0;
    private static final int USER = 1;
    private static final int ASSISTANT = 2;
    private static final int END = 3;

    private final Map<String, Integer> ids = new LinkedHashMap<>();

    GreedyCodec() {
        List.of("<begin>", "<user>", "<assistant>", "<end>").forEach(this::id);
    }

    @Override
    public int[] encode(List<ChatMessage> turns) {
        List<Integer> tokens = new ArrayList<>(List.of(BEGIN));
        for (ChatMessage turn : turns) {
            tokens.add(turn.role() == Role.USER ? USER : ASSISTANT);
            tokens.addAll(tokens(turn.content()));
            tokens.add(END);
        }
        tokens.add(ASSISTANT);
        return tokens.stream().mapToInt(Integer::intValue).toArray();
    }

    @Override
    public int countTokens(String text) {
        return tokens(text).size();
    }

    private List<Integer> tokens(String text) {
        List<Integer> tokens = new ArrayList<>();
        Matcher matcher = TOKEN.matcher(text);
        while (matcher.find()) {
            tokens.add(id(matcher.group()));
        }
        return tokens;
    }

    private int id(String token) {
        return ids.computeIfAbsent(token, unseen -> ids.size());
    }
}
