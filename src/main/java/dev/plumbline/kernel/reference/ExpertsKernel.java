package dev.plumbline.kernel.reference;

import dev.plumbline.kernel.Batch;
import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.KernelException;
import dev.plumbline.kernel.LinearWeight;
import dev.plumbline.kernel.Variant;
import java.util.List;

/** Routed experts: rows grouped by expert, three linears an expert, then each row summed in its order of choice. */
final class ExpertsKernel {
    private static final Variant FP32 = new Variant("experts.fp32.java");
    private static final Variant BF16 = new Variant("experts.bf16.java");
    private static final Variant FP32_SEPARATE = new Variant("experts.fp32.separate.java");
    private static final Variant BF16_SEPARATE = new Variant("experts.bf16.separate.java");

    private final Workers workers;
    private final LinearKernel linear;
    private final RowKernels rowKernels;

    ExpertsKernel(Workers workers, LinearKernel linear, RowKernels rowKernels) {
        this.workers = workers;
        this.linear = linear;
        this.rowKernels = rowKernels;
    }

    Variant experts(
            Batch batch,
            HostTensor x,
            HostTensor ids,
            HostTensor weights,
            List<? extends LinearWeight> gateUp,
            List<? extends LinearWeight> down,
            float limit,
            Float scaling,
            HostTensor y) {
        Step step = new Step("experts", batch);
        int k = ids.size(1);
        int[] chosen = new int[step.rows() * k];
        ids.read(0, chosen, 0, chosen.length);
        int[] counts = count(step, chosen, k, gateUp.size());
        float[][] results = new float[chosen.length][];
        for (int e = 0; e < counts.length; e++) {
            if (counts[e] > 0) {
                one(e, counts[e], chosen, step, k, x, gateUp.get(e), down.get(e), limit, results);
            }
        }
        sum(step, k, weights, results, scaling, y);
        boolean bf16 = gateUp.get(0).form() == DType.BF16;
        if (scaling != null) {
            return bf16 ? BF16_SEPARATE : FP32_SEPARATE;
        }
        return bf16 ? BF16 : FP32;
    }

    private static int[] count(Step step, int[] chosen, int k, int experts) {
        int[] counts = new int[experts];
        for (int i = 0; i < chosen.length; i++) {
            if (step.isPadding(i / k)) {
                continue;
            }
            if (chosen[i] < 0 || chosen[i] >= experts) {
                throw new KernelException("experts: ids[" + i / k + ", " + i % k + "] is " + chosen[i]
                        + ", allowed: 0 to " + (experts - 1));
            }
            counts[chosen[i]]++;
        }
        return counts;
    }

    private void one(
            int expert,
            int count,
            int[] chosen,
            Step step,
            int k,
            HostTensor x,
            LinearWeight gateUp,
            LinearWeight down,
            float limit,
            float[][] results) {
        int d = x.size(1);
        int[] places = new int[count];
        HostTensor input = HostTensor.allocate(DType.FP32, count, d);
        int n = 0;
        for (int i = 0; i < chosen.length; i++) {
            if (chosen[i] == expert && !step.isPadding(i / k)) {
                long at = (long) (i / k) * d;
                input.write(x.floats(at, d), x.place(at), d, (long) n * d);
                places[n++] = i;
            }
        }
        HostTensor both = HostTensor.allocate(DType.FP32, count, gateUp.outputs());
        HostTensor inner = HostTensor.allocate(DType.FP32, count, down.inputs());
        HostTensor output = HostTensor.allocate(DType.FP32, count, d);
        linear.apply(input, 0, PackedLinear.of(gateUp), both, 0);
        rowKernels.swiglu(both, limit, inner);
        linear.apply(inner, 0, PackedLinear.of(down), output, 0);
        for (int i = 0; i < count; i++) {
            results[places[i]] = output.copy((long) i * d, d);
        }
    }

    private void sum(Step step, int k, HostTensor weights, float[][] results, Float scaling, HostTensor y) {
        int d = y.size(1);
        workers.each(step.rows(), (long) k * d, t -> {
            if (step.isPadding(t)) {
                return;
            }
            float[] row = scaling == null ? y.copy((long) t * d, d) : new float[d];
            for (int i = 0; i < k; i++) {
                float weight = weights.floatAt((long) t * k + i);
                float[] result = results[t * k + i];
                for (int j = 0; j < d; j++) {
                    row[j] += weight * result[j];
                }
            }
            if (scaling != null) {
                float[] before = y.copy((long) t * d, d);
                for (int j = 0; j < d; j++) {
                    row[j] = before[j] + scaling * row[j];
                }
            }
            y.write(row, 0, d, (long) t * d);
        });
    }
}
