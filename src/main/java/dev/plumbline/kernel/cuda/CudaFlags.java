package dev.plumbline.kernel.cuda;

import dev.plumbline.kernel.FlagSupport;

/** The flag values that this backend has kernels for. A value leaves the list below with the commit that brings its kernel. */
final class CudaFlags {
    static final FlagSupport SUPPORT = FlagSupport.everythingOn("cuda");

    private CudaFlags() {}
}
