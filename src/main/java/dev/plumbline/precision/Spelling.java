package dev.plumbline.precision;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** How people write the constants of an enum: in lower case. */
final class Spelling {
    private static final int LONGEST_ECHO = 60;

    private Spelling() {}

    static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    static List<String> all(Enum<?>... constants) {
        return Arrays.stream(constants).map(Spelling::of).toList();
    }

    static <E extends Enum<E>> E parse(Class<E> type, String spelled) {
        return Enum.valueOf(type, spelled.toUpperCase(Locale.ROOT));
    }

    /** What a stranger wrote, fit for one line of a message. */
    static String echo(Object written) {
        String text = String.valueOf(written).replaceAll("\\p{Cntrl}", "?");
        return text.length() <= LONGEST_ECHO ? text : text.substring(0, LONGEST_ECHO) + "...";
    }
}
