package dev.plumbline.engine;

import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.reference.ReferenceKernels;

class ReferenceFlagParityTest extends FlagParityConformance {

    @Override
    Kernels backend(int threads) {
        return new ReferenceKernels(threads);
    }
}
