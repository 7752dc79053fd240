package dev.plumbline.engine;

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
import java.util.function.Function;

/** Brings stored tensors to a backend and remembers what it brought, so that everything can be freed together. */
final class WeightLoader implements AutoCloseable {
    private static final int PIECE = 1 << 20;

    private final Function<String, StoredTensor> checkpoint;
    private final Kernels kernels;
    private final DType linearForm;
    private final List<AutoCloseable> owned = new ArrayList<>();

    WeightLoader(Function<String, StoredTensor> checkpoint, Kernels kernels, DType linearForm) {
        this.checkpoint = checkpoint;
        this.kernels = kernels;
        this.linearForm = linearForm;
    }

    /** The tensor in fp32, under its stored shape. */
    Tensor fp32(String name) {
        return copy(checkpoint.apply(name), DType.FP32);
    }

    /** The tensor in the type it is stored in: bf16 stays bf16, everything else becomes fp32. */
    Tensor stored(String name) {
        StoredTensor tensor = checkpoint.apply(name);
        return copy(tensor, tensor.type() == StoredType.BF16 ? DType.BF16 : DType.FP32);
    }

    Tensor int32(String name) {
        StoredTensor tensor = checkpoint.apply(name);
        Tensor target = own(kernels.allocate(DType.INT32, tensor.shape()));
        int[] piece = new int[(int) Math.min(PIECE, tensor.elements())];
        for (long at = 0; at < tensor.elements(); at += piece.length) {
            int length = (int) Math.min(piece.length, tensor.elements() - at);
            tensor.read(at, piece, 0, length);
            kernels.upload(piece, 0, length, target, at);
        }
        return target;
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
            case STORED -> checkpoint.apply(name).type() == StoredType.BF16 ? DType.BF16 : DType.FP32;
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
        StoredTensor top = checkpoint.apply(first);
        StoredTensor bottom = checkpoint.apply(second);
        WeightSource source = WeightSource.stack(top::read, top.elements(), bottom::read);
        int rows = Math.toIntExact(top.shape()[0] + bottom.shape()[0]);
        return own(kernels.linearWeight(source, rows, Math.toIntExact(top.shape()[1]), form));
    }

    /** A linear cut into {@code groups} equal blocks of rows. */
    List<LinearWeight> grouped(String name, int groups) {
        StoredTensor tensor = checkpoint.apply(name);
        int rows = Math.toIntExact(tensor.shape()[0] / groups);
        int columns = Math.toIntExact(tensor.shape()[1]);
        WeightSource whole = tensor::read;
        List<LinearWeight> blocks = new ArrayList<>();
        for (int g = 0; g < groups; g++) {
            WeightSource block = whole.skip((long) g * rows * columns);
            blocks.add(own(kernels.linearWeight(block, rows, columns, linearForm)));
        }
        return List.copyOf(blocks);
    }

    /** A linear in the given form. */
    LinearWeight linear(String name, DType form) {
        StoredTensor tensor = checkpoint.apply(name);
        return own(kernels.linearWeight(
                tensor::read, Math.toIntExact(tensor.shape()[0]), Math.toIntExact(tensor.shape()[1]), form));
    }

    Tensor upload(float[] values) {
        Tensor target = own(kernels.allocate(DType.FP32, values.length));
        kernels.upload(values, 0, values.length, target, 0);
        return target;
    }

    private Tensor copy(StoredTensor tensor, DType type) {
        Tensor target = own(kernels.allocate(type, tensor.shape()));
        float[] piece = new float[(int) Math.min(PIECE, tensor.elements())];
        for (long at = 0; at < tensor.elements(); at += piece.length) {
            int length = (int) Math.min(piece.length, tensor.elements() - at);
            tensor.read(at, piece, 0, length);
            kernels.upload(piece, 0, length, target, at);
        }
        return target;
    }

    private <T extends AutoCloseable> T own(T resource) {
        owned.add(resource);
        return resource;
    }

    /** Frees everything this loader brought. */
    @Override
    public void close() {
        List<AutoCloseable> all = List.copyOf(owned);
        owned.clear();
        Resources.closeAll(all);
    }
}
