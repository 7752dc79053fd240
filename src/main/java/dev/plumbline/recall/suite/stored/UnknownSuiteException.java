package dev.plumbline.recall.suite.stored;

import dev.plumbline.document.NearNames;
import java.util.List;

/** No suite has the name, or the name has no such version; the message has what there is. */
public final class UnknownSuiteException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int MOST_SHOWN = 20;

    /** {@code versions} are those of the name. */
    UnknownSuiteException(SuiteRef ref, List<String> names, List<Integer> versions) {
        super(words(ref, names, versions), null, false, false);
    }

    private static String words(SuiteRef ref, List<String> names, List<Integer> versions) {
        if (!versions.isEmpty()) {
            return "The suite '" + ref.name() + "' has no version " + ref.version() + "; it has: "
                    + shown(versions.stream().map(String::valueOf).toList()) + ".";
        }
        List<String> near = NearNames.of(ref.name(), names);
        return "No suite '" + ref.name() + "' exists"
                + (near.isEmpty() ? "" : "; near it are: " + String.join(", ", near))
                + (names.isEmpty() ? "; there is none yet." : "; there are: " + shown(names) + ".");
    }

    private static String shown(List<String> all) {
        String first = String.join(", ", all.subList(0, Math.min(all.size(), MOST_SHOWN)));
        return all.size() > MOST_SHOWN ? first + " and " + (all.size() - MOST_SHOWN) + " more" : first;
    }
}
