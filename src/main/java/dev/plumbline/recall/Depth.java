package dev.plumbline.recall;

import java.util.Map;

/**
 * Where in the text a needle goes.
 *
 * @param label as the user wrote it
 * @param fraction of the text's tokens before the needle, 0 to 1
 */
public record Depth(String label, double fraction) {
    private static final Map<String, Double> NAMED = Map.of("start", 0.0, "middle", 0.5, "end", 1.0);

    /**
     * Reads {@code start}, {@code middle}, {@code end}, a fraction such as {@code 0.25}, or a share such as {@code 25%}.
     *
     * @throws IllegalArgumentException naming the allowed spellings
     */
    public static Depth of(String label) {
        Double named = NAMED.get(label);
        double fraction = named != null ? named : number(label);
        if (!(fraction >= 0 && fraction <= 1)) {
            throw new IllegalArgumentException(label
                    + " is no depth; allowed: start, middle, end, a fraction from 0 to 1, or a share such as 25%");
        }
        return new Depth(label, fraction);
    }

    private static double number(String label) {
        try {
            return label.endsWith("%")
                    ? Double.parseDouble(label.substring(0, label.length() - 1)) / 100
                    : Double.parseDouble(label);
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }
}
