package dev.plumbline.precision;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * Bytes of the caches of one model under one profile. A sequence holds rings of a fixed size, the window and the
 * compressors' state, and pages of {@link RowFormat#PAGE_ROWS} entries that grow with its tokens. The engine allocates
 * exactly these bytes.
 *
 * @param architecture the model
 * @param keyValues rows of window and entries
 * @param indexKeys rows of index keys
 */
public record CacheLayout(Architecture architecture, RowFormat keyValues, RowFormat indexKeys) {
    private static final long STATE_BYTES = 4;

    /** The layout of a profile. */
    public static CacheLayout of(Architecture architecture, PrecisionProfile profile) {
        return new CacheLayout(
                architecture,
                RowFormat.keyValue(profile.kv(), architecture.headDim(), architecture.ropeDims()),
                RowFormat.indexKey(profile.indexKeys(), architecture.indexHeadDim()));
    }

    /** Bytes that a sequence holds whatever its length, by pool. */
    public Map<Pool, Long> sequenceBytes() {
        Architecture a = architecture;
        Map<Pool, Long> bytes = new EnumMap<>(Pool.class);
        bytes.put(Pool.WINDOW, (long) a.layers() * a.slidingWindow() * keyValues.bytes());
        // The open and the previous window of csaRatio tokens; values and gates of two overlapping series.
        long csaTokens = 2L * a.csaRatio();
        bytes.put(Pool.CSA_STATE, a.csaLayers() * csaTokens * 4 * (a.headDim() + a.indexHeadDim()) * STATE_BYTES);
        bytes.put(Pool.HCA_STATE, (long) a.hcaLayers() * a.hcaRatio() * 2 * a.headDim() * STATE_BYTES);
        return Collections.unmodifiableMap(bytes);
    }

    /** Bytes that one page of all CSA layers takes, keys included. */
    public long csaPageBytes() {
        return (long) architecture.csaLayers() * (keyValues.pageBytes() + indexKeys.pageBytes());
    }

    /** Bytes that one page of all HCA layers takes. */
    public long hcaPageBytes() {
        return (long) architecture.hcaLayers() * keyValues.pageBytes();
    }

    /** Pages of all CSA layers that {@code tokens} need. */
    public long csaPages(long tokens) {
        return pages(tokens, architecture.csaRatio());
    }

    /** Pages of all HCA layers that {@code tokens} need. */
    public long hcaPages(long tokens) {
        return pages(tokens, architecture.hcaRatio());
    }

    /** Bytes of a sequence of {@code tokens}, by pool; the values add up to what the engine sets aside for it. */
    public Map<Pool, Long> requestBytes(long tokens) {
        Architecture a = architecture;
        long csaEntries = a.csaRatio() == 0 ? 0 : tokens / a.csaRatio();
        long hcaEntries = a.hcaRatio() == 0 ? 0 : tokens / a.hcaRatio();
        Map<Pool, Long> bytes = new EnumMap<>(sequenceBytes());
        bytes.put(Pool.CSA_ENTRIES, a.csaLayers() * csaEntries * keyValues.bytes());
        bytes.put(Pool.HCA_ENTRIES, a.hcaLayers() * hcaEntries * keyValues.bytes());
        bytes.put(Pool.INDEX_KEYS, a.csaLayers() * csaEntries * indexKeys.bytes());
        long paged = csaPages(tokens) * csaPageBytes() + hcaPages(tokens) * hcaPageBytes();
        long filled = bytes.get(Pool.CSA_ENTRIES) + bytes.get(Pool.HCA_ENTRIES) + bytes.get(Pool.INDEX_KEYS);
        bytes.put(Pool.PAGE_PADDING, paged - filled);
        return Collections.unmodifiableMap(bytes);
    }

    private static long pages(long tokens, int ratio) {
        return ratio == 0 ? 0 : (tokens / ratio + RowFormat.PAGE_ROWS - 1) / RowFormat.PAGE_ROWS;
    }
}
