package dev.plumbline.engine;

import dev.plumbline.kernel.Batch;
import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.Tensor;
import dev.plumbline.trace.Stage;
import java.util.Arrays;

/** Collects the runs of a step on the host and brings them to the device as one {@link Batch}. */
final class BatchBuilder implements AutoCloseable {
    private final Kernels kernels;
    private final Tensor tokens;
    private final Tensor positions;
    private final Tensor sequenceOf;
    private final Tensor firstRow;
    private final Tensor slots;
    private final Tensor stages;
    private final PageTable csa;
    private final PageTable hca;

    private final int[] hostTokens;
    private final int[] hostPositions;
    private final int[] hostSequenceOf;
    private final int[] hostFirstRow;
    private final int[] hostSlots;
    private final int[] hostStages;
    private final SequenceCache[] caches;
    private int rows;
    private int sequences;
    private int maxContext;

    BatchBuilder(Kernels kernels, CachePools pools, int maxRows, int maxSequences, int contextLimit) {
        this.kernels = kernels;
        tokens = kernels.allocate(DType.INT32, maxRows);
        positions = kernels.allocate(DType.INT32, maxRows);
        sequenceOf = kernels.allocate(DType.INT32, maxRows);
        firstRow = kernels.allocate(DType.INT32, maxSequences + 1);
        slots = kernels.allocate(DType.INT32, maxSequences);
        stages = kernels.allocate(DType.INT32, maxRows);
        csa = PageTable.of(kernels, pools.csaRatio(), maxSequences, contextLimit, SequenceCache::csaPages);
        hca = PageTable.of(kernels, pools.hcaRatio(), maxSequences, contextLimit, SequenceCache::hcaPages);
        hostTokens = new int[maxRows];
        hostPositions = new int[maxRows];
        hostSequenceOf = new int[maxRows];
        hostFirstRow = new int[maxSequences + 1];
        hostSlots = new int[maxSequences];
        hostStages = new int[maxRows];
        caches = new SequenceCache[maxSequences];
    }

    void clear() {
        rows = 0;
        sequences = 0;
        maxContext = 0;
    }

    int rows() {
        return rows;
    }

    /** No position that was added reaches this. */
    int maxContext() {
        return maxContext;
    }

    /**
     * Adds the tokens {@code source[from .. from + count)} of one sequence, the first at position {@code position}.
     *
     * @return the row of the last of them
     */
    int add(SequenceCache cache, Stage stage, int[] source, int from, int count, int position) {
        hostFirstRow[sequences] = rows;
        hostSlots[sequences] = cache.slot();
        caches[sequences] = cache;
        for (int i = 0; i < count; i++, rows++) {
            hostTokens[rows] = source[from + i];
            hostPositions[rows] = position + i;
            hostSequenceOf[rows] = sequences;
            hostStages[rows] = stage == Stage.DECODE ? Batch.DECODE : Batch.PREFILL;
        }
        sequences++;
        hostFirstRow[sequences] = rows;
        maxContext = Math.max(maxContext, position + count);
        return rows - 1;
    }

    /** Uploads what was added. */
    Batch build() {
        return build(rows, sequences, maxContext);
    }

    /**
     * Uploads what was added, followed by padding, so that every shape of the step is one of few.
     *
     * @param rowsOfStep rows in all, at least those added
     * @param sequencesOfStep sequences in all, at least those added
     * @param contextOfStep no position reaches this
     */
    Batch build(int rowsOfStep, int sequencesOfStep, int contextOfStep) {
        Arrays.fill(hostSequenceOf, rows, rowsOfStep, -1);
        Arrays.fill(hostFirstRow, sequences, sequencesOfStep + 1, rows);
        kernels.upload(hostTokens, 0, rowsOfStep, tokens, 0);
        kernels.upload(hostPositions, 0, rowsOfStep, positions, 0);
        kernels.upload(hostSequenceOf, 0, rowsOfStep, sequenceOf, 0);
        kernels.upload(hostFirstRow, 0, sequencesOfStep + 1, firstRow, 0);
        kernels.upload(hostSlots, 0, sequencesOfStep, slots, 0);
        kernels.upload(hostStages, 0, rowsOfStep, stages, 0);
        return new Batch(
                rowsOfStep,
                sequencesOfStep,
                contextOfStep,
                tokens.rows(0, rowsOfStep),
                positions.rows(0, rowsOfStep),
                sequenceOf.rows(0, rowsOfStep),
                firstRow.rows(0, sequencesOfStep + 1),
                slots.rows(0, sequencesOfStep),
                stages.rows(0, rowsOfStep),
                csa == null ? null : csa.upload(caches, sequences, sequencesOfStep, contextOfStep),
                hca == null ? null : hca.upload(caches, sequences, sequencesOfStep, contextOfStep));
    }

    @Override
    public void close() {
        tokens.close();
        positions.close();
        sequenceOf.close();
        firstRow.close();
        slots.close();
        stages.close();
        if (csa != null) {
            csa.close();
        }
        if (hca != null) {
            hca.close();
        }
    }
}
