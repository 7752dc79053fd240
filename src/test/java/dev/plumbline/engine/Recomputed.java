package dev.plumbline.engine;

import dev.plumbline.kernel.Batch;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.Pool;
import dev.plumbline.kernel.Tensor;
import dev.plumbline.model.Checkpoint;
import dev.plumbline.model.ModelConfig;
import dev.plumbline.precision.AttentionDecode;
import dev.plumbline.precision.PrecisionProfile;
import dev.plumbline.precision.StorageType;
import dev.plumbline.trace.Stage;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Index scores and attention of every query of a generation, computed in fp64 by the formulas of the specification from
 * the queries and caches of a run: the prompt in one step, then token by token. Uses nothing of what traces are made of.
 */
final class Recomputed implements TapListener {
    private final Kernels kernels;
    private final ModelConfig config;
    private final PrecisionProfile profile;
    private final Map<Integer, Layer> layers = new HashMap<>();
    private final Map<Integer, float[]> sinks = new HashMap<>();
    private Lane lane;
    private SequenceCache cache;
    private Activations activations;
    private int promptTokens;

    /** fp32 copies of one layer's tensors: queries and window keys of every token, and the caches as they are last. */
    private record Layer(
            float[] indexQuery, float[] headWeights, float[] indexKeys, float[] query, float[] keys, float[] entries) {

        static Layer joined(Layer before, Layer after) {
            return new Layer(
                    join(before.indexQuery, after.indexQuery),
                    join(before.headWeights, after.headWeights),
                    after.indexKeys,
                    join(before.query, after.query),
                    join(before.keys, after.keys),
                    after.entries);
        }

        private static float[] join(float[] head, float[] tail) {
            float[] all = Arrays.copyOf(head, head.length + tail.length);
            System.arraycopy(tail, 0, all, head.length, tail.length);
            return all;
        }
    }

    private Recomputed(Kernels kernels, ModelConfig config, PrecisionProfile profile) {
        this.kernels = kernels;
        this.config = config;
        this.profile = profile;
    }

    static Recomputed of(Kernels kernels, PrecisionProfile profile, int prompt, int[] ids, int[] csaLayers) {
        try (Checkpoint checkpoint = Checkpoint.open(GoldenData.DIRECTORY);
                kernels) {
            Recomputed recomputed = new Recomputed(kernels, checkpoint.config(), profile);
            for (int layer : csaLayers) {
                float[] sink = new float[checkpoint.config().heads()];
                checkpoint.tensor("layers." + layer + ".attn.attn_sink").read(0, sink, 0, sink.length);
                recomputed.sinks.put(layer, sink);
            }
            recomputed.run(checkpoint, prompt, ids);
            return recomputed;
        }
    }

    private void run(Checkpoint checkpoint, int prompt, int[] ids) {
        promptTokens = prompt;
        int tokens = ids.length;
        EngineLimits limits = new EngineLimits(tokens, 1, 1);
        try (Lane only = new Lane(checkpoint, profile, kernels, limits, tokens, 1)) {
            lane = only;
            cache = lane.pools.lease(tokens);
            step(ids, 0, prompt, Stage.PREFILL);
            for (int at = prompt; at < tokens; at++) {
                step(ids, at, 1, Stage.DECODE);
            }
        }
    }

    private void step(int[] ids, int at, int count, Stage stage) {
        lane.batch.clear();
        lane.batch.add(cache, stage, ids, at, count, at);
        Batch batch = lane.batch.build();
        activations = lane.activations(count);
        lane.forward.run(batch, activations, this);
    }

    @Override
    public boolean wants(Tap tap, int layer) {
        return sinks.containsKey(layer) && (tap == Tap.SCORES || tap == Tap.ATTENTION_OUT);
    }

    @Override
    public void onTap(Tap tap, int layer, int firstRow, Tensor value) {
        if (tap == Tap.ATTENTION_OUT) {
            CachePools.LayerCache pools = lane.pools.layer(layer);
            layers.merge(
                    layer,
                    new Layer(
                            read(activations.indexQuery),
                            read(activations.indexWeights),
                            paged(pools.indexKeys()),
                            read(activations.query),
                            read(activations.keys),
                            paged(pools.entries())),
                    Layer::joined);
        }
    }

    private float[] read(Tensor tensor) {
        float[] values = new float[Math.toIntExact(tensor.elements())];
        kernels.download(tensor, 0, values, 0, values.length);
        return values;
    }

    private float[] paged(Pool pool) {
        int page = Kernels.PAGE_ENTRIES * pool.format().width();
        float[] all = new float[cache.csaPages().length * page];
        for (int i = 0; i < cache.csaPages().length; i++) {
            kernels.download(pool.data(), (long) cache.csaPages()[i] * page, all, i * page, page);
        }
        return all;
    }

    /** Score of every candidate of a query. */
    double[] scores(int layer, int position) {
        Layer of = layers.get(layer);
        int heads = config.indexHeads();
        int d = config.indexHeadDim();
        double[] scores = new double[(position + 1) / 4];
        for (int entry = 0; entry < scores.length; entry++) {
            for (int head = 0; head < heads; head++) {
                double dot = 0;
                for (int i = 0; i < d; i++) {
                    float q = of.indexQuery[(position * heads + head) * d + i];
                    dot += (double) (profile.indexKeys() == StorageType.BF16 ? bf16(q) : q)
                            * of.indexKeys[entry * d + i];
                }
                scores[entry] +=
                        of.headWeights[position * heads + head] * Math.max(0, dot) / Math.sqrt(heads) / Math.sqrt(d);
            }
        }
        return scores;
    }

    /** Share of attention per head that an entry got among window, selected entries and sink; 0 if not selected. */
    double[] shares(int layer, int position, int[] selected, int entry) {
        Layer of = layers.get(layer);
        int heads = config.heads();
        double[] shares = new double[heads];
        for (int head = 0; head < heads; head++) {
            double total = Math.exp(sinks.get(layer)[head]);
            for (int token = Math.max(0, position + 1 - config.slidingWindow()); token <= position; token++) {
                total += Math.exp(logit(of, head, position, of.keys, token));
            }
            double own = 0;
            for (int id : selected) {
                double weight = Math.exp(logit(of, head, position, of.entries, id));
                total += weight;
                own += id == entry ? weight : 0;
            }
            shares[head] = own / total;
        }
        return shares;
    }

    private double logit(Layer of, int head, int position, float[] keys, int row) {
        int d = config.headDim();
        boolean rounds = profile.attentionDecode() == AttentionDecode.MMA && position >= promptTokens;
        double dot = 0;
        for (int i = 0; i < d; i++) {
            float q = of.query[(position * config.heads() + head) * d + i];
            float k = keys[row * d + i];
            dot += rounds ? (double) bf16(q) * bf16(k) : (double) q * k;
        }
        return dot / Math.sqrt(d);
    }

    private static float bf16(float value) {
        int bits = Float.floatToIntBits(value);
        int rounded = bits + 0x7FFF + ((bits >>> 16) & 1);
        return Float.intBitsToFloat(rounded & 0xFFFF0000);
    }
}
