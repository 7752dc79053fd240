package dev.plumbline.engine;

import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.Tensor;
import dev.plumbline.model.ModelConfig;

/**
 * Working memory of the head for n rows.
 *
 * @param streams [n, h, D]
 * @param collapsed [n, D]
 * @param logits [n, V]
 * @param rows [n] int32 rows of the step
 * @param sampled [n] int32
 */
record HeadActivations(Tensor streams, Tensor collapsed, Tensor logits, Tensor rows, Tensor sampled)
        implements AutoCloseable {

    static HeadActivations allocate(ModelConfig config, Kernels kernels, int rows) {
        return new HeadActivations(
                kernels.allocate(DType.FP32, rows, config.hcMult(), config.hiddenSize()),
                kernels.allocate(DType.FP32, rows, config.hiddenSize()),
                kernels.allocate(DType.FP32, rows, config.vocabSize()),
                kernels.allocate(DType.INT32, rows),
                kernels.allocate(DType.INT32, rows));
    }

    HeadActivations view(int n) {
        return new HeadActivations(
                streams.rows(0, n), collapsed.rows(0, n), logits.rows(0, n), rows.rows(0, n), sampled.rows(0, n));
    }

    @Override
    public void close() {
        streams.close();
        collapsed.close();
        logits.close();
        rows.close();
        sampled.close();
    }
}
