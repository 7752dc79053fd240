package dev.plumbline.kernel.cpu;

import dev.plumbline.kernel.KernelException;
import dev.plumbline.kernel.Variant;

/** Variant ids of the library as objects, made once each. */
final class Variants {
    private Variant[] known = new Variant[64];

    Variant of(long id) {
        int index = Math.toIntExact(id);
        if (index < known.length && known[index] != null) {
            return known[index];
        }
        String name = Native.variantName(id);
        if (name == null) {
            throw new KernelException("the native library reported the unknown variant " + id);
        }
        if (index >= known.length) {
            known = java.util.Arrays.copyOf(known, Integer.highestOneBit(index) * 2);
        }
        known[index] = new Variant(name);
        return known[index];
    }
}
