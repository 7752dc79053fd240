package dev.plumbline.engine;

import dev.plumbline.kernel.DType;
import java.util.List;

/**
 * A weight in one compute form.
 *
 * @param layout how the stored tensors are arranged
 * @param tensors names of the stored tensors
 * @param part which block of rows, 0 for a whole tensor
 * @param form type on the backend
 */
record WeightKey(Layout layout, List<String> tensors, int part, DType form) {

    enum Layout {
        COPY,
        LINEAR,
        STACKED,
        BLOCK,
        /** Values of the configuration instead of a stored tensor. */
        CONSTANT
    }

    /** Stored tensors that bringing it reads; blocks of one tensor count once. */
    int reads() {
        return part == 0 && layout != Layout.CONSTANT ? tensors.size() : 0;
    }
}
