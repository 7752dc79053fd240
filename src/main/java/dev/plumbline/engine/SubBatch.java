package dev.plumbline.engine;

import dev.plumbline.kernel.Batch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * One lane's part of a step: takes rows of its sequences, then {@link #launch}es them, and once every lane's part is
 * launched {@link #collect}s what was sampled, which waits for the backend.
 */
final class SubBatch implements AutoCloseable {
    private final Lane lane;
    private final SamplingBuffers sampling;
    private final LogProbabilityReader logProbabilities;
    private final StepTracer tracer;
    private final List<SequenceTrace> traces = new ArrayList<>();
    private final List<Sequence> sampled = new ArrayList<>();
    private final int[] sampledRows;
    private final int[] sampledIds;
    private int promptRoom;
    private boolean decodeOnly;
    private HeadActivations head;

    /** Takes over a lane. */
    SubBatch(Lane lane, int maxSequences) {
        this.lane = lane;
        sampling = new SamplingBuffers(lane.kernels, maxSequences);
        logProbabilities = new LogProbabilityReader(lane.kernels, maxSequences, lane.config.vocabSize());
        tracer = new StepTracer(lane.kernels, lane.pools, lane.profile, lane.config.headDim());
        sampledRows = new int[maxSequences];
        sampledIds = new int[maxSequences];
        clear();
    }

    Lane lane() {
        return lane;
    }

    /** Ready for the next step. */
    void clear() {
        lane.batch.clear();
        sampling.clear();
        sampled.clear();
        traces.clear();
        promptRoom = lane.profile.prefillChunk();
        decodeOnly = true;
        head = null;
    }

    boolean isEmpty() {
        return lane.batch.rows() == 0;
    }

    /** Prompt tokens that still fit this part. */
    int promptRoom() {
        return promptRoom;
    }

    /** Prompt tokens of a sequence that one step may take. */
    int remaining(Sequence sequence) {
        return lane.prefixes == null
                ? sequence.remainingPrompt()
                : sequence.remainingChunk(lane.profile.prefillChunk());
    }

    /** Adds the decode token of a sequence, or as many tokens of its prompt. */
    void add(Sequence sequence, int promptTokens) {
        boolean decode = sequence.decoding();
        decodeOnly &= decode;
        int row = sequence.addTo(lane.batch, promptTokens);
        promptRoom -= decode ? 0 : promptTokens;
        if (sequence.trace() != null) {
            traces.add(sequence.trace());
        }
        if (row >= 0) {
            sampledRows[sampled.size()] = row;
            sampled.add(sequence);
            sequence.addTo(sampling);
        }
    }

    /** Computes and samples; may return before the backend is done. */
    void launch() {
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
            head = lane.head.view(sampled.size());
            lane.forward.ran(lane.kernels.sample(head.logits(), sampling.build(), head.sampled()));
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
        HeadActivations padded = headFor(shape.rows());
        lane.kernels.repeat(new Recording(lane, shape), () -> {
            lane.forward.run(batch, a, TapListener.NONE);
            lane.forward.logits(a, padded);
        });
    }

    /** What makes two decode steps the same calls on the same memory. */
    private record Recording(Lane lane, DecodeShape shape) {}

    private HeadActivations headFor(int rows) {
        HeadActivations view = lane.head.view(rows);
        lane.kernels.upload(sampledRows, 0, rows, view.rows(), 0);
        return view;
    }

    /** Brings what was sampled to the host. */
    void collect() {
        if (sampled.isEmpty()) {
            return;
        }
        int n = sampled.size();
        lane.kernels.download(head.sampled(), 0, sampledIds, 0, n);
        for (Sequence sequence : sampled) {
            if (wantsLogProbabilities(sequence)) {
                lane.forward.ran(logProbabilities.read(head, n));
                return;
            }
        }
    }

    /** Tells every sequence its token; {@code ended} gets those that end by it. */
    void emit(BiConsumer<Sequence, FinishReason> ended) {
        for (int i = 0; i < sampled.size(); i++) {
            Sequence sequence = sampled.get(i);
            TokenLogProbabilities wanted =
                    wantsLogProbabilities(sequence) ? logProbabilities.row(i, sequence.topLogProbabilities()) : null;
            FinishReason reason = sequence.accept(sampledIds[i], wanted);
            if (reason != null) {
                ended.accept(sequence, reason);
            }
        }
    }

    private static boolean wantsLogProbabilities(Sequence sequence) {
        return sequence.topLogProbabilities() != GenerationRequest.NO_LOG_PROBABILITIES;
    }

    @Override
    public void close() {
        AutoCloseable recordings =
                () -> lane.kernels.forget(key -> key instanceof Recording recording && recording.lane() == lane);
        Resources.closeAll(List.of(recordings, sampling, logProbabilities, lane));
    }
}
