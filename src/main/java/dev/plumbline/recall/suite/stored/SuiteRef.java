package dev.plumbline.recall.suite.stored;

import dev.plumbline.document.DocumentException;
import dev.plumbline.document.Words;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which suite is meant.
 *
 * @param name its name
 * @param version its version; null means the latest
 */
public record SuiteRef(String name, Integer version) {
    /** What a reference may be, in words. */
    public static final String ALLOWED =
            "NAME, NAME/VERSION or NAME@VERSION; a name has 1 to 63 of a-z, 0-9 and hyphens, no hyphen at an end";

    private static final Pattern REFERENCE =
            Pattern.compile("([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)(?:[/@]([1-9][0-9]{0,8}))?");

    /** Reads {@code smoke}, {@code smoke/2} or {@code smoke@2}; empty if the text is none of them. */
    public static Optional<SuiteRef> of(String text) {
        Matcher parts = REFERENCE.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        return Optional.of(
                new SuiteRef(parts.group(1), parts.group(2) == null ? null : Integer.valueOf(parts.group(2))));
    }

    /**
     * The same.
     *
     * @param field where the text stands, for the refusal
     * @throws DocumentException if it cannot name a suite
     */
    public static SuiteRef parse(String field, String text) {
        return of(text).orElseThrow(() -> new DocumentException(
                field, "Invalid value for '" + field + "': '" + Words.shown(text) + "'; allowed: " + ALLOWED + "."));
    }

    @Override
    public String toString() {
        return version == null ? name : name + "/" + version;
    }
}
