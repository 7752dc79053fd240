package dev.plumbline.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * A compressed entry that holds something of a watched text. Entry e of a CSA layer pools its own window, the tokens
 * {@code ratio·e} to {@code ratio·e + ratio − 1}, and of the window before it a second series (spec 3.6).
 *
 * @param entry id of the entry
 * @param own whether a watched token lies in its own window; otherwise one lies in the window before only
 */
public record CoveredEntry(int entry, boolean own) {

    /**
     * The entries that hold something of these tokens, ascending, each once.
     *
     * @param ratio tokens per entry
     */
    public static List<CoveredEntry> of(List<TokenSpan> spans, int ratio) {
        TreeMap<Integer, Boolean> entries = new TreeMap<>();
        for (TokenSpan span : spans) {
            int last = (span.to() - 1) / ratio;
            for (int entry = span.from() / ratio; entry <= last; entry++) {
                entries.put(entry, true);
            }
            entries.putIfAbsent(last + 1, false);
        }
        List<CoveredEntry> covered = new ArrayList<>(entries.size());
        entries.forEach((entry, own) -> covered.add(new CoveredEntry(entry, own)));
        return List.copyOf(covered);
    }
}
