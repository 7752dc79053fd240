package dev.plumbline.recall.report;

import java.util.Locale;

/**
 * Text of strangers in Markdown. Whatever could start markup, a link, a mention or a table cell becomes a character
 * reference, which CommonMark never takes for markup; line breaks become blanks.
 */
final class MarkdownText {
    private static final String MARKUP = "&<>`*_~[]\\|@#$:{}!";
    private static final int LONGEST = 300;

    private MarkdownText() {}

    /** A text within a sentence. */
    static String plain(String text) {
        // A blank of no width keeps a mention from being one where references are already resolved.
        return escaped(text).replace("&#64;", "&#64;&#8203;");
    }

    /** A text as code; nothing for an empty one. */
    static String code(String text) {
        return text.isEmpty() ? "" : "<code>" + escaped(shortened(text)) + "</code>";
    }

    private static String shortened(String text) {
        if (text.codePointCount(0, text.length()) <= LONGEST) {
            return text;
        }
        return text.substring(0, text.offsetByCodePoints(0, LONGEST)) + "…";
    }

    private static String escaped(String text) {
        StringBuilder out = new StringBuilder();
        text.codePoints().forEach(point -> out.append(escaped(point, out)));
        return out.toString();
    }

    private static String escaped(int point, CharSequence before) {
        int type = Character.getType(point);
        if (Character.isWhitespace(point) || Character.isSpaceChar(point)) {
            return " ";
        }
        // Formats can turn the order of a line around; the rest cannot be shown.
        if (type == Character.CONTROL || type == Character.FORMAT || type == Character.SURROGATE) {
            return "\uFFFD";
        }
        boolean opensUrl =
                point == '.' && before.toString().toLowerCase(Locale.ROOT).endsWith("www");
        return opensUrl || MARKUP.indexOf(point) >= 0 ? "&#" + point + ";" : Character.toString(point);
    }
}
