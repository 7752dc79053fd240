package dev.plumbline.kernel;

/** Element type of a tensor on a backend. */
public enum DType {
    FP32(4),
    BF16(2),
    INT32(4),
    /** Bytes of pages whose format says what they mean. */
    BYTE(1);

    private final int bytes;

    DType(int bytes) {
        this.bytes = bytes;
    }

    /** Bytes of one element. */
    public int bytes() {
        return bytes;
    }
}
