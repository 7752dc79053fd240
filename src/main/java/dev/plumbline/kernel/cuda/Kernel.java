package dev.plumbline.kernel.cuda;

/** The kernels of the contract, as launches are named in reports. */
enum Kernel {
    EMBED("embed"),
    ANGLES("angles"),
    VISIBLE("visible"),
    MIX("mix"),
    UNMIX("unmix"),
    COLLAPSE("collapse"),
    RMS_NORM("rmsNorm"),
    LINEAR("linear"),
    GROUPED_LINEAR("groupedLinear"),
    ROPE("rope"),
    TRANSFORM("transform"),
    WINDOW_KEYS("windowKeys"),
    APPEND_RING("appendRing"),
    COMPRESS("compress"),
    INDEX_SCORES("indexScores"),
    TOP_K("topK"),
    ATTENTION("attention"),
    ROUTE("route"),
    EXPERTS("experts"),
    SWIGLU("swiglu"),
    GATHER_ROWS("gatherRows"),
    SAMPLE("sample"),
    LOG_PROBABILITIES("logProbabilities");

    private static final Kernel[] ALL = values();
    private static final int BITS = 8;

    private final String title;

    Kernel(String title) {
        this.title = title;
    }

    /** Name in the contract. */
    String title() {
        return title;
    }

    /** A launch number that tells its kernel. */
    long number(long launch) {
        return launch << BITS | ordinal();
    }

    /** The kernel of a launch number. */
    static Kernel of(long number) {
        return ALL[(int) (number & ((1 << BITS) - 1))];
    }

    /** The launch of a launch number, counted from 1. */
    static long launchOf(long number) {
        return number >>> BITS;
    }
}
