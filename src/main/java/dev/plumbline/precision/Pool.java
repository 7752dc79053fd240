package dev.plumbline.precision;

import java.util.Locale;

/** What the memory of a context is spent on. */
public enum Pool {
    /** Uncompressed keys/values of the last tokens, in every layer. */
    WINDOW,
    /** Compressed keys/values of CSA layers. */
    CSA_ENTRIES,
    /** Compressed keys/values of HCA layers. */
    HCA_ENTRIES,
    /** Keys by which CSA layers select. */
    INDEX_KEYS,
    /** What the compressors of CSA layers and of their indexers keep until an entry is complete; always fp32. */
    CSA_STATE,
    /** The same of HCA layers. */
    HCA_STATE,
    /** Room for entries in the last pages that no token has filled yet. */
    PAGE_PADDING;

    /** Name as written in answers: {@code index_keys}. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
