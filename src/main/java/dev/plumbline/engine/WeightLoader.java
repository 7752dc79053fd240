package dev.plumbline.engine;

import dev.plumbline.engine.WeightKey.Layout;
import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.LinearWeight;
import dev.plumbline.kernel.Tensor;
import dev.plumbline.kernel.WeightSource;
import dev.plumbline.model.StoredTensor;
import dev.plumbline.model.StoredType;
import dev.plumbline.precision.ExpertType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Says how each stored tensor is laid out on a backend; what another lane has in the same form is shared with it. */
final class WeightLoader implements AutoCloseable {
    private static final int PIECE = 1 << 20;

    private final Weights weights;
    private final DType linearForm;

    WeightLoader(Weights weights, DType linearForm) {
        this.weights = weights;
        this.linearForm = linearForm;
    }

    /** The tensor in fp32, under its stored shape. */
    Tensor fp32(String name) {
        return copy(name, DType.FP32);
    }

    /** The tensor in a type, under its stored shape. */
    Tensor as(DType type, String name) {
        return copy(name, type);
    }

    /** The tensor in the type it is stored in: bf16 stays bf16, everything else becomes fp32. */
    Tensor stored(String name) {
        return copy(name, weights.stored(name).type() == StoredType.BF16 ? DType.BF16 : DType.FP32);
    }

    Tensor int32(String name) {
        WeightKey key = new WeightKey(Layout.COPY, List.of(name), 0, DType.INT32);
        return weights.take(key, Tensor.class, (kernels, checkpoint) -> {
            StoredTensor tensor = checkpoint.apply(name);
            return filled(kernels.allocate(DType.INT32, tensor.shape()), target -> {
                int[] piece = new int[(int) Math.min(PIECE, tensor.elements())];
                for (long at = 0; at < tensor.elements(); at += piece.length) {
                    int length = (int) Math.min(piece.length, tensor.elements() - at);
                    tensor.read(at, piece, 0, length);
                    kernels.upload(piece, 0, length, target, at);
                }
            });
        });
    }

    /** A dense linear in the profile's form. */
    LinearWeight linear(String name) {
        return linear(name, linearForm);
    }

    /** A linear that stays fp32 whatever the profile: router and index head weights decide, they do not transform. */
    LinearWeight linearFp32(String name) {
        return linear(name, DType.FP32);
    }

    /** Form of a routed expert's linears. */
    DType expertForm(String name, ExpertType type) {
        return switch (type) {
            case STORED -> weights.stored(name).type() == StoredType.BF16 ? DType.BF16 : DType.FP32;
            case BF16 -> DType.BF16;
            case FP32 -> DType.FP32;
        };
    }

    /** Two dense linears of one input, stacked, in the profile's form. */
    LinearWeight stacked(String first, String second) {
        return stacked(first, second, linearForm);
    }

    /** Two linears of one input, stacked: outputs of {@code first}, then of {@code second}. */
    LinearWeight stacked(String first, String second, DType form) {
        WeightKey key = new WeightKey(Layout.STACKED, List.of(first, second), 0, form);
        return weights.take(key, LinearWeight.class, (kernels, checkpoint) -> {
            StoredTensor top = checkpoint.apply(first);
            StoredTensor bottom = checkpoint.apply(second);
            WeightSource source = WeightSource.stack(top::read, top.elements(), bottom::read);
            int rows = Math.toIntExact(top.shape()[0] + bottom.shape()[0]);
            return kernels.linearWeight(source, rows, Math.toIntExact(top.shape()[1]), form);
        });
    }

    /** A linear cut into {@code groups} equal blocks of rows. */
    List<LinearWeight> grouped(String name, int groups) {
        List<LinearWeight> blocks = new ArrayList<>();
        for (int g = 0; g < groups; g++) {
            int group = g;
            WeightKey key = new WeightKey(Layout.BLOCK, List.of(name), group, linearForm);
            blocks.add(weights.take(key, LinearWeight.class, (kernels, checkpoint) -> {
                StoredTensor tensor = checkpoint.apply(name);
                int rows = Math.toIntExact(tensor.shape()[0] / groups);
                int columns = Math.toIntExact(tensor.shape()[1]);
                WeightSource whole = tensor::read;
                return kernels.linearWeight(whole.skip((long) group * rows * columns), rows, columns, linearForm);
            }));
        }
        return List.copyOf(blocks);
    }

    /** A linear in the given form. */
    LinearWeight linear(String name, DType form) {
        WeightKey key = new WeightKey(Layout.LINEAR, List.of(name), 0, form);
        return weights.take(key, LinearWeight.class, (kernels, checkpoint) -> {
            StoredTensor tensor = checkpoint.apply(name);
            int rows = Math.toIntExact(tensor.shape()[0]);
            return kernels.linearWeight(tensor::read, rows, Math.toIntExact(tensor.shape()[1]), form);
        });
    }

    /** Values that the configuration gives, under a name of their own; no tensor is read for them. */
    Tensor upload(String name, float[] values) {
        WeightKey key = new WeightKey(Layout.CONSTANT, List.of(name), 0, DType.FP32);
        return weights.take(key, Tensor.class, (kernels, checkpoint) -> {
            Tensor target = kernels.allocate(DType.FP32, values.length);
            kernels.upload(values, 0, values.length, target, 0);
            return target;
        });
    }

    private Tensor copy(String name, DType type) {
        WeightKey key = new WeightKey(Layout.COPY, List.of(name), 0, type);
        return weights.take(key, Tensor.class, (kernels, checkpoint) -> copy(kernels, checkpoint.apply(name), type));
    }

    private static Tensor copy(Kernels kernels, StoredTensor tensor, DType type) {
        return filled(kernels.allocate(type, tensor.shape()), target -> {
            float[] piece = new float[(int) Math.min(PIECE, tensor.elements())];
            for (long at = 0; at < tensor.elements(); at += piece.length) {
                int length = (int) Math.min(piece.length, tensor.elements() - at);
                tensor.read(at, piece, 0, length);
                kernels.upload(piece, 0, length, target, at);
            }
        });
    }

    /** A tensor that is freed again if it cannot be filled: nobody knows of it yet. */
    private static Tensor filled(Tensor target, Consumer<Tensor> filling) {
        try {
            filling.accept(target);
            return target;
        } catch (RuntimeException | Error e) {
            target.close();
            throw e;
        }
    }

    /** Gives everything back. */
    @Override
    public void close() {
        weights.close();
    }
}
