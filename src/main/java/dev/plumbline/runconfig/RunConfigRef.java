package dev.plumbline.runconfig;

import dev.plumbline.document.Words;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which run config is meant.
 *
 * @param name its name
 * @param version its version; null means the latest
 */
public record RunConfigRef(String name, Integer version) {
    /** What a name may be, in words. */
    public static final String NAME_ALLOWED =
            "1 to 63 of a-z, 0-9, _ and -, the first a letter or digit; not diff, rollback, import or cost";

    /** What a reference may be, in words. */
    public static final String ALLOWED = "NAME or NAME@VERSION; a name has " + NAME_ALLOWED;

    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9_-]{0,62}");
    private static final Pattern REFERENCE = Pattern.compile("([^@]*)(?:@([1-9][0-9]{0,8}))?");
    /** Parts of the paths of the API. */
    private static final Set<String> RESERVED = Set.of("diff", "rollback", "import", "cost");

    /** Whether a text can be the name of a run config. */
    public static boolean isName(String text) {
        return NAME.matcher(text).matches() && !RESERVED.contains(text);
    }

    /**
     * Reads {@code NAME} or {@code NAME@VERSION}.
     *
     * @param field where the text stands, for the refusal
     * @throws RunConfigException if it is neither
     */
    public static RunConfigRef parse(String field, String text) {
        Matcher parts = REFERENCE.matcher(text);
        if (!parts.matches() || !isName(parts.group(1))) {
            throw new RunConfigException(
                    field, "Invalid value for '" + field + "': '" + Words.shown(text) + "'; allowed: " + ALLOWED + ".");
        }
        return new RunConfigRef(parts.group(1), parts.group(2) == null ? null : Integer.valueOf(parts.group(2)));
    }

    @Override
    public String toString() {
        return version == null ? name : name + "@" + version;
    }
}
