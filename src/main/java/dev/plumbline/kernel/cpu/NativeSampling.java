package dev.plumbline.kernel.cpu;

import dev.plumbline.kernel.Sampling;

/** Lays sampling parameters out in the field order of {@code pl_sampling}. */
final class NativeSampling {
    private NativeSampling() {}

    static long[] fields(CpuContext context, Sampling sampling) {
        return new long[] {
            context.address(sampling.adjustmentStart()),
            context.address(sampling.adjustmentToken()),
            context.address(sampling.adjustment()),
            sampling.adjustmentToken().dim(0),
            context.address(sampling.temperature()),
            context.address(sampling.topP()),
            context.address(sampling.seed()),
            context.address(sampling.choice()),
            context.address(sampling.position())
        };
    }
}
