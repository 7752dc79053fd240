package dev.plumbline.engine;

import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.cuda.EmulatedCuda;

/** Every flag value on the CUDA kernels, emulated. */
class EmulatedCudaFlagParityTest extends FlagParityConformance {
    @Override
    Kernels backend(int threads) {
        return EmulatedCuda.kernels();
    }
}
