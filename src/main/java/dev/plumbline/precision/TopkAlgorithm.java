package dev.plumbline.precision;

/** Value of the flag {@code topk_backend}: algorithms that find the same set, the highest scores, ties to the lower id. */
public enum TopkAlgorithm {
    /** Exact radix select. */
    RADIX,
    /** Reference full sort. */
    SORT
}
