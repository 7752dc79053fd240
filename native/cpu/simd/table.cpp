#include "table.h"

namespace pl {

#define PL_JOIN_(a, b) a##b
#define PL_JOIN(a, b) PL_JOIN_(a, b)

const KernelTable &PL_JOIN(PL_ISA, Kernels)() {
    using namespace PL_ISA;
#if defined(__AVX512BF16__)
    constexpr bool dot = true;
#else
    constexpr bool dot = false;
#endif
    static const KernelTable table = {
            NR,   dot,         PL_ISA::packWeight,  PL_ISA::linear,   PL_ISA::experts,     PL_ISA::mix,
            PL_ISA::collapse,  PL_ISA::unmix,       PL_ISA::rmsNorm,  PL_ISA::rope,        PL_ISA::windowKeys,
            PL_ISA::compress,  PL_ISA::indexScores, PL_ISA::attention, PL_ISA::swiglu};
    return table;
}

} // namespace pl
