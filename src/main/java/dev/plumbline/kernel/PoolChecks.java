package dev.plumbline.kernel;

import static dev.plumbline.kernel.ShapeChecks.ANY;
import static dev.plumbline.kernel.ShapeChecks.given;
import static dev.plumbline.kernel.ShapeChecks.shape;

import dev.plumbline.precision.PageFormat;
import dev.plumbline.precision.PageFormat.Layout;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** Checks of pools: what a page holds, and that the tensor has the pages' shape. */
final class PoolChecks {
    private static final Set<Layout> INDEX_KEYS =
            EnumSet.of(Layout.FP32, Layout.BF16, Layout.INDEX_FP8, Layout.INDEX_MXFP4);
    private static final Set<Layout> KEY_VALUES = EnumSet.of(Layout.FP32, Layout.BF16, Layout.KV_FP8);

    private PoolChecks() {}

    /** A pool of index keys or of keys/values, by pages of {@link Kernels#PAGE_ENTRIES}. */
    static void entries(String kernel, String argument, Pool pool, long width) {
        pages(kernel, argument, pool, EnumSet.allOf(Layout.class), Kernels.PAGE_ENTRIES, width);
    }

    static void indexKeys(String kernel, String argument, Pool pool, long width) {
        pages(kernel, argument, pool, INDEX_KEYS, Kernels.PAGE_ENTRIES, width);
    }

    static void keyValues(String kernel, String argument, Pool pool, long rows, long width) {
        pages(kernel, argument, pool, KEY_VALUES, rows, width);
    }

    private static void pages(String kernel, String argument, Pool pool, Set<Layout> allowed, long rows, long width) {
        given(kernel, argument, pool);
        PageFormat format = pool.format();
        if (!allowed.contains(format.layout())) {
            throw new KernelException(kernel + ": " + argument + " holds pages of "
                    + format.layout().name().toLowerCase(Locale.ROOT) + ", expected one of "
                    + allowed.toString().toLowerCase(Locale.ROOT));
        }
        if (format.plain()) {
            DType type = format.layout() == Layout.BF16 ? DType.BF16 : DType.FP32;
            shape(kernel, argument, pool.data(), type, ANY, rows == ANY ? format.rows() : rows, width);
        } else {
            shape(kernel, argument, pool.data(), DType.BYTE, ANY, format.bytes());
        }
        if (rows != ANY && format.rows() != rows || width != ANY && format.width() != width) {
            throw new KernelException(kernel + ": " + argument + " has pages of " + format.rows() + " rows of "
                    + format.width() + ", expected " + (rows == ANY ? "any number of" : rows) + " rows of " + width);
        }
    }

    /** The window of a step and its ring hold the same numbers: rows of fp8 are bf16 before they are stored. */
    static void ringOf(String kernel, String argument, Tensor keys, Pool ring) {
        DType expected = ring.format().layout() == Layout.FP32 ? DType.FP32 : DType.BF16;
        shape(kernel, argument, keys, expected, ANY, ring.format().width());
    }

    /** A transform fits rows of that width. */
    static void transform(String kernel, KeyTransform transform, long width) {
        given(kernel, "transform", transform);
        boolean hadamard = transform == KeyTransform.HADAMARD || transform == KeyTransform.HADAMARD_FP4;
        if (hadamard && (width < 1 || (width & (width - 1)) != 0)) {
            throw new KernelException(
                    kernel + ": rows of " + width + " cannot be transformed; allowed: a power of two");
        }
    }
}
