package dev.plumbline.engine;

import dev.plumbline.engine.EngineStatus.PoolStatus;
import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.Pool;
import dev.plumbline.kernel.Tensor;
import dev.plumbline.model.AttentionKind;
import dev.plumbline.model.LayerSpec;
import dev.plumbline.model.ModelConfig;
import dev.plumbline.precision.PageFormat;
import dev.plumbline.precision.PrecisionProfile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The caches of a lane: per layer a window ring, and where compressed a state ring and a paged pool of entries, and
 * where sparse the same again for index keys. Slots index the rings; page ids are shared by all layers of a kind.
 */
final class CachePools implements AutoCloseable {

    /** Caches of one layer; absent parts are null. */
    record LayerCache(Pool window, Tensor state, Pool entries, Tensor indexState, Pool indexKeys) {}

    private static final int[] NONE = new int[0];

    private final List<LayerCache> layers = new ArrayList<>();
    private final List<Tensor> owned = new ArrayList<>();
    private final Kernels kernels;
    private final FreeList slots;
    private final FreeList csaPages;
    private final FreeList hcaPages;
    private final int csaRatio;
    private final int hcaRatio;
    private final int contextLimit;
    private long ringBytes;
    private long csaBytes;
    private long hcaBytes;

    CachePools(ModelConfig config, PrecisionProfile profile, Kernels kernels, EngineLimits limits) {
        this.kernels = kernels;
        contextLimit = limits.maxContext();
        csaRatio = ratio(config, AttentionKind.CSA);
        hcaRatio = ratio(config, AttentionKind.HCA);
        slots = new FreeList(limits.maxSequences());
        csaPages = new FreeList(pages(limits, csaRatio));
        hcaPages = new FreeList(pages(limits, hcaRatio));
        try {
            for (LayerSpec layer : config.layers()) {
                layers.add(allocate(config, profile, layer));
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private static int ratio(ModelConfig config, AttentionKind kind) {
        return config.layers().stream()
                .filter(layer -> layer.attention() == kind)
                .mapToInt(LayerSpec::ratio)
                .findFirst()
                .orElse(0);
    }

    private LayerCache allocate(ModelConfig config, PrecisionProfile profile, LayerSpec layer) {
        int d = config.headDim();
        PageFormat ringFormat = PageFormat.keyValues(profile.kv(), config.slidingWindow(), d, config.ropeDims());
        Pool window = pool(ringFormat, slots.size());
        ringBytes += window.data().bytes();
        if (layer.attention() == AttentionKind.SLIDING) {
            return new LayerCache(window, null, null, null, null);
        }
        PageFormat format = PageFormat.keyValues(profile.kv(), PageFormat.ENTRIES, d, config.ropeDims());
        if (layer.attention() == AttentionKind.HCA) {
            Pool entries = pool(format, hcaPages.size());
            hcaBytes += entries.data().bytes();
            return new LayerCache(window, ring(layer.ratio(), 2 * d), entries, null, null);
        }
        int id = config.indexHeadDim();
        Pool entries = pool(format, csaPages.size());
        Pool keys = pool(PageFormat.indexKeys(profile.indexKeys(), id), csaPages.size());
        csaBytes += entries.data().bytes() + keys.data().bytes();
        return new LayerCache(window, ring(2 * layer.ratio(), 4 * d), entries, ring(2 * layer.ratio(), 4 * id), keys);
    }

    private Tensor ring(int tokens, int width) {
        Tensor ring = own(kernels.allocate(DType.FP32, slots.size(), tokens, width));
        ringBytes += ring.bytes();
        return ring;
    }

    private Pool pool(PageFormat format, int pages) {
        Pool pool = Pool.allocate(kernels, format, pages);
        own(pool.data());
        return pool;
    }

    private Tensor own(Tensor tensor) {
        owned.add(tensor);
        return tensor;
    }

    List<LayerCache> layers() {
        return List.copyOf(layers);
    }

    LayerCache layer(int index) {
        return layers.get(index);
    }

    /** The index keys of one layer; those of all layers are alike. */
    Optional<Pool> indexKeys() {
        return layers.stream()
                .map(LayerCache::indexKeys)
                .filter(Objects::nonNull)
                .findFirst();
    }

    /** Most tokens of a sequence. */
    int contextLimit() {
        return contextLimit;
    }

    /** Tokens per CSA entry, 0 without such layers. */
    int csaRatio() {
        return csaRatio;
    }

    /** Tokens per HCA entry, 0 without such layers. */
    int hcaRatio() {
        return hcaRatio;
    }

    /** Pages that {@code tokens} fill at a ratio. */
    static int pages(int tokens, int ratio) {
        if (ratio == 0) {
            return 0;
        }
        int entries = tokens / ratio;
        return (entries + Kernels.PAGE_ENTRIES - 1) / Kernels.PAGE_ENTRIES;
    }

    private static int pages(EngineLimits limits, int ratio) {
        long pages = (long) limits.maxSequences() * pages(limits.maxContext(), ratio);
        if (pages > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("max_sequences " + limits.maxSequences() + " of max_context "
                    + limits.maxContext() + " need " + pages + " pages; allowed: up to " + Integer.MAX_VALUE);
        }
        return (int) pages;
    }

    /** Pages that the entries of {@code tokens} fill to the last row. */
    int wholePages(int tokens, int ratio) {
        return ratio == 0 ? 0 : tokens / ratio / Kernels.PAGE_ENTRIES;
    }

    int maxSequences() {
        return slots.size();
    }

    boolean hasSlot() {
        return slots.free() > 0;
    }

    /** Takes room for a sequence of up to {@code tokens}, or returns null when it must wait. */
    SequenceCache lease(int tokens) {
        return lease(tokens, null);
    }

    /** The same, sharing the whole pages of a beginning unless that is null; its last page, if in part, is to be copied. */
    SequenceCache lease(int tokens, Snapshot beginning) {
        int length = beginning == null ? 0 : beginning.length();
        int sharedCsa = wholePages(length, csaRatio);
        int sharedHca = wholePages(length, hcaRatio);
        int csa = pages(tokens, csaRatio) - sharedCsa;
        int hca = pages(tokens, hcaRatio) - sharedHca;
        if (!hasSlot() || csaPages.free() < csa || hcaPages.free() < hca) {
            return null;
        }
        return new SequenceCache(
                slots.take(1)[0],
                lease(csaPages, beginning == null ? NONE : beginning.csaPages(), sharedCsa, csa),
                lease(hcaPages, beginning == null ? NONE : beginning.hcaPages(), sharedHca, hca),
                length);
    }

    private static int[] lease(FreeList pages, int[] beginning, int shared, int fresh) {
        int[] all = Arrays.copyOf(beginning, shared + fresh);
        pages.hold(Arrays.copyOf(beginning, shared));
        System.arraycopy(pages.take(fresh), 0, all, shared, fresh);
        return all;
    }

    /** Keeps the pages of a beginning beyond the sequence that has them. */
    void keep(Snapshot snapshot) {
        csaPages.keep(snapshot.csaPages());
        hcaPages.keep(snapshot.hcaPages());
    }

    void letGo(Snapshot snapshot) {
        csaPages.letGo(snapshot.csaPages());
        hcaPages.letGo(snapshot.hcaPages());
    }

    /** Gives a sequence's room back. */
    void release(SequenceCache cache) {
        slots.give(cache.slot());
        csaPages.give(cache.csaPages());
        hcaPages.give(cache.hcaPages());
    }

    /** One line per pool. */
    List<PoolStatus> status() {
        List<PoolStatus> pools = new ArrayList<>();
        pools.add(status("rings", ringBytes, slots));
        if (csaRatio > 0) {
            pools.add(status("csa-pages", csaBytes, csaPages));
        }
        if (hcaRatio > 0) {
            pools.add(status("hca-pages", hcaBytes, hcaPages));
        }
        return List.copyOf(pools);
    }

    /** Bytes of all pools. */
    long bytes() {
        return ringBytes + csaBytes + hcaBytes;
    }

    private static PoolStatus status(String name, long bytes, FreeList units) {
        long each = units.size() == 0 ? 0 : bytes / units.size();
        // Pages that only the prefix cache keeps make room whenever a sequence wants it.
        long used = each * units.held();
        return new PoolStatus(name, bytes, used, bytes - used);
    }

    @Override
    public void close() {
        owned.forEach(Tensor::close);
        owned.clear();
    }
}
