package dev.plumbline.kernel.reference;

import dev.plumbline.kernel.KeyTransform;
import dev.plumbline.kernel.Variant;
import dev.plumbline.precision.Blocks;
import java.util.Locale;

/** What {@link KeyTransform} names, on rows of floats. */
final class Transforms {
    private final Workers workers;

    Transforms(Workers workers) {
        this.workers = workers;
    }

    Variant transform(HostTensor x, KeyTransform transform) {
        int d = x.lastDim();
        int rows = d == 0 ? 0 : Math.toIntExact(x.elements() / d);
        workers.each(rows, 20L * d, i -> {
            long at = (long) i * d;
            apply(transform, x.floats(at, d), x.place(at), d, 0);
        });
        return new Variant("transform." + name(transform) + ".java");
    }

    static String name(KeyTransform transform) {
        return transform.name().toLowerCase(Locale.ROOT);
    }

    /** In place; {@code rotated} of the last dims are rotated by position. */
    static void apply(KeyTransform transform, float[] x, int from, int d, int rotated) {
        switch (transform) {
            case NONE -> {}
            case HADAMARD -> hadamard(x, from, d);
            case HADAMARD_FP4 -> {
                hadamard(x, from, d);
                Blocks.roundFp4(x, from, d);
            }
            case FP8_BLOCKS -> Blocks.roundFp8(x, from, d - rotated);
        }
    }

    private static void hadamard(float[] x, int from, int d) {
        for (int apart = 1; apart < d; apart *= 2) {
            for (int start = from; start < from + d; start += 2 * apart) {
                for (int i = start; i < start + apart; i++) {
                    float a = x[i];
                    float b = x[i + apart];
                    x[i] = a + b;
                    x[i + apart] = a - b;
                }
            }
        }
        float factor = (float) (1 / Math.sqrt(d));
        for (int i = from; i < from + d; i++) {
            x[i] *= factor;
        }
    }
}
