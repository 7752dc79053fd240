package dev.plumbline.recall.suite;

import dev.plumbline.document.DocumentException;
import dev.plumbline.document.Words;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tokens of a prompt: a number, or relative to an edge of the model.
 *
 * @param factor of the edge; 0 for an absolute length
 * @param edge {@code window} or {@code budget}; empty for an absolute length
 * @param offset added to that
 */
public record Length(int factor, String edge, int offset) {
    private static final int MOST = 4 << 20;
    private static final Pattern ABSOLUTE = Pattern.compile("([1-9][0-9]{0,6})([KM]?)");
    private static final Pattern RELATIVE =
            Pattern.compile("(?:([1-9][0-9]{0,2})\\s*\\*\\s*)?(window|budget)(?:\\s*([+-])\\s*([0-9]{1,5}))?");

    /**
     * Reads {@code 4096}, {@code 4K}, {@code window}, {@code budget+1}, {@code 2*budget-1}.
     *
     * @throws DocumentException naming what is allowed
     */
    static Length of(String field, Object value) {
        String text = String.valueOf(value);
        Matcher absolute = ABSOLUTE.matcher(text);
        if (absolute.matches()) {
            long unit = absolute.group(2).isEmpty() ? 1 : absolute.group(2).equals("K") ? 1 << 10 : 1 << 20;
            long tokens = Long.parseLong(absolute.group(1)) * unit;
            if (tokens <= MOST) {
                return new Length(0, "", (int) tokens);
            }
        }
        Matcher relative = RELATIVE.matcher(text);
        if (relative.matches()) {
            int factor = relative.group(1) == null ? 1 : Integer.parseInt(relative.group(1));
            int offset = relative.group(4) == null ? 0 : Integer.parseInt(relative.group(4));
            return new Length(factor, relative.group(2), "-".equals(relative.group(3)) ? -offset : offset);
        }
        throw new DocumentException(
                field,
                "Invalid value for '" + field + "': " + Words.shown(text) + "; allowed: tokens from 1 to " + MOST
                        + ", such as 4096 or 4K, or relative to the model, such as window-1 or 2*budget+1.");
    }

    /**
     * The tokens for a model.
     *
     * @throws DocumentException if the model lacks the edge, or the length is not 1 or more
     */
    int at(Edges edges) {
        long tokens = offset + (long) factor * (edge.equals("budget") ? edges.budget() : edges.window());
        if (edge.equals("budget") && edges.budget() == 0) {
            throw new DocumentException(
                    "lengths", "A length is " + document() + ", but the model has no selection and thus no budget.");
        }
        if (tokens < 1 || tokens > MOST) {
            throw new DocumentException(
                    "lengths",
                    "A length is " + document() + ", which is " + tokens + " tokens for this model; allowed: 1 to "
                            + MOST + ".");
        }
        return (int) tokens;
    }

    /** As it is written in a suite. */
    Object document() {
        if (edge.isEmpty()) {
            return offset;
        }
        String times = factor == 1 ? "" : factor + "*";
        return times + edge + (offset == 0 ? "" : offset > 0 ? "+" + offset : String.valueOf(offset));
    }
}
