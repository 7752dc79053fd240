package dev.plumbline.recall;

import java.util.List;
import java.util.Locale;

/**
 * What a fact is about.
 *
 * @param kind {@link #OBJECT} ("the secret code of the north gate") or {@link #SETTING} ("db.pool.max")
 * @param attribute what is told of an object; empty for a setting
 * @param pattern key with one placeholder per word
 * @param words the words of the key, in order
 */
record Subject(String kind, String attribute, String pattern, List<String> words) {
    static final String OBJECT = "object";
    static final String SETTING = "setting";

    /** Name of the word list that fills a placeholder. */
    static String wordList(String placeholder) {
        return placeholder.equalsIgnoreCase("s") ? "segment" : placeholder;
    }

    /** The key with its words. */
    String key() {
        String key = pattern;
        for (String word : words) {
            int open = key.indexOf('{');
            int close = key.indexOf('}');
            boolean capitals = key.startsWith("{S}", open);
            String spelled = capitals ? word.toUpperCase(Locale.ROOT) : word;
            key = key.substring(0, open) + spelled + key.substring(close + 1);
        }
        return key;
    }

    /** Fills a wording or a question. */
    String fill(String template, String value, String time) {
        return template.replace("{key}", key())
                .replace("{attribute}", attribute)
                .replace("{value}", value)
                .replace("{time}", time);
    }
}
