package dev.plumbline.kernel;

/** Element type of a tensor on a backend. */
public enum DType {
    FP32(4),
    BF16(2),
    INT32(4);

    private final int bytes;

    DType(int bytes) {
        this.bytes = bytes;
    }

    /** Bytes of one element. */
    public int bytes() {
        return bytes;
    }
}
