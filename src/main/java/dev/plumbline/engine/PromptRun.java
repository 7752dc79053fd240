package dev.plumbline.engine;

import dev.plumbline.kernel.Batch;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.model.Checkpoint;
import dev.plumbline.precision.PrecisionProfile;
import dev.plumbline.trace.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Runs one prompt in chunks of given sizes and hands out the logits of every position: what parity is measured on.
 */
public final class PromptRun implements AutoCloseable {

    /** Receives the logits of a chunk. */
    @FunctionalInterface
    public interface LogitsListener {
        /**
         * Logits of consecutive positions.
         *
         * @param position position of the first row
         * @param rows number of rows
         * @param logits [rows, V]
         */
        void onLogits(int position, int rows, float[] logits);
    }

    private final Lane lane;
    private final Kernels kernels;
    private int decodeFrom = Integer.MAX_VALUE;

    /**
     * Loads a model for prompts of up to {@code maxTokens} tokens. The caller keeps {@code kernels} and closes it last.
     */
    public PromptRun(Checkpoint checkpoint, PrecisionProfile profile, Kernels kernels, int maxTokens) {
        this.kernels = kernels;
        int chunk = Math.min(maxTokens, profile.prefillChunk());
        EngineLimits limits = new EngineLimits(Math.max(2, maxTokens), 1, 1);
        // Every run begins with an empty cache.
        lane = new Lane(checkpoint, profile.withPrefixCache(false), kernels, limits, chunk, chunk);
    }

    /** Counts the positions from {@code position} on as sampled tokens: steps that start there are of the decode stage. */
    public PromptRun decodeFrom(int position) {
        decodeFrom = position;
        return this;
    }

    /** The sizes of a run in chunks of the profile's size. */
    public List<Integer> chunks(int tokens) {
        int chunk = lane.profile.prefillChunk();
        return IntStream.iterate(0, at -> at < tokens, at -> at + chunk)
                .mapToObj(at -> Math.min(chunk, tokens - at))
                .toList();
    }

    /**
     * Runs a prompt from an empty cache.
     *
     * @param ids token ids
     * @param chunks sizes of the steps, each at most the profile's prefill chunk, that add up to the prompt
     * @throws IllegalArgumentException if they do not, or a token is outside the vocabulary
     */
    public void run(int[] ids, List<Integer> chunks, TapListener taps, LogitsListener listener) {
        check(ids, chunks);
        SequenceCache cache = lane.pools.lease(ids.length);
        if (cache == null) {
            throw new IllegalArgumentException(ids.length + " tokens do not fit the run's context");
        }
        try {
            int at = 0;
            for (int chunk : chunks) {
                step(cache, ids, at, chunk, taps, listener);
                at += chunk;
            }
        } finally {
            lane.pools.release(cache);
        }
    }

    /** Kernel variants that have served so far, sorted. */
    public List<String> variants() {
        List<String> ids = new ArrayList<>();
        lane.forward.variants().forEach(variant -> ids.add(variant.id()));
        ids.sort(null);
        return ids;
    }

    private void check(int[] ids, List<Integer> chunks) {
        int largest = lane.profile.prefillChunk();
        for (int chunk : chunks) {
            if (chunk < 1 || chunk > largest) {
                throw new IllegalArgumentException(
                        "chunk is " + chunk + "; allowed: 1 to the profile's prefill_chunk, " + largest);
            }
        }
        int sum = chunks.stream().mapToInt(Integer::intValue).sum();
        if (sum != ids.length) {
            throw new IllegalArgumentException(
                    "chunks add up to " + sum + "; allowed: the number of ids, " + ids.length);
        }
        int vocabulary = lane.config.vocabSize();
        for (int i = 0; i < ids.length; i++) {
            if (ids[i] < 0 || ids[i] >= vocabulary) {
                throw new IllegalArgumentException(
                        "ids[" + i + "] is " + ids[i] + "; allowed: 0 to " + (vocabulary - 1));
            }
        }
    }

    private void step(SequenceCache cache, int[] ids, int at, int chunk, TapListener taps, LogitsListener listener) {
        lane.batch.clear();
        lane.batch.add(cache, at < decodeFrom ? Stage.PREFILL : Stage.DECODE, ids, at, chunk, at);
        Batch batch = lane.batch.build();
        Activations a = lane.activations(chunk);
        lane.forward.run(batch, a, taps);
        HeadActivations head = lane.head.view(chunk);
        int[] rows = IntStream.range(0, chunk).toArray();
        kernels.upload(rows, 0, chunk, head.rows(), 0);
        lane.forward.logits(a, head);
        float[] logits = new float[Math.multiplyExact(chunk, lane.config.vocabSize())];
        kernels.download(head.logits(), 0, logits, 0, logits.length);
        listener.onLogits(at, chunk, logits);
    }

    @Override
    public void close() {
        lane.close();
    }
}
