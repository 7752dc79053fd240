#include "variants.h"

#include <cstdio>

namespace pl {

namespace {

const char *const KERNELS[KERNEL_COUNT] = {
        "embed",      "angles",     "visible",    "mix",      "unmix",      "collapse",    "rmsNorm",
        "linear",     "groupedLinear", "rope",    "transform", "windowKeys", "appendRing", "compress",  "indexScores",
        "topK",       "attention",  "route",      "experts",  "swiglu",     "gatherRows",  "sample",
        "logProbabilities"};
const char *const ARITHMETICS[ARITHMETIC_COUNT] = {"fp32", "bf16", "int32", "radix", "sort", "index_fp8",
                                                   "index_mxfp4", "kv_fp8"};
const char *const OPTIONS[OPTION_COUNT] = {"", ".hadamard", ".hadamard_fp4", ".fp8_blocks", ".bf16_scores",
                                           ".gathered", ".bf16_scores.gathered", ".mma_decode", ".separate"};
const char *const ISAS[ISA_COUNT] = {"plain", "avx2", "avx512", "avx512bf16", "amx"};

constexpr int64_t NAMES = static_cast<int64_t>(KERNEL_COUNT) * ARITHMETIC_COUNT * OPTION_COUNT * ISA_COUNT;

} // namespace

const char *kernelName(Kernel kernel) { return KERNELS[kernel]; }

const char *isaName(Isa isa) { return ISAS[isa]; }

} // namespace pl

extern "C" const char *pl_variant_name(int64_t id) {
    using namespace pl;
    static thread_local char text[80];
    if (id < 0 || id >= NAMES) {
        return nullptr;
    }
    int64_t option = id / ISA_COUNT, arithmetic = option / OPTION_COUNT, kernel = arithmetic / ARITHMETIC_COUNT;
    std::snprintf(
            text, sizeof text, "%s.%s%s.%s", KERNELS[kernel], ARITHMETICS[arithmetic % ARITHMETIC_COUNT],
            OPTIONS[option % OPTION_COUNT], ISAS[id % ISA_COUNT]);
    return text;
}
