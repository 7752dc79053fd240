package dev.plumbline.engine;

import dev.plumbline.kernel.Tensor;

/** Observes taps, on the thread that runs the forward pass. The tensor is valid during the call only. */
public interface TapListener {

    /** Wants nothing. */
    TapListener NONE = new TapListener() {
        @Override
        public boolean wants(Tap tap, int layer) {
            return false;
        }

        @Override
        public void onTap(Tap tap, int layer, int firstRow, Tensor value) {}
    };

    /** Whether {@link #onTap} should be called for this tap of this layer. */
    boolean wants(Tap tap, int layer);

    /**
     * A tapped value.
     *
     * @param firstRow row of the step that the value's first row belongs to
     */
    void onTap(Tap tap, int layer, int firstRow, Tensor value);
}
