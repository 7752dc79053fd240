package dev.plumbline.recall.suite;

import dev.plumbline.document.DocumentException;
import dev.plumbline.document.Words;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Where the needle that is asked about stands.
 *
 * @param label as suites spell it
 * @param depth share of the text's tokens before it, 0 to 1
 * @param kind whether it stands anywhere else too, and what may follow
 */
public record Placement(String label, double depth, Kind kind) {

    /** How a needle stands in the text. */
    public enum Kind {
        /** Once, at its depth. */
        ONCE,
        /** Once, within the last 30 tokens of the text. */
        IN_WINDOW,
        /** Eight times: at its depth and at seven others drawn at random. */
        REPEATED
    }

    private static final Map<String, Placement> NAMED = Map.of(
            "start", new Placement("start", 0, Kind.ONCE),
            "middle", new Placement("middle", 0.5, Kind.ONCE),
            "end", new Placement("end", 1, Kind.ONCE),
            "in-window", new Placement("in-window", 1, Kind.IN_WINDOW),
            "repeated", new Placement("repeated", 0.5, Kind.REPEATED));

    /**
     * Reads a placement: a name, or a number from 0 to 1.
     *
     * @throws DocumentException naming what is allowed
     */
    static Placement of(String field, Object value) {
        if (value instanceof Number number && number.doubleValue() >= 0 && number.doubleValue() <= 1) {
            return at(number.doubleValue());
        }
        Placement named = NAMED.get(String.valueOf(value));
        if (named == null) {
            throw new DocumentException(
                    field,
                    "Invalid value for '" + field + "': " + Words.shown(String.valueOf(value))
                            + "; allowed: start, middle, end, in-window, repeated, or a depth from 0 to 1.");
        }
        return named;
    }

    /** So many depths, evenly from the start to the end. */
    static List<Placement> spread(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> at(count == 1 ? 0.5 : (double) i / (count - 1)))
                .toList();
    }

    private static Placement at(double depth) {
        // Three digits tell 500 depths apart and keep labels readable.
        double rounded = Math.round(depth * 1000) / 1000.0;
        return new Placement(String.valueOf(rounded), rounded, Kind.ONCE);
    }

    /** As it is written in a suite. */
    Object document() {
        return NAMED.containsKey(label) ? label : (Object) depth;
    }
}
