package dev.plumbline.engine;

import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.IndexScoring;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.Pool;
import dev.plumbline.kernel.Tensor;
import dev.plumbline.model.AttentionKind;
import dev.plumbline.model.LayerSpec;
import dev.plumbline.model.ModelConfig;
import dev.plumbline.precision.IndexLogits;
import dev.plumbline.precision.PageFormat;
import dev.plumbline.precision.PrecisionProfile;
import dev.plumbline.precision.StorageType;
import java.util.ArrayList;
import java.util.List;

/**
 * The working memory of a step, allocated once for the most rows a step may have; {@link #view} narrows it. T rows.
 * Nothing here grows with queries × entries: scores are computed in tiles of {@link #scores} elements.
 */
final class Activations implements AutoCloseable {
    /** Tile of scores: small enough to stay in cache, large enough for every core to have rows. */
    private static final long SCORE_ELEMENTS = 1L << 20;
    /** Budget of gathered index keys. */
    private static final long GATHERED_BYTES = 8L << 20;

    /** [T, h, D]. */
    final Tensor streams;
    /** [T, h]. */
    final Tensor post;
    /** [T, h, h]. */
    final Tensor comb;
    /** [T, D] collapsed streams. */
    final Tensor collapsed;
    /** [T, D] normed input of attention or experts. */
    final Tensor x;
    /** [T, D] output of attention or experts. */
    final Tensor y;
    /** [T, q rank]. */
    final Tensor queryLow;
    /** [T, H, d]. */
    final Tensor query;
    /** [T, d] before norm and rotation. */
    final Tensor keyRaw;
    /** [T, d] in fp32, or in bf16, which also holds what the window keeps in fp8. */
    final Tensor keys;
    /** [T, H, d]. */
    final Tensor attended;
    /** [T, G · o rank]. */
    final Tensor outputLow;
    /** [T, H]. */
    final Tensor logSumExp;
    /** [T, R] each. */
    final Tensor mainAngles;

    final Tensor compressAngles;
    /** [T, 4d] or narrower, by compressor. */
    final Tensor projected;
    /** [T, index heads, index head dim]. */
    final Tensor indexQuery;
    /** [T, index heads]. */
    final Tensor indexWeights;
    /** Flat tile of scores. */
    final Tensor scores;
    /** How scores are computed; with pages to gather keys in where the profile says so. */
    final IndexScoring scoring;
    /** [T, budget]. */
    final Tensor selected;
    /** [T] each. */
    final Tensor selectedCount;

    final Tensor csaVisible;
    final Tensor hcaVisible;
    /** [T, E]. */
    final Tensor routerLogits;
    /** [T, k] each. */
    final Tensor expertIds;

    final Tensor expertWeights;
    /** [T, 2I]. */
    final Tensor sharedGateUp;
    /** [T, I]. */
    final Tensor sharedHidden;

    private final List<Tensor> owned = new ArrayList<>();
    private final long rows;

    Activations(ModelConfig c, PrecisionProfile profile, Kernels kernels, long rows, int maxContext) {
        this.rows = rows;
        int h = c.hcMult();
        int sharedWidth = c.sharedExperts() * c.moeIntermediate();
        long projectedWidth = 4L * Math.max(c.headDim(), c.indexHeadDim());
        Maker fp32 = dims -> own(kernels.allocate(DType.FP32, prepend(rows, dims)));
        Maker int32 = dims -> own(kernels.allocate(DType.INT32, prepend(rows, dims)));
        streams = fp32.make(h, c.hiddenSize());
        post = fp32.make(h);
        comb = fp32.make(h, h);
        collapsed = fp32.make(c.hiddenSize());
        x = fp32.make(c.hiddenSize());
        y = fp32.make(c.hiddenSize());
        queryLow = fp32.make(c.qLoraRank());
        query = fp32.make(c.heads(), c.headDim());
        keyRaw = fp32.make(c.headDim());
        keys = own(kernels.allocate(profile.kv() == StorageType.FP32 ? DType.FP32 : DType.BF16, rows, c.headDim()));
        attended = fp32.make(c.heads(), c.headDim());
        outputLow = fp32.make((long) c.oGroups() * c.oLoraRank());
        logSumExp = fp32.make(c.heads());
        mainAngles = fp32.make(c.ropeDims());
        compressAngles = fp32.make(c.ropeDims());
        projected = fp32.make(projectedWidth);
        indexQuery = fp32.make(c.indexHeads(), c.indexHeadDim());
        indexWeights = fp32.make(c.indexHeads());
        scores = own(kernels.allocate(DType.FP32, Math.max(SCORE_ELEMENTS, maxContext)));
        scoring = scoring(c, profile, kernels, maxContext);
        selected = int32.make(budget(c, profile, maxContext));
        selectedCount = int32.make();
        csaVisible = int32.make();
        hcaVisible = int32.make();
        routerLogits = fp32.make(c.routedExperts());
        expertIds = int32.make(c.expertsPerToken());
        expertWeights = fp32.make(c.expertsPerToken());
        sharedGateUp = fp32.make(2L * sharedWidth);
        sharedHidden = fp32.make(sharedWidth);
    }

