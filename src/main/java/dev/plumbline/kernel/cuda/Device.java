package dev.plumbline.kernel.cuda;

import java.util.Map;

/** A GPU, or what stands for one: memory, kernels and streams. Thread-safe. */
interface Device {

    /** One sentence: card, architecture, driver. */
    String description();

    /** Architecture that kernels are compiled for, such as sm_90a; part of every variant's name. */
    String architecture();

    /** Bytes of dynamic shared memory that one block may ask for. */
    int sharedLimit();

    /** Bytes of device memory. */
    long totalBytes();

    /** Bytes of device memory that nobody uses now. */
    long freeBytes();

    /** Allocates at least 1 byte, aligned to 256 on a GPU and to 16 anywhere; 0 when there is none. */
    long allocate(long bytes);

    /** Frees what {@link #allocate} gave, once everything launched has finished. */
    void free(long address, long bytes);

    /**
     * A kernel variant, compiled if need be.
     *
     * @param source file in native/cuda without its ending
     * @param expression C++ name expression listed in variants.txt
     */
    DeviceFunction function(String source, String expression);

    /** Compiles a kernel variant without loading it, so that {@link #function} need not. */
    default void compile(String source, String expression) {}

    /** SHA-256 in hex of each kernel variant compiled so far, by its name expression; nothing where none is compiled. */
    default Map<String, String> code() {
        return Map.of();
    }

    /** A new stream of work. */
    DeviceStream openStream();
}
