#include "variants.h"

#include <string>
#include <vector>

namespace pl {

namespace {

const char *const KERNELS[KERNEL_COUNT] = {
        "embed",      "angles",     "visible",    "mix",      "unmix",      "collapse",    "rmsNorm",
        "linear",     "groupedLinear", "rope",    "windowKeys", "appendRing", "compress",  "indexScores",
        "topK",       "attention",  "route",      "experts",  "swiglu",     "gatherRows",  "sample",
        "logProbabilities"};
const char *const ARITHMETICS[ARITHMETIC_COUNT] = {"fp32", "bf16", "int32", "radix", "sort"};
const char *const ISAS[ISA_COUNT] = {"plain", "avx2", "avx512", "avx512bf16", "amx"};

std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const char *kernel : KERNELS) {
        for (const char *arithmetic : ARITHMETICS) {
            for (const char *isa : ISAS) {
                all.push_back(std::string(kernel) + "." + arithmetic + "." + isa);
            }
        }
    }
    return all;
}

} // namespace

const char *kernelName(Kernel kernel) { return KERNELS[kernel]; }

const char *isaName(Isa isa) { return ISAS[isa]; }

} // namespace pl

extern "C" const char *pl_variant_name(int64_t id) {
    static const std::vector<std::string> all = pl::names();
    return id < 0 || id >= static_cast<int64_t>(all.size()) ? nullptr : all[static_cast<size_t>(id)].c_str();
}
