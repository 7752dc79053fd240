package dev.plumbline.engine;

import dev.plumbline.kernel.Batch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Continuous batching: a step takes the decode token of every running sequence and up to one chunk of waiting prompt,
 * oldest first, so a long prompt delays a running stream by at most one chunk. Runs on one thread.
 */
final class StepLoop implements AutoCloseable {
    private final Lane lane;
    private final SamplingBuffers sampling;
    private final LogProbabilityReader logProbabilities;
    private final StepTracer tracer;
    private final List<SequenceTrace> traces = new ArrayList<>();
    private final Deque<Sequence> waiting = new ArrayDeque<>();
    private final List<Sequence> running = new ArrayList<>();
    private final List<Sequence> sampled = new ArrayList<>();
    private final int[] sampledRows;
    private final int[] sampledIds;

    StepLoop(Lane lane, int maxSequences) {
        this.lane = lane;
        sampling = new SamplingBuffers(lane.kernels, maxSequences);
        logProbabilities = new LogProbabilityReader(lane.kernels, maxSequences, lane.config.vocabSize());
        tracer = new StepTracer(lane.kernels, lane.pools, lane.profile, lane.config.headDim());
        sampledRows = new int[maxSequences];
        sampledIds = new int[maxSequences];
    }

    void enqueue(Sequence sequence) {
        waiting.add(sequence);
    }

    boolean idle() {
        return waiting.isEmpty() && running.isEmpty();
    }

    int running() {
        return running.size();
    }

    int waiting() {
        return waiting.size();
    }

    /** Runs one step: drops what was cancelled, admits what fits, computes, samples, emits. */
    void step() {
        dropCancelled();
        admit();
        if (running.isEmpty()) {
            return;
        }
        try {
            compute();
        } catch (RuntimeException failure) {
            failRunning(failure);
            return;
        }
        emit();
    }

    private void dropCancelled() {
        waiting.removeIf(sequence -> {
            // Read once: a cancel between two reads would drop the sequence without telling its listener.
            boolean drop = sequence.cancelled();
            if (drop) {
                finish(sequence, FinishReason.CANCELLED);
            }
            return drop;
        });
        for (int i = running.size() - 1; i >= 0; i--) {
            if (running.get(i).cancelled()) {
                end(running.get(i), FinishReason.CANCELLED);
            }
        }
    }

    private void admit() {
        while (!waiting.isEmpty()) {
            SequenceCache room = lane.pools.lease(waiting.peek().tokensNeeded());
            if (room == null) {
                return;
            }
            Sequence sequence = waiting.remove();
            sequence.admitted(room);
            running.add(sequence);
        }
    }

    private void compute() {
        lane.batch.clear();
        sampling.clear();
        sampled.clear();
        traces.clear();
        int chunk = lane.profile.prefillChunk();
        boolean decodeOnly = true;
        for (Sequence sequence : running) {
            int tokens = Math.min(chunk, sequence.remainingPrompt());
            boolean decode = sequence.decoding();
            if (!decode && tokens == 0) {
                continue;
            }
            decodeOnly &= decode;
            int row = sequence.addTo(lane.batch, tokens);
            chunk -= decode ? 0 : tokens;
            if (sequence.trace() != null) {
                traces.add(sequence.trace());
            }
            if (row >= 0) {
                sampledRows[sampled.size()] = row;
                sampled.add(sequence);
                sequence.addTo(sampling);
            }
        }
        TapListener taps = tracer.of(traces);
        // What a record repeats transfers nothing, so an observed step runs as it is; the results are the same.
        boolean repeats = taps == TapListener.NONE && lane.profile.graphs() && lane.kernels.recordsRepeats();
        if (decodeOnly && repeats) {
            repeatDecode();
        } else {
            Batch batch = lane.batch.build();
            Activations a = lane.activations(batch.rows());
            lane.forward.run(batch, a, taps);
            if (!sampled.isEmpty()) {
                lane.forward.logits(a, headFor(sampled.size()));
            }
        }
        if (!sampled.isEmpty()) {
            sample();
        }
    }

    /** One token of every sequence, padded to a shape that comes again. */
    private void repeatDecode() {
        DecodeShape shape = DecodeShape.of(
                lane.batch.rows(), lane.batch.maxContext(), sampledRows.length, lane.pools.contextLimit());
        Batch batch = lane.batch.build(shape.rows(), shape.rows(), shape.context());
        Activations a = lane.activations(shape.rows());
        // Padding takes the logits of a row that exists; nobody reads them.
        Arrays.fill(sampledRows, sampled.size(), shape.rows(), 0);
        HeadActivations head = headFor(shape.rows());
        lane.kernels.repeat(shape, () -> {
            lane.forward.run(batch, a, TapListener.NONE);
            lane.forward.logits(a, head);
        });
    }

    private HeadActivations headFor(int rows) {
        HeadActivations head = lane.head.view(rows);
        lane.kernels.upload(sampledRows, 0, rows, head.rows(), 0);
        return head;
    }

    private void sample() {
        int n = sampled.size();
        HeadActivations head = lane.head.view(n);
        lane.forward.ran(lane.kernels.sample(head.logits(), sampling.build(), head.sampled()));
        lane.kernels.download(head.sampled(), 0, sampledIds, 0, n);
        if (sampled.stream().anyMatch(StepLoop::wantsLogProbabilities)) {
            lane.forward.ran(logProbabilities.read(head, n));
        }
    }

    private void emit() {
        running.forEach(Sequence::reportTrace);
        for (int i = 0; i < sampled.size(); i++) {
            Sequence sequence = sampled.get(i);
            TokenLogProbabilities wanted =
                    wantsLogProbabilities(sequence) ? logProbabilities.row(i, sequence.topLogProbabilities()) : null;
            FinishReason reason = sequence.accept(sampledIds[i], wanted);
            if (reason != null) {
                end(sequence, reason);
            }
        }
    }

    private static boolean wantsLogProbabilities(Sequence sequence) {
        return sequence.topLogProbabilities() != GenerationRequest.NO_LOG_PROBABILITIES;
    }

    private void end(Sequence sequence, FinishReason reason) {
        running.remove(sequence);
        lane.pools.release(sequence.cache());
        finish(sequence, reason);
    }

    private static void finish(Sequence sequence, FinishReason reason) {
        sequence.listener().onFinished(reason);
    }

    private void failRunning(RuntimeException failure) {
        for (Sequence sequence : List.copyOf(running)) {
            running.remove(sequence);
            lane.pools.release(sequence.cache());
            sequence.listener().onFailed(failure);
        }
    }

    /** Fails everything that runs or waits. */
    void failAll(RuntimeException failure) {
        failRunning(failure);
        while (!waiting.isEmpty()) {
            waiting.remove().listener().onFailed(failure);
        }
    }

    @Override
    public void close() {
        Resources.closeAll(List.of(sampling, logProbabilities, lane));
    }
}
