#include "variants.h"

#include <cstdio>

namespace pl {

namespace {

const char *const KERNELS[KERNEL_COUNT] = {
        "embed",      "angles",     "visible",    "mix",      "unmix",      "collapse",    "rmsNorm",
        "linear",     "groupedLinear", "rope",    "windowKeys", "appendRing", "compress",  "indexScores",
        "topK",       "attention",  "route",      "experts",  "swiglu",     "gatherRows",  "sample",
        "logProbabilities"};
const char *const ARITHMETICS[ARITHMETIC_COUNT] = {"fp32", "bf16", "int32", "radix", "sort"};
const char *const ISAS[ISA_COUNT] = {"plain", "avx2", "avx512", "avx512bf16", "amx"};

constexpr int64_t NAMES = static_cast<int64_t>(KERNEL_COUNT) * ARITHMETIC_COUNT * ISA_COUNT;

struct Names {
    char text[NAMES][40];
    Names() noexcept {
        int64_t id = 0;
        for (const char *kernel : KERNELS) {
            for (const char *arithmetic : ARITHMETICS) {
                for (const char *isa : ISAS) {
                    std::snprintf(text[id++], sizeof text[0], "%s.%s.%s", kernel, arithmetic, isa);
                }
            }
        }
    }
};

} // namespace

const char *kernelName(Kernel kernel) { return KERNELS[kernel]; }

const char *isaName(Isa isa) { return ISAS[isa]; }

} // namespace pl

extern "C" const char *pl_variant_name(int64_t id) {
    static const pl::Names names;
    return id < 0 || id >= pl::NAMES ? nullptr : names.text[id];
}
