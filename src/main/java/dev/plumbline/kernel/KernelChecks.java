package dev.plumbline.kernel;

/** Shape checks shared by the backends, so that a wrong call gets the same sentence everywhere. */
public final class KernelChecks {
    private KernelChecks() {}
}
