package dev.plumbline.conversation;

import java.util.LinkedHashMap;
import java.util.Map;

/** Text as PostgreSQL can hold it: U+0000 becomes two characters, the first of which is escaped in turn. */
public final class StoredText {
    private static final String ESCAPE = "\uFFFE";
    private static final String ESCAPED_ESCAPE = ESCAPE + "1";
    private static final String NUL = "\u0000";
    private static final String ESCAPED_NUL = ESCAPE + "0";

    private StoredText() {}

    /** The text as it is stored. */
    public static String encode(String text) {
        return text.replace(ESCAPE, ESCAPED_ESCAPE).replace(NUL, ESCAPED_NUL);
    }

    /** What {@link #encode} made a stored text of. */
    public static String decode(String stored) {
        return stored.replace(ESCAPED_NUL, NUL).replace(ESCAPED_ESCAPE, ESCAPE);
    }

    static Map<String, String> encode(Map<String, String> pairs) {
        Map<String, String> stored = new LinkedHashMap<>();
        pairs.forEach((key, value) -> stored.put(encode(key), encode(value)));
        return stored;
    }

    static Map<String, String> decode(Map<String, String> stored) {
        Map<String, String> pairs = new LinkedHashMap<>();
        stored.forEach((key, value) -> pairs.put(decode(key), decode(value)));
        return pairs;
    }
}
