package dev.plumbline.engine;

import dev.plumbline.engine.TokenLogProbabilities.Alternative;
import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.Tensor;
import dev.plumbline.kernel.Variant;
import java.util.ArrayList;
import java.util.List;

/** Computes and reads the log-probabilities of a step's sampled rows. */
final class LogProbabilityReader implements AutoCloseable {
    private final Kernels kernels;
    private final int width;
    private final Tensor chosen;
    private final Tensor topIds;
    private final Tensor top;
    private final float[] hostChosen;
    private final int[] hostIds;
    private final float[] hostTop;

    LogProbabilityReader(Kernels kernels, int maxRows, int vocabulary) {
        this.kernels = kernels;
        width = Math.min(GenerationRequest.MAX_TOP_LOG_PROBABILITIES, vocabulary);
        chosen = kernels.allocate(DType.FP32, maxRows);
        topIds = kernels.allocate(DType.INT32, maxRows, width);
        top = kernels.allocate(DType.FP32, maxRows, width);
        hostChosen = new float[maxRows];
        hostIds = new int[maxRows * width];
        hostTop = new float[maxRows * width];
    }

    /** Runs the kernel over the rows that were just sampled and brings the numbers to the host. */
    Variant read(HeadActivations head, int rows) {
        Variant variant = kernels.logProbabilities(
                head.logits(), head.sampled(), chosen.rows(0, rows), topIds.rows(0, rows), top.rows(0, rows));
        kernels.download(chosen, 0, hostChosen, 0, rows);
        kernels.download(topIds, 0, hostIds, 0, rows * width);
        kernels.download(top, 0, hostTop, 0, rows * width);
        return variant;
    }

    /** What {@link #read} found for a row, with its first {@code alternatives}. */
    TokenLogProbabilities row(int row, int alternatives) {
        List<Alternative> list = new ArrayList<>();
        for (int k = 0; k < Math.min(alternatives, width); k++) {
            list.add(new Alternative(hostIds[row * width + k], hostTop[row * width + k]));
        }
        return new TokenLogProbabilities(hostChosen[row], list);
    }

    @Override
    public void close() {
        chosen.close();
        topIds.close();
        top.close();
    }
}
