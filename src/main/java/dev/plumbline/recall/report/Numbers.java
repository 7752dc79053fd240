package dev.plumbline.recall.report;

import java.util.Locale;

/** Numbers as reports spell them, the same in every country. */
final class Numbers {
    private static final double PERCENT = 100;
    private static final double SMALLEST_SHOWN = 1e-4;

    private Numbers() {}

    /** A share as points of 100, such as {@code 12.5}. */
    static String points(double share) {
        return String.format(Locale.ROOT, "%.1f", share * PERCENT);
    }

    /** The same with its sign, such as {@code +12.5}; a zero has none. */
    static String signedPoints(double share) {
        String points = String.format(Locale.ROOT, "%+.1f", share * PERCENT);
        return points.matches("[+-]0\\.0") ? "0.0" : points;
    }

    /** A probability. */
    static String probability(double p) {
        return p < SMALLEST_SHOWN ? String.format(Locale.ROOT, "%.0e", p) : String.format(Locale.ROOT, "%.4f", p);
    }

    /** A score or margin; {@code -} if there is none. */
    static String score(double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%.4g", value) : "-";
    }

    /** A number, or null where JSON has no word for it. */
    static Double finite(double value) {
        return Double.isFinite(value) ? value : null;
    }
}
