package dev.plumbline.recall.sweep;

import dev.plumbline.recall.Family;

/**
 * Bounds that recall must keep.
 *
 * @param floor least recall; null for none
 * @param ceiling most recall; null for none
 */
public record Promise(Double floor, Double ceiling) {
    /** Nothing is promised. */
    public static final Promise NONE = new Promise(null, null);

    /** With one entry selected, recall must fall, or the budget would not matter. */
    public static final Promise AT_ONE_ENTRY = new Promise(null, 0.50);

    private static final int FULL_LENGTH = 8192;
    private static final int LONG_LENGTH = 16_384;

    /** What the embedded model promises at its own budget. */
    public static Promise ofEmbeddedModel(Family family, int length) {
        return switch (family) {
            case SINGLE, MANY_KEYS, REPEATED, EARLIER_TURN ->
                atLeast(length <= FULL_LENGTH ? 0.97 : length <= LONG_LENGTH ? 0.93 : 0.80);
            case SEVERAL_VALUES, ABSENT -> length <= FULL_LENGTH ? atLeast(0.85) : NONE;
        };
    }

    /** Whether a rate keeps both bounds. */
    public boolean keptBy(double recall) {
        return (floor == null || recall >= floor) && (ceiling == null || recall <= ceiling);
    }

    private static Promise atLeast(double floor) {
        return new Promise(floor, null);
    }
}
