package dev.plumbline.engine;

import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.Tensor;
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
     * @param pool [pages, {@link Kernels#PAGE_ENTRIES}, d]
     */
    float[] read(Kernels kernels, int layer, Tensor pool, int[] pages, int entry) {
        return rows.computeIfAbsent(new Key(layer, entry), key -> {
            float[] values = new float[Math.toIntExact(pool.dim(2))];
            long row = (long) pages[entry / Kernels.PAGE_ENTRIES] * Kernels.PAGE_ENTRIES + entry % Kernels.PAGE_ENTRIES;
            kernels.download(pool, row * values.length, values, 0, values.length);
            return values;
        });
    }
}
