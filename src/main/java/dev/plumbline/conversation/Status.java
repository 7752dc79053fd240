package dev.plumbline.conversation;

import java.util.Locale;

/** How far an answer came. */
public enum Status {
    /** It is being generated. */
    IN_PROGRESS,
    /** It was generated to its end. */
    COMPLETE,
    /** It was cut by its client, an error or the end of the server. */
    INCOMPLETE;

    /** As it is stored and told. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Status of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
