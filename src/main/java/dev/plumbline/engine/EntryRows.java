package dev.plumbline.engine;

import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.Pool;
import java.util.LinkedHashMap;
import java.util.Map;

/** Compressed entries of one sequence on the host. An entry never changes once it is stored, so each is read once. */
final class EntryRows {
    private static final int MOST = 1024;

    private record Key(int layer, int entry) {}

    private final Map<Key, float[]> rows = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, float[]> eldest) {
            return size() > MOST;
        }
    };

    /**
     * Values of an entry.
     *
     * @param pool pages of {@link Kernels#PAGE_ENTRIES} rows
     */
    float[] read(Kernels kernels, int layer, Pool pool, int[] pages, int entry) {
        int page = pages[entry / Kernels.PAGE_ENTRIES];
        return rows.computeIfAbsent(
                new Key(layer, entry), key -> pool.readRow(kernels, page, entry % Kernels.PAGE_ENTRIES));
    }
}
