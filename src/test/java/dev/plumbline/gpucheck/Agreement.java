package dev.plumbline.gpucheck;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * How far what two backends computed agrees. Two correct backends round a sum differently now and then, and so choose
 * another of two entries, or of two experts, that are equal within that; that position then has other logits. Medians
 * over positions do not see such a position, and see what is wrong everywhere.
 *
 * @param prefill median over the positions of the prefill stage of the normalised squared error of a position's logits
 * @param decode the same over those of the decode stage
 * @param whole normalised squared error of all logits
 * @param sets selections, one a position and layer
 * @param equalSets those that are equal as sets
 * @param unexplained those that differ in an entry whose score is not that of the cut within rounding
 */
record Agreement(double prefill, double decode, double whole, int sets, int equalSets, int unexplained) {
    /** Relative distance from the cut that two sums of another order may swap. */
    private static final double ROUNDING = 1e-5;

    /** Compares; positions from {@code decodeFrom} on are of the decode stage. */
    static Agreement between(Observed expected, Observed actual, int decodeFrom) {
        int positions = expected.positions();
        int sets = 0;
        int equal = 0;
        int unexplained = 0;
        double[] errors = new double[positions];
        Error whole = new Error();
        for (int position = 0; position < positions; position++) {
            for (int layer : expected.layers()) {
                sets++;
                if (same(expected.selection(layer, position), actual.selection(layer, position))) {
                    equal++;
                } else if (!explained(expected, actual, layer, position)) {
                    unexplained++;
                }
            }
            Error own = new Error();
            own.add(expected.logits(position), actual.logits(position));
            errors[position] = own.value();
            whole.add(expected.logits(position), actual.logits(position));
        }
        return new Agreement(
                median(Arrays.copyOf(errors, decodeFrom)),
                median(Arrays.copyOfRange(errors, decodeFrom, positions)),
                whole.value(),
                sets,
                equal,
                unexplained);
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }

    private static boolean same(int[] one, int[] other) {
        return set(one).equals(set(other));
    }

    private static Set<Integer> set(int[] ids) {
        return Arrays.stream(ids).filter(id -> id >= 0).boxed().collect(Collectors.toCollection(TreeSet::new));
    }

    /** Whether every entry that only one chose has the score of the cut, within what the two backends' scores differ by. */
    private static boolean explained(Observed expected, Observed actual, int layer, int position) {
        float[] one = expected.scores(layer, position);
        float[] other = actual.scores(layer, position);
        Set<Integer> chosen = set(expected.selection(layer, position));
        Set<Integer> differing = set(actual.selection(layer, position));
        if (chosen.size() != differing.size()) {
            return false;
        }
        Set<Integer> common = new TreeSet<>(chosen);
        common.retainAll(differing);
        differing.addAll(chosen);
        differing.removeAll(common);
        double cut = chosen.stream().mapToDouble(id -> one[id]).min().orElse(0);
        double allowed = ROUNDING * Math.max(1, Math.abs(cut));
        for (int entry = 0; entry < one.length; entry++) {
            allowed = Math.max(allowed, 2 * Math.abs((double) one[entry] - other[entry]));
        }
        double most = allowed;
        return differing.stream().allMatch(id -> id < one.length && Math.abs(one[id] - cut) <= most);
    }

    private static final class Error {
        private double difference;
        private double power;

        void add(float[] expected, float[] actual) {
            for (int i = 0; i < expected.length; i++) {
                double off = (double) actual[i] - expected[i];
                difference += off * off;
                power += (double) expected[i] * expected[i];
            }
        }

        double value() {
            return power == 0 ? difference : difference / power;
        }
    }
}
