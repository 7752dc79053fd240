package dev.plumbline.kernel;

/** Row-major float elements of a weight, read in pieces so that a conversion never holds a whole tensor twice. */
@FunctionalInterface
public interface WeightSource {

    /** Reads {@code length} elements starting at element {@code from} into {@code target} at {@code offset}. */
    void read(long from, float[] target, int offset, int length);

    /**
     * Stacks two matrices of equal width on the row axis; the first has {@code firstElements} elements.
     */
    static WeightSource stack(WeightSource first, long firstElements, WeightSource second) {
        return (from, target, offset, length) -> {
            int head = (int) Math.max(0, Math.min(length, firstElements - from));
            if (head > 0) {
                first.read(from, target, offset, head);
            }
            if (length > head) {
                second.read(from + head - firstElements, target, offset + head, length - head);
            }
        };
    }

    /** The elements from {@code start} on. */
    default WeightSource skip(long start) {
        return (from, target, offset, length) -> read(start + from, target, offset, length);
    }
}
