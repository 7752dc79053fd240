package dev.plumbline.model;

/** How a layer sees the context beyond its sliding window. */
public enum AttentionKind {
    /** Sliding window only. */
    SLIDING,
    /** Compressed sparse attention: overlapping entries, the indexer selects at most {@code index_topk} of them. */
    CSA,
    /** Heavily compressed attention: entries without overlap, every visible entry takes part. */
    HCA
}
