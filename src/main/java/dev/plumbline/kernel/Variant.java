package dev.plumbline.kernel;

/**
 * Which implementation served a kernel call, as the backend itself reported it, such as {@code linear.bf16.avx512bf16}.
 *
 * @param id kernel, arithmetic and instruction set, joined by dots
 */
public record Variant(String id) {
    @Override
    public String toString() {
        return id;
    }
}
