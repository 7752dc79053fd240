package dev.plumbline.engine;

import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.reference.ReferenceKernels;

class ReferenceTraceTest extends TraceConformance {
    @Override
    Kernels backend() {
        return new ReferenceKernels(2);
    }
}
