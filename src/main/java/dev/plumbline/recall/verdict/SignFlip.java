package dev.plumbline.recall.verdict;

import java.util.Arrays;

/**
 * Permutation test over whole haystacks. Questions about one text fail together, so that McNemar's test counts one event
 * many times; here a haystack counts once. If nothing changed, each haystack's net loss is as likely of the other sign
 * (Fisher's randomisation test, by clusters).
 *
 * <p>All 2^G sign assignments count: the distribution of their sum is built by adding one haystack after the other, which
 * costs G times the number of cells. Nothing is drawn, so that no seed, no number of draws and no correction for the
 * observed assignment is needed: it is among those counted.
 */
final class SignFlip {
    private SignFlip() {}

    /**
     * Share of the sign assignments whose sum is at least the observed one, ties included.
     *
     * @param netLosses lost minus gained pairs of each haystack
     */
    static double oneSided(int... netLosses) {
        int[] sizes =
                Arrays.stream(netLosses).filter(net -> net != 0).map(Math::abs).toArray();
        int most = Arrays.stream(sizes).sum();
        // shares[i]: share of the assignments whose sum is i - most.
        double[] shares = new double[2 * most + 1];
        shares[most] = 1;
        int reach = 0;
        for (int size : sizes) {
            double[] next = new double[shares.length];
            for (int i = most - reach; i <= most + reach; i++) {
                next[i - size] += shares[i] / 2;
                next[i + size] += shares[i] / 2;
            }
            shares = next;
            reach += size;
        }
        int observed = Arrays.stream(netLosses).sum();
        double share = 0;
        // From the smallest shares on, which keeps the rounding small.
        for (int sum = most; sum >= observed; sum--) {
            share += shares[most + sum];
        }
        return Math.min(1, share);
    }
}
