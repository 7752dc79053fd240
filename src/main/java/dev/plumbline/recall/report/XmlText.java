package dev.plumbline.recall.report;

/** Text that XML 1.0 can carry; markup is escaped by the writer. */
final class XmlText {
    private static final int LAST_PLAIN = 0xFFFD;

    private XmlText() {}

    /** The text with U+FFFD for every character that XML forbids, even as a reference. */
    static String of(String text) {
        StringBuilder out = new StringBuilder();
        text.codePoints().forEach(point -> out.appendCodePoint(allowed(point) ? point : LAST_PLAIN));
        return out.toString();
    }

    private static boolean allowed(int point) {
        if (point < ' ') {
            return point == '\t' || point == '\n' || point == '\r';
        }
        boolean surrogate = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
        return !surrogate && (point <= LAST_PLAIN || Character.isSupplementaryCodePoint(point));
    }
}
