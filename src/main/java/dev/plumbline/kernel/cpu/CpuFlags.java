package dev.plumbline.kernel.cpu;

import dev.plumbline.kernel.FlagSupport;
import dev.plumbline.precision.Flag;

/** The flag values that this backend has kernels for. A value leaves the list below with the commit that brings its kernel. */
final class CpuFlags {
    static final FlagSupport SUPPORT = FlagSupport.everythingOn("cpu")
            .except(Flag.NUMERICS, "qat")
            .except(Flag.INDEX_KEY_DTYPE, "fp8", "mxfp4")
            .except(Flag.INDEX_ROTATION, "hadamard")
            .except(Flag.INDEX_SCORE_DTYPE, "bf16")
            .except(Flag.INDEX_LOGITS, "gathered")
            .except(Flag.KV_DTYPE, "fp8")
            .except(Flag.ATTENTION_DECODE, "mma")
            .except(Flag.HYPER_CONNECTION_DTYPE, "bf16")
            .except(Flag.ROUTED_SCALING, "separate");

    private CpuFlags() {}
}
