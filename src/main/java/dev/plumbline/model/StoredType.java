package dev.plumbline.model;

/** Element types the safetensors reader accepts. */
public enum StoredType {
    FP32(4),
    BF16(2),
    FP16(2),
    INT32(4),
    INT64(8);

    private final int bytes;

    StoredType(int bytes) {
        this.bytes = bytes;
    }

    /** Bytes of one element. */
    public int bytes() {
        return bytes;
    }
}
