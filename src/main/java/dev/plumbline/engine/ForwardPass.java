package dev.plumbline.engine;

import dev.plumbline.kernel.Batch;
import dev.plumbline.kernel.Entries;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.KeyTransform;
import dev.plumbline.kernel.Pool;
import dev.plumbline.kernel.Tensor;
import dev.plumbline.kernel.Variant;
import dev.plumbline.model.AttentionKind;
import dev.plumbline.model.ModelConfig;
import dev.plumbline.precision.PrecisionProfile;
import dev.plumbline.precision.RoutedScaling;
import java.util.HashSet;
import java.util.Set;

/**
 * The architecture, written once against {@link Kernels} (spec section 3). One instance serves one lane; one thread at
 * a time calls it.
 */
final class ForwardPass {
    private final ModelConfig config;
    private final PrecisionProfile profile;
    private final Kernels kernels;
    private final ModelWeights weights;
    private final CachePools pools;
    private final CacheTransforms transforms;
    private final Set<Variant> variants = new HashSet<>();

    ForwardPass(ModelConfig config, PrecisionProfile profile, Kernels kernels, ModelWeights weights, CachePools pools) {
        this.config = config;
        this.profile = profile;
        this.kernels = kernels;
        this.weights = weights;
        this.pools = pools;
        this.transforms = CacheTransforms.of(profile);
    }

    /** Kernel variants that have served so far; grows only. */
    Set<Variant> variants() {
        return variants;
    }

    /** Runs every layer over the batch: fills the caches and leaves {@code a.streams} [T, h, D]. */
    void run(Batch batch, Activations a, TapListener taps) {
        ran(kernels.embed(batch, weights.embedding, a.streams));
        ran(kernels.angles(batch, weights.mainFrequencies, a.mainAngles));
        ran(kernels.angles(batch, weights.compressFrequencies, a.compressAngles));
        if (pools.csaRatio() > 0) {
            ran(kernels.visible(batch, pools.csaRatio(), a.csaVisible));
        }
        if (pools.hcaRatio() > 0) {
            ran(kernels.visible(batch, pools.hcaRatio(), a.hcaVisible));
        }
        for (int i = 0; i < weights.layers.size(); i++) {
            layer(i, batch, a, taps);
        }
    }

    /**
     * Logits of the rows named by {@code head.rows} after {@link #run}, into {@code head.logits}.
     */
    void logits(Activations a, HeadActivations head) {
        ran(kernels.gatherRows(a.streams, head.rows(), head.streams()));
        ran(kernels.collapse(head.streams(), weights.headMix, head.collapsed()));
        ran(kernels.rmsNorm(head.collapsed(), weights.headNorm, config.rmsNormEps(), head.collapsed()));
        ran(kernels.linear(head.collapsed(), weights.head, head.logits()));
    }

    /** Notes the variant of a kernel that the engine called beside the forward pass. */
    void ran(Variant variant) {
        variants.add(variant);
    }

    private void layer(int index, Batch batch, Activations a, TapListener taps) {
        ModelWeights.Layer layer = weights.layers.get(index);
        ran(kernels.mix(a.streams, layer.attentionMix(), a.post, a.comb, a.collapsed));
        tap(taps, Tap.MIX_OUT, index, a.collapsed);
        ran(kernels.rmsNorm(a.collapsed, layer.attentionNorm(), config.rmsNormEps(), a.x));
        attention(index, layer, batch, a, taps);
        tap(taps, Tap.ATTENTION_OUT, index, a.y);
        ran(kernels.unmix(a.y, a.post, a.comb, a.streams));

        ran(kernels.mix(a.streams, layer.ffnMix(), a.post, a.comb, a.collapsed));
        ran(kernels.rmsNorm(a.collapsed, layer.ffnNorm(), config.rmsNormEps(), a.x));
        experts(index, layer.experts(), batch, a, taps);
        tap(taps, Tap.FFN_OUT, index, a.y);
        ran(kernels.unmix(a.y, a.post, a.comb, a.streams));
        tap(taps, Tap.STREAMS_OUT, index, a.streams);
    }

