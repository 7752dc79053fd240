package dev.plumbline.kernel.cuda;

import dev.plumbline.kernel.Pool;
import java.util.Locale;

/** Page formats as the kernels' templates name them, and as variants are told. */
final class Formats {
    private Formats() {}

    /** C++ type of a format, in formats.cuh. */
    static String type(Pool pool) {
        return switch (pool.format().layout()) {
            case FP32 -> "float";
            case BF16 -> "bf16";
            case INDEX_FP8 -> "IndexFp8";
            case INDEX_MXFP4 -> "IndexMxfp4";
            case KV_FP8 -> "KvFp8";
        };
    }

    /** Name of a format in a variant's id: fp32, bf16, index_fp8 … */
    static String name(Pool pool) {
        return pool.format().layout().name().toLowerCase(Locale.ROOT);
    }

    /** Bytes of a page, whatever its format. */
    static long pageBytes(Pool pool) {
        return pool.pages() == 0 ? 0 : pool.data().bytes() / pool.pages();
    }
}
