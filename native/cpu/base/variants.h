// Variant ids: which kernel, in which arithmetic, on which instruction set.
#pragma once

#include "kernels.h"

namespace pl {

enum Kernel {
    KERNEL_EMBED,
    KERNEL_ANGLES,
    KERNEL_VISIBLE,
    KERNEL_MIX,
    KERNEL_UNMIX,
    KERNEL_COLLAPSE,
    KERNEL_RMS_NORM,
    KERNEL_LINEAR,
    KERNEL_GROUPED_LINEAR,
    KERNEL_ROPE,
    KERNEL_TRANSFORM,
    KERNEL_WINDOW_KEYS,
    KERNEL_APPEND_RING,
    KERNEL_COMPRESS,
    KERNEL_INDEX_SCORES,
    KERNEL_TOP_K,
    KERNEL_ATTENTION,
    KERNEL_ROUTE,
    KERNEL_EXPERTS,
    KERNEL_SWIGLU,
    KERNEL_GATHER_ROWS,
    KERNEL_SAMPLE,
    KERNEL_LOG_PROBABILITIES,
    KERNEL_COUNT
};

enum Arithmetic { FP32, BF16, INT32, RADIX, SORT, INDEX_FP8, INDEX_MXFP4, KV_FP8, ARITHMETIC_COUNT };

// What else a profile's flags change about a kernel.
enum Option {
    NO_OPTION,
    HADAMARD,
    HADAMARD_FP4,
    FP8_BLOCKS,
    BF16_SCORES,
    GATHERED,
    BF16_SCORES_GATHERED,
    MMA_DECODE,
    SEPARATE,
    OPTION_COUNT
};

const char *kernelName(Kernel kernel);
const char *isaName(Isa isa);

inline int64_t variantId(Kernel kernel, Arithmetic arithmetic, Isa isa, Option option = NO_OPTION) {
    return ((static_cast<int64_t>(kernel) * ARITHMETIC_COUNT + arithmetic) * OPTION_COUNT + option) * ISA_COUNT + isa;
}

// The instruction set that a kernel without a bf16 dot product really uses in this context.
inline Isa vectorIsa(const Context &context) { return context.isa > ISA_AVX512 ? ISA_AVX512 : context.isa; }

// The one that serves bf16 products other than the linears'.
inline Isa dotIsa(const Context &context) { return context.isa > ISA_AVX512BF16 ? ISA_AVX512BF16 : context.isa; }

} // namespace pl
