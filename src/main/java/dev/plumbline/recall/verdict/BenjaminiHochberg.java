package dev.plumbline.recall.verdict;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Adjusts p-values of several strata so that of the strata called changed, at most the chosen share is wrong on average.
 * Benjamini and Hochberg, "Controlling the false discovery rate", Journal of the Royal Statistical Society B 57 (1995)
 * 289–300.
 */
final class BenjaminiHochberg {
    private BenjaminiHochberg() {}

    /** min over j ≥ i of m p(j) / j for the i-th smallest of m values, at most 1; in the order of the input. */
    static double[] adjusted(double... values) {
        List<Integer> falling = IntStream.range(0, values.length)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer i) -> values[i]).reversed())
                .toList();
        double[] adjusted = new double[values.length];
        double least = 1;
        for (int k = 0; k < values.length; k++) {
            int rank = values.length - k;
            int index = falling.get(k);
            least = Math.min(least, values[index] * values.length / rank);
            adjusted[index] = least;
        }
        return adjusted;
    }
}
