package dev.plumbline.kernel;

/** A matrix [outputs, inputs] in a backend's own layout, converted once to its compute form. */
public interface LinearWeight extends AutoCloseable {

    /** Rows of the matrix. */
    int outputs();

    /** Columns of the matrix. */
    int inputs();

    /** FP32, or BF16: both operands rounded to bf16 (nearest even), accumulation in fp32. */
    DType form();

    /** Bytes the backend holds for it, padding included. */
    long bytes();

    @Override
    void close();
}
