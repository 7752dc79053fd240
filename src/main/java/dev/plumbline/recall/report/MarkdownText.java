package dev.plumbline.recall.report;

/**
 * Text of strangers in Markdown. Whatever could start markup, a link, a mention or a table cell becomes a character
 * reference, which CommonMark never takes for markup; line breaks become blanks.
 */
final class MarkdownText {
    private static final String MARKUP = "&<>`*~[]\\|#${}!";
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
        int[] points = text.codePoints().toArray();
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < points.length; i++) {
            int before = i == 0 ? ' ' : points[i - 1];
            int after = i + 1 == points.length ? ' ' : points[i + 1];
            out.append(escaped(before, points[i], after));
        }
        return out.toString();
    }

    private static String escaped(int before, int point, int after) {
        int type = Character.getType(point);
        if (Character.isWhitespace(point) || Character.isSpaceChar(point)) {
            return " ";
        }
        // Formats can turn the order of a line around; the rest cannot be shown.
        if (type == Character.CONTROL || type == Character.FORMAT || type == Character.SURROGATE) {
            return "\uFFFD";
        }
        return starts(before, point, after) ? "&#" + point + ";" : Character.toString(point);
    }

    /** Whether a character can start anything. Names of flags, versions and times stay readable. */
    private static boolean starts(int before, int point, int after) {
        return switch (point) {
            case '_', '@' -> !Character.isLetterOrDigit(before) || !Character.isLetterOrDigit(after);
            case ':' -> after == '/';
            case '.' -> before == 'w' || before == 'W';
            default -> MARKUP.indexOf(point) >= 0;
        };
    }
}
