package dev.plumbline.engine;

import dev.plumbline.kernel.Batch;
import dev.plumbline.kernel.Tensor;
import dev.plumbline.trace.Stage;
import java.util.Arrays;

/**
 * Tries a new lane on its device with a short prompt and a few decode steps, in slices of about a decode step's work: its
 * logits must be finite, and every selection must be the highest of the scores it was made from.
 */
final class LaneSmoke {
    /** Beyond a window and a compressed entry of every kind. */
    private static final int PROMPT = 140;

    private static final int CHUNK = 8;
    private static final int DECODED = 4;

    private final LaneKey key;
    private final Lane lane;
    private final int[] tokens;
    private final int prompt;
    private final SequenceCache cache;
    private int done;

    LaneSmoke(LaneKey key, Lane lane) {
        this.key = key;
        this.lane = lane;
        int length = Math.min(PROMPT + DECODED, lane.pools.contextLimit());
        prompt = Math.max(1, length - DECODED);
        tokens = new int[length];
        for (int i = 0; i < length; i++) {
            // Far apart and without a pattern that a model could have learned.
            tokens[i] = (int) ((i * 2_654_435_761L >>> 7) % lane.config.vocabSize());
        }
        cache = lane.pools.lease(length);
    }

    /** How many calls of {@link #advance} a test takes. */
    static int steps(int maxContext, int prefillChunk) {
        int length = Math.min(PROMPT + DECODED, maxContext);
        int prompt = Math.max(1, length - DECODED);
        int chunk = Math.min(CHUNK, prefillChunk);
        return (prompt + chunk - 1) / chunk + length - prompt;
    }

    /**
     * Computes the next few tokens; whether there are more.
     *
     * @throws LaneSmokeException if the results are wrong
     */
    boolean advance() {
        int decodeOrChunk = done < prompt ? Math.min(Math.min(CHUNK, lane.profile.prefillChunk()), prompt - done) : 1;
        lane.batch.clear();
        Stage stage = done < prompt ? Stage.PREFILL : Stage.DECODE;
        lane.batch.add(cache, stage, tokens, done, decodeOrChunk, done);
        Batch batch = lane.batch.build();
        Activations a = lane.activations(batch.rows());
        lane.forward.run(batch, a, new SelectionCheck(key, lane, done));
        HeadActivations head = lane.head.view(1);
        lane.kernels.upload(new int[] {decodeOrChunk - 1}, 0, 1, head.rows(), 0);
        lane.forward.logits(a, head);
        requireFinite(head.logits());
        done += decodeOrChunk;
        return done < tokens.length;
    }

    private void requireFinite(Tensor logits) {
        float[] values = new float[Math.toIntExact(logits.elements())];
        lane.kernels.download(logits, 0, values, 0, values.length);
        for (int i = 0; i < values.length; i++) {
            if (!Float.isFinite(values[i])) {
                throw new LaneSmokeException(key, "the logit of token " + i + " is " + values[i]);
            }
        }
        if (values.length > 1
                && Arrays.stream(toDoubles(values)).distinct().limit(2).count() < 2) {
            throw new LaneSmokeException(key, "all logits are " + values[0]);
        }
    }

    private static double[] toDoubles(float[] values) {
        double[] wide = new double[values.length];
        Arrays.setAll(wide, i -> values[i]);
        return wide;
    }

    /** Gives the cache back; the lane has never seen a sequence. */
    void end() {
        lane.batch.clear();
        lane.pools.release(cache);
    }
}
