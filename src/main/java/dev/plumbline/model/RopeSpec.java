package dev.plumbline.model;

/**
 * One set of rotary frequencies over {@code dims} dimensions (interleaved pairs), spec section 1.3.
 *
 * @param dims rotated dimensions, even
 * @param theta base of the frequencies
 * @param yarn the YaRN correction, or null for none
 */
public record RopeSpec(int dims, double theta, Yarn yarn) {

    /** YaRN parameters; cos and sin are never scaled (attention factor 1). */
    public record Yarn(double factor, long originalMaxPositions, double betaFast, double betaSlow) {}

    /**
     * Angular frequencies.
     *
     * @return [dims / 2] radians per position, computed in double and rounded once to float
     */
    public float[] frequencies() {
        float[] frequencies = new float[dims / 2];
        for (int i = 0; i < frequencies.length; i++) {
            double plain = Math.pow(theta, -2.0 * i / dims);
            frequencies[i] = (float) (yarn == null ? plain : corrected(plain, i));
        }
        return frequencies;
    }

    private double corrected(double plain, int pair) {
        double low = Math.max(Math.floor(correctionDim(yarn.betaFast())), 0);
        double high = Math.min(Math.ceil(correctionDim(yarn.betaSlow())), dims - 1);
        if (low == high) {
            high += 0.001;
        }
        double ramp = Math.min(1, Math.max(0, (pair - low) / (high - low)));
        return plain / yarn.factor() * ramp + plain * (1 - ramp);
    }

    private double correctionDim(double rotations) {
        return dims * Math.log(yarn.originalMaxPositions() / (rotations * 2 * Math.PI)) / (2 * Math.log(theta));
    }
}
