package dev.plumbline.kernel;

/**
 * One compressor (spec sections 3.5 and 3.6). With c = 2 when overlapping, else 1, and d = headDim, a projected row
 * holds kv (c·d) then gate (c·d).
 *
 * @param ratio m, tokens per entry
 * @param overlapping whether entry w also pools the series-A half of window w − 1
 * @param headDim d, width of an entry
 * @param ape [m, c·d] fp32, added to the gates
 * @param norm [d] fp32, RMS norm weight
 * @param eps epsilon of that norm
 * @param frequencies [R / 2] fp32, rotation of the last R dims at position m·w
 */
public record CompressorWeights(
        int ratio, boolean overlapping, int headDim, Tensor ape, Tensor norm, float eps, Tensor frequencies) {

    /** c: series per token. */
    public int series() {
        return overlapping ? 2 : 1;
    }

    /** Width of a projected row: kv and gate of every series. */
    public int projectedWidth() {
        return 2 * series() * headDim;
    }

    /** Tokens the state ring must remember. */
    public int stateTokens() {
        return series() * ratio;
    }
}
