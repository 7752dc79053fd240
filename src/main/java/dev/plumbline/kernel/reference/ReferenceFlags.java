package dev.plumbline.kernel.reference;

import dev.plumbline.kernel.FlagSupport;

/** The flag values that this backend has kernels for: all. */
final class ReferenceFlags {
    static final FlagSupport SUPPORT = FlagSupport.everythingOn("reference");

    private ReferenceFlags() {}
}