    private void attention(int index, ModelWeights.Layer layer, Batch batch, Activations a, TapListener taps) {
        ModelWeights.Attention w = layer.attention();
        CachePools.LayerCache cache = pools.layer(index);
        AttentionKind kind = layer.spec().attention();
        Tensor angles = kind == AttentionKind.SLIDING ? a.mainAngles : a.compressAngles;
        float eps = config.rmsNormEps();

        ran(kernels.linear(a.x, w.queryDown(), a.queryLow));
        ran(kernels.rmsNorm(a.queryLow, w.queryNorm(), eps, a.queryLow));
        ran(kernels.linear(a.queryLow, w.queryUp(), a.query.reshape(a.rows(), width(a.query))));
        ran(kernels.rmsNorm(a.query, null, eps, a.query));
        ran(kernels.rope(a.query, angles, false));
        ran(kernels.linear(a.x, w.keyValue(), a.keyRaw));
        ran(kernels.windowKeys(a.keyRaw, w.keyNorm(), eps, angles, transforms.window(), a.keys));

        Entries entries =
                switch (kind) {
                    case SLIDING -> null;
                    case HCA -> {
                        compress(
                                w.compressor(),
                                batch,
                                a,
                                batch.hcaPages(),
                                cache.state(),
                                cache.entries(),
                                transforms.entries());
                        yield new Entries(cache.entries(), batch.hcaPages(), null, a.hcaVisible);
                    }
                    case CSA -> {
                        compress(
                                w.compressor(),
                                batch,
                                a,
                                batch.csaPages(),
                                cache.state(),
                                cache.entries(),
                                transforms.entries());
                        select(index, w.indexer(), batch, a, cache, taps);
                        yield new Entries(cache.entries(), batch.csaPages(), a.selected, a.selectedCount);
                    }
                };
        Tensor logSumExp = taps.wants(Tap.LOG_SUM_EXP, index) ? a.logSumExp : null;
        float scale = (float) (1 / Math.sqrt(config.headDim()));
        ran(kernels.attention(
                batch,
                a.query,
                a.keys,
                cache.window(),
                entries,
                w.sinks(),
                scale,
                profile.attentionDecode(),
                a.attended,
                logSumExp));
        if (logSumExp != null) {
            taps.onTap(Tap.LOG_SUM_EXP, index, 0, logSumExp);
        }
        tap(taps, Tap.ATTENTION_QUERY, index, a.query);
        ran(kernels.appendRing(batch, a.keys, cache.window()));
        ran(kernels.rope(a.attended, angles, true));
        ran(kernels.groupedLinear(a.attended.reshape(a.rows(), width(a.attended)), w.outputDown(), a.outputLow));
        ran(kernels.linear(a.outputLow, w.outputUp(), a.y));
    }

    private void compress(
            ModelWeights.Compressor compressor,
            Batch batch,
            Activations a,
            Tensor pages,
            Tensor state,
            Pool pool,
            KeyTransform transform) {
        Tensor projected = a.projected(compressor.weights().projectedWidth());
        ran(kernels.linear(a.x, compressor.projection(), projected));
        ran(kernels.compress(batch, compressor.weights(), projected, state, pages, pool, transform, null));
        ran(kernels.appendRing(batch, projected, state));
    }

    private void select(
            int index,
            ModelWeights.Indexer w,
            Batch batch,
            Activations a,
            CachePools.LayerCache cache,
            TapListener taps) {
        compress(w.compressor(), batch, a, batch.csaPages(), cache.indexState(), cache.indexKeys(), transforms.index());
        int entries = Math.max(1, batch.maxContext() / pools.csaRatio());
        boolean wantScores = taps.wants(Tap.SCORES, index);
        // With no more candidates than the budget every one is selected, whatever its score.
        boolean score = wantScores || entries > profile.indexTopk();
        if (score) {
            ran(kernels.linear(a.queryLow, w.query(), a.indexQuery.reshape(a.rows(), width(a.indexQuery))));
            ran(kernels.rope(a.indexQuery, a.compressAngles, false));
            if (transforms.index() != KeyTransform.NONE) {
                ran(kernels.transform(a.indexQuery, transforms.index()));
            }
            ran(kernels.linear(a.x, w.headWeights(), a.indexWeights));
            tap(taps, Tap.INDEX_QUERY, index, a.indexQuery);
        }
        int tile = (int) Math.min(a.rows(), Math.max(1, a.scores.elements() / entries));
        for (int from = 0; from < a.rows(); from += tile) {
            int n = (int) Math.min(tile, a.rows() - from);
            Tensor scores = a.scores.rows(0, (long) n * entries).reshape(n, entries);
            if (score) {
                ran(kernels.indexScores(
                        batch,
                        from,
                        a.indexQuery,
                        a.indexWeights,
                        cache.indexKeys(),
                        batch.csaPages(),
                        a.csaVisible,
                        a.scoring,
                        scores));
            }
            if (wantScores) {
                taps.onTap(Tap.SCORES, index, from, scores);
            }
            ran(kernels.topK(
                    scores,
                    a.csaVisible.rows(from, from + n),
                    profile.topk(),
                    a.selected.rows(from, from + n),
                    a.selectedCount.rows(from, from + n)));
            if (taps.wants(Tap.SELECTION, index)) {
                taps.onTap(Tap.SELECTION, index, from, a.selected.rows(from, from + n));
            }
        }
    }

    private void experts(int index, ModelWeights.Experts w, Batch batch, Activations a, TapListener taps) {
        ran(kernels.linear(a.x, w.gate(), a.routerLogits));
        tap(taps, Tap.ROUTER_LOGITS, index, a.routerLogits);
        boolean fused = profile.routedScaling() == RoutedScaling.FUSED;
        float inWeights = fused ? config.routedScaling() : 1;
        Float ofSum = fused ? null : config.routedScaling();
        ran(kernels.route(batch, a.routerLogits, w.bias(), w.table(), inWeights, a.expertIds, a.expertWeights));
        ran(kernels.linear(a.x, w.sharedGateUp(), a.sharedGateUp));
        ran(kernels.swiglu(a.sharedGateUp, config.swigluLimit(), a.sharedHidden));
        ran(kernels.linear(a.sharedHidden, w.sharedDown(), a.y));
        ran(kernels.experts(
                batch, a.x, a.expertIds, a.expertWeights, w.gateUp(), w.down(), config.swigluLimit(), ofSum, a.y));
    }

    private static void tap(TapListener taps, Tap tap, int layer, Tensor value) {
        if (taps.wants(tap, layer)) {
            taps.onTap(tap, layer, 0, value);
        }
    }

    private static long width(Tensor perHead) {
        return perHead.dim(1) * perHead.dim(2);
    }
}
