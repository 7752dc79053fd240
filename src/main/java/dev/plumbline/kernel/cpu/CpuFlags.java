package dev.plumbline.kernel.cpu;

import dev.plumbline.kernel.FlagSupport;

/** The flag values that this backend has kernels for: all. */
final class CpuFlags {
    static final FlagSupport SUPPORT = FlagSupport.everythingOn("cpu");

    private CpuFlags() {}
}
