package dev.plumbline.engine;

/**
 * The shape of a decode step that a backend may record: rows and context are rounded up, so that few shapes cover every
 * step.
 *
 * @param rows rows and sequences, padding included
 * @param context no position reaches this
 */
record DecodeShape(int rows, int context) {
    private static final int LEAST_CONTEXT = 256;

    /** The smallest shape that holds the step and stays within the limits. */
    static DecodeShape of(int rows, int context, int mostRows, int mostContext) {
        return new DecodeShape(
                Math.min(mostRows, powerOfTwo(rows)),
                Math.min(mostContext, powerOfTwo(Math.max(LEAST_CONTEXT, context))));
    }

    private static int powerOfTwo(int least) {
        int highest = Integer.highestOneBit(least);
        return highest == least || highest == 1 << 30 ? Math.max(least, highest) : 2 * highest;
    }
}
