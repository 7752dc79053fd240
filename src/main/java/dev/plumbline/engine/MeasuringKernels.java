package dev.plumbline.engine;

import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.LinearWeight;
import dev.plumbline.kernel.Tensor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * A backend without memory: what is allocated on it is only counted. A lane that is built on it tells what the same lane
 * takes on the real one, whatever its code comes to allocate.
 */
final class MeasuringKernels implements InvocationHandler {
    private static final Set<String> FACTS = Set.of("backend", "description", "refusal", "recordsRepeats");

    private final Kernels real;
    private final List<Allocation> allocations = new ArrayList<>();
    private long bytes;

    /** A tensor that was asked for. */
    record Allocation(DType type, List<Long> shape) {
        static Allocation of(Object[] arguments) {
            return new Allocation(
                    (DType) arguments[0],
                    Arrays.stream((long[]) arguments[1]).boxed().toList());
        }

        Tensor on(Kernels kernels) {
            return kernels.allocate(
                    type, shape.stream().mapToLong(Long::longValue).toArray());
        }
    }

    MeasuringKernels(Kernels real) {
        this.real = real;
    }

    /** The contract, for whoever allocates. */
    Kernels kernels() {
        return (Kernels) Proxy.newProxyInstance(Kernels.class.getClassLoader(), new Class<?>[] {Kernels.class}, this);
    }

    /** Bytes allocated so far; padding of the backend is not among them. */
    long bytes() {
        return bytes;
    }

    /** The tensors that were asked for, in order. */
    List<Allocation> allocations() {
        return allocations;
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        switch (method.getName()) {
            case "allocate" -> {
                Sized tensor = new Sized((DType) arguments[0], ((long[]) arguments[1]).clone());
                bytes += tensor.bytes();
                allocations.add(Allocation.of(arguments));
                return tensor;
            }
            case "linearWeight" -> {
                SizedLinear weight = new SizedLinear((int) arguments[1], (int) arguments[2], (DType) arguments[3]);
                bytes += weight.bytes();
                return weight;
            }
            case "upload" -> {
                return null;
            }
            default -> {
                if (!FACTS.contains(method.getName())) {
                    throw new IllegalStateException(method.getName() + " was called while a lane was measured");
                }
                return real(method, arguments);
            }
        }
    }

    private Object real(Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private record Sized(DType dtype, long[] shape) implements Tensor {
        @Override
        public Tensor rows(long from, long to) {
            long[] part = shape.clone();
            part[0] = to - from;
            return new Sized(dtype, part);
        }

        @Override
        public Tensor reshape(long... other) {
            return new Sized(dtype, other.clone());
        }

        @Override
        public void close() {}
    }

    private record SizedLinear(int outputs, int inputs, DType form) implements LinearWeight {
        @Override
        public long bytes() {
            return Math.multiplyExact((long) outputs * inputs, form.bytes());
        }

        @Override
        public void close() {}
    }
}