    private IndexScoring scoring(ModelConfig config, PrecisionProfile profile, Kernels kernels, int maxContext) {
        DType type = profile.indexScores() == StorageType.BF16 ? DType.BF16 : DType.FP32;
        if (profile.indexLogits() == IndexLogits.PAGED) {
            return new IndexScoring(type, null);
        }
        PageFormat format = PageFormat.indexKeys(profile.indexKeys(), config.indexHeadDim());
        int most = Math.max(1, CachePools.pages(maxContext, csaRatio(config)));
        Pool gathered = Pool.allocate(kernels, format, Math.max(1, Math.min(most, GATHERED_BYTES / format.bytes())));
        own(gathered.data());
        return new IndexScoring(type, gathered);
    }

    private static int csaRatio(ModelConfig config) {
        return config.layers().stream()
                .filter(layer -> layer.attention() == AttentionKind.CSA)
                .mapToInt(LayerSpec::ratio)
                .findFirst()
                .orElse(0);
    }

    /** Columns of a selection: a budget beyond the entries that can exist selects the same ones in less room. */
    private static int budget(ModelConfig config, PrecisionProfile profile, int maxContext) {
        int entries = config.layers().stream()
                .filter(layer -> layer.attention() == AttentionKind.CSA)
                .mapToInt(layer -> Math.max(1, maxContext / layer.ratio()))
                .max()
                .orElse(1);
        return Math.min(profile.indexTopk(), entries);
    }

    private Activations(Activations all, long rows) {
        this.rows = rows;
        streams = all.streams.rows(0, rows);
        post = all.post.rows(0, rows);
        comb = all.comb.rows(0, rows);
        collapsed = all.collapsed.rows(0, rows);
        x = all.x.rows(0, rows);
        y = all.y.rows(0, rows);
        queryLow = all.queryLow.rows(0, rows);
        query = all.query.rows(0, rows);
        keyRaw = all.keyRaw.rows(0, rows);
        keys = all.keys.rows(0, rows);
        attended = all.attended.rows(0, rows);
        outputLow = all.outputLow.rows(0, rows);
        logSumExp = all.logSumExp.rows(0, rows);
        mainAngles = all.mainAngles.rows(0, rows);
        compressAngles = all.compressAngles.rows(0, rows);
        projected = all.projected.rows(0, rows);
        indexQuery = all.indexQuery.rows(0, rows);
        indexWeights = all.indexWeights.rows(0, rows);
        scores = all.scores;
        scoring = all.scoring;
        selected = all.selected.rows(0, rows);
        selectedCount = all.selectedCount.rows(0, rows);
        csaVisible = all.csaVisible.rows(0, rows);
        hcaVisible = all.hcaVisible.rows(0, rows);
        routerLogits = all.routerLogits.rows(0, rows);
        expertIds = all.expertIds.rows(0, rows);
        expertWeights = all.expertWeights.rows(0, rows);
        sharedGateUp = all.sharedGateUp.rows(0, rows);
        sharedHidden = all.sharedHidden.rows(0, rows);
    }

    /** The first {@code rows} rows of everything, sharing memory. */
    Activations view(long rows) {
        return new Activations(this, rows);
    }

    long rows() {
        return rows;
    }

    /** The projection buffer as [T, width]; the buffer is as wide as the widest compressor. */
    Tensor projected(int width) {
        return projected.reshape(projected.elements()).rows(0, rows * width).reshape(rows, width);
    }

    private Tensor own(Tensor tensor) {
        owned.add(tensor);
        return tensor;
    }

    private static long[] prepend(long rows, long[] dims) {
        long[] shape = new long[dims.length + 1];
        shape[0] = rows;
        System.arraycopy(dims, 0, shape, 1, dims.length);
        return shape;
    }

    @FunctionalInterface
    private interface Maker {
        Tensor make(long... dims);
    }

    @Override
    public void close() {
        owned.forEach(Tensor::close);
        owned.clear();
    }
}
