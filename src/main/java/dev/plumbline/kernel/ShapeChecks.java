package dev.plumbline.kernel;

import java.util.Arrays;

/** What {@link KernelChecks} is made of: one argument against one expectation. Nothing is built unless a check fails. */
final class ShapeChecks {
    /** Any size of a dimension. */
    static final long ANY = -1;

    private ShapeChecks() {}

    static void given(String kernel, String argument, Object value) {
        if (value == null) {
            throw new KernelException(kernel + ": " + argument + " is null");
        }
    }

    static void atLeastOne(String kernel, String argument, long value) {
        if (value < 1) {
            throw new KernelException(kernel + ": " + argument + " is " + value + ", expected at least 1");
        }
    }

    static void type(String kernel, String argument, Tensor tensor, DType type) {
        given(kernel, argument, tensor);
        if (tensor.dtype() != type) {
            throw new KernelException(
                    kernel + ": " + argument + " is " + name(tensor.dtype()) + ", expected " + name(type));
        }
    }

    static void same(String kernel, String argument, Tensor tensor, long[] shape) {
        if (!Arrays.equals(tensor.shape(), shape)) {
            throw wrong(kernel, argument, tensor, tensor.dtype(), shape);
        }
    }

    static void fp32(String kernel, String argument, Tensor tensor, long d0) {
        vector(kernel, argument, tensor, DType.FP32, d0);
    }

    static void fp32(String kernel, String argument, Tensor tensor, long d0, long d1) {
        shape(kernel, argument, tensor, DType.FP32, d0, d1);
    }

    static void fp32(String kernel, String argument, Tensor tensor, long d0, long d1, long d2) {
        shape(kernel, argument, tensor, DType.FP32, d0, d1, d2);
    }

    static void int32(String kernel, String argument, Tensor tensor, long d0) {
        vector(kernel, argument, tensor, DType.INT32, d0);
    }

    static void int32(String kernel, String argument, Tensor tensor, long d0, long d1) {
        shape(kernel, argument, tensor, DType.INT32, d0, d1);
    }

    static void floats(String kernel, String argument, Tensor tensor, long d0, long d1) {
        shape(kernel, argument, tensor, floatType(tensor), d0, d1);
    }

    static void floats(String kernel, String argument, Tensor tensor, long d0, long d1, long d2) {
        shape(kernel, argument, tensor, floatType(tensor), d0, d1, d2);
    }

    static DType floatType(Tensor tensor) {
        return tensor != null && tensor.dtype() == DType.BF16 ? DType.BF16 : DType.FP32;
    }

    static void vector(String kernel, String argument, Tensor tensor, DType type, long d0) {
        if (tensor != null && tensor.dtype() == type) {
            if (tensor.rank() == 1 && fits(tensor.dim(0), d0)) {
                return;
            }
        }
        throw wrong(kernel, argument, tensor, type, d0);
    }

    static void shape(String kernel, String argument, Tensor tensor, DType type, long d0, long d1) {
        if (tensor != null && tensor.dtype() == type) {
            if (tensor.rank() == 2 && fits(tensor.dim(0), d0) && fits(tensor.dim(1), d1)) {
                return;
            }
        }
        throw wrong(kernel, argument, tensor, type, d0, d1);
    }

    static void shape(String kernel, String argument, Tensor tensor, DType type, long d0, long d1, long d2) {
        if (tensor != null && tensor.dtype() == type) {
            if (tensor.rank() == 3 && fits(tensor.dim(0), d0) && fits(tensor.dim(1), d1) && fits(tensor.dim(2), d2)) {
                return;
            }
        }
        throw wrong(kernel, argument, tensor, type, d0, d1, d2);
    }

    static boolean fits(long dim, long expected) {
        return expected == ANY || dim == expected;
    }

    static KernelException wrong(String kernel, String argument, Tensor tensor, DType type, long... expected) {
        String actual = tensor == null ? "null" : name(tensor.dtype()) + " " + Arrays.toString(tensor.shape());
        return new KernelException(kernel + ": " + argument + " is " + actual + ", expected " + name(type) + " "
                + Arrays.toString(expected).replace("-1", "any"));
    }

    static String name(DType type) {
        return type.name().toLowerCase(java.util.Locale.ROOT);
    }
}
