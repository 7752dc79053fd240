package dev.plumbline.trace;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What became of one watched text for one query.
 *
 * @param entries the entries that hold something of it, ascending
 */
public record WatchTrace(List<EntryTrace> entries) {

    /** Copies the list. */
    public WatchTrace {
        entries = List.copyOf(entries);
    }

    /** How many of its entries were selected. */
    public int selected() {
        return (int) entries.stream().filter(EntryTrace::selected).count();
    }

    /** How many of its entries were candidates. */
    public int visible() {
        return (int) entries.stream().filter(EntryTrace::visible).count();
    }

    /** Its entry of the lowest rank, the lower id among equals; empty if none was a candidate. */
    public Optional<EntryTrace> best() {
        return entries.stream().filter(EntryTrace::visible).min(Comparator.comparingInt(EntryTrace::rank));
    }

    /** Share of the query's attention that its entries got together, mean over heads. */
    public double mass() {
        return entries.stream().mapToDouble(EntryTrace::mass).sum();
    }
}
