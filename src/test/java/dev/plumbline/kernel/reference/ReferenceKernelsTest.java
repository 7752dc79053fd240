package dev.plumbline.kernel.reference;

import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.KernelsConformance;

class ReferenceKernelsTest extends KernelsConformance {

    @Override
    public Kernels backend(int threads) {
        return new ReferenceKernels(threads);
    }
}
