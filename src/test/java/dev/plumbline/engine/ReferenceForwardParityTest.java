package dev.plumbline.engine;

import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.reference.ReferenceKernels;

class ReferenceForwardParityTest extends ForwardParityConformance {
    @Override
    Kernels backend(int threads) {
        return new ReferenceKernels(threads);
    }
}
