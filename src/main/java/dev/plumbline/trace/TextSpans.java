package dev.plumbline.trace;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds texts in the tokens of a prompt, byte for byte: UTF-8 is self-synchronising, so that equal bytes are equal
 * characters wherever the tokens' borders lie. Tokens without bytes, the special ones, stand between texts: nothing is
 * found across them.
 */
public final class TextSpans {
    /** Stands for a token without bytes; no byte of UTF-8 has this value. */
    private static final byte BORDER = (byte) 0xFF;

    private final byte[] text;
    private final int length;
    /** Token of every byte of {@link #text}. */
    private final int[] tokenOf;

    /** @param tokens the bytes of each token of the prompt, empty for special tokens */
    public TextSpans(byte[][] tokens) {
        int size = 0;
        for (byte[] token : tokens) {
            size = Math.addExact(size, Math.max(1, token.length));
        }
        text = new byte[size];
        tokenOf = new int[size];
        int at = 0;
        for (int i = 0; i < tokens.length; i++) {
            byte[] bytes = tokens[i].length == 0 ? new byte[] {BORDER} : tokens[i];
            System.arraycopy(bytes, 0, text, at, bytes.length);
            Arrays.fill(tokenOf, at, at + bytes.length, i);
            at += bytes.length;
        }
        length = at;
    }

    /** Every place where {@code wanted} stands, overlapping ones included, in order; it must not be empty. */
    public List<TokenSpan> find(String wanted) {
        byte[] pattern = wanted.getBytes(StandardCharsets.UTF_8);
        int[] fallback = fallback(pattern);
        List<TokenSpan> spans = new ArrayList<>();
        int matched = 0;
        for (int i = 0; i < length; i++) {
            while (matched > 0 && text[i] != pattern[matched]) {
                matched = fallback[matched - 1];
            }
            matched += text[i] == pattern[matched] ? 1 : 0;
            if (matched == pattern.length) {
                TokenSpan span = new TokenSpan(tokenOf[i - matched + 1], tokenOf[i] + 1);
                if (spans.isEmpty() || !spans.get(spans.size() - 1).equals(span)) {
                    spans.add(span);
                }
                matched = fallback[matched - 1];
            }
        }
        return List.copyOf(spans);
    }

    /** For every prefix the length of its longest border, so that searching takes linear time whatever the text. */
    private static int[] fallback(byte[] pattern) {
        int[] border = new int[pattern.length];
        int matched = 0;
        for (int i = 1; i < pattern.length; i++) {
            while (matched > 0 && pattern[i] != pattern[matched]) {
                matched = border[matched - 1];
            }
            matched += pattern[i] == pattern[matched] ? 1 : 0;
            border[i] = matched;
        }
        return border;
    }
}
