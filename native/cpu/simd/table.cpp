#include "table.h"

namespace pl {

#define PL_JOIN_(a, b) a##b
#define PL_JOIN(a, b) PL_JOIN_(a, b)

const KernelTable &PL_JOIN(PL_ISA, Kernels)() {
    static const KernelTable table = [] {
#if defined(PL_BASE)
        // Only products differ from the instruction set below.
        KernelTable t = PL_JOIN(PL_BASE, Kernels)();
#else
        KernelTable t = {};
        t.mix = PL_ISA::mix;
        t.collapse = PL_ISA::collapse;
        t.unmix = PL_ISA::unmix;
        t.rmsNorm = PL_ISA::rmsNorm;
        t.rope = PL_ISA::rope;
        t.windowKeys = PL_ISA::windowKeys;
        t.transform = PL_ISA::transform;
        t.encodeRing = PL_ISA::encodeRing;
        t.compress = PL_ISA::compress;
        t.radixSelect = PL_ISA::radixSelect;
        t.attention = PL_ISA::attention;
        t.swiglu = PL_ISA::swiglu;
#endif
#if !defined(__AMX_BF16__) && !defined(PL_EMULATE_TILES)
        t.indexScores = PL_ISA::indexScores;
#endif
        t.panelWidth = PL_ISA::NR;
        t.packWeight = PL_ISA::packWeight;
        t.linear = PL_ISA::linear;
        t.experts = PL_ISA::experts;
        t.attentionMma = PL_ISA::attentionMma;
        return t;
    }();
    return table;
}

} // namespace pl
