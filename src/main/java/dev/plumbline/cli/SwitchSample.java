package dev.plumbline.cli;

import java.util.Arrays;

/**
 * One switch to another run config under load, in milliseconds.
 *
 * @param tensorsRead stored tensors that were read for it
 * @param activeMs from the wish until new requests got the config
 * @param firstTokenMs from the wish to the first token of a short request on the config
 * @param normalP50 median time between two tokens of a stream before
 * @param normalP99 99th percentile of it
 * @param arrivalP99 the same while a short request came on the config that was active, and nothing was switched
 * @param arrivalMax longest in that time
 * @param switchP99 99th percentile of it from the wish to the new request's first token
 * @param switchMax longest in that time
 * @param gaps how many the latter two are of
 */
record SwitchSample(
        long tensorsRead,
        double activeMs,
        double firstTokenMs,
        double normalP50,
        double normalP99,
        double arrivalP99,
        double arrivalMax,
        double switchP99,
        double switchMax,
        int gaps) {
    private static final double NANOS_PER_MILLI = 1e6;

    static SwitchSample of(
            long tensorsRead,
            long wish,
            long active,
            long firstToken,
            long[] normal,
            long[] arrival,
            long[] switching) {
        Arrays.sort(normal);
        Arrays.sort(arrival);
        Arrays.sort(switching);
        return new SwitchSample(
                tensorsRead,
                (active - wish) / NANOS_PER_MILLI,
                (firstToken - wish) / NANOS_PER_MILLI,
                percentile(normal, 50),
                percentile(normal, 99),
                percentile(arrival, 99),
                percentile(arrival, 100),
                percentile(switching, 99),
                percentile(switching, 100),
                switching.length);
    }

    /** The nearest rank. */
    private static double percentile(long[] sorted, int percent) {
        int rank = Math.max(1, (sorted.length * percent + 99) / 100);
        return sorted.length == 0 ? Double.NaN : sorted[rank - 1] / NANOS_PER_MILLI;
    }

    /** How much longer than normal a stream waited for a token. */
    double ratio() {
        return switchP99 / normalP99;
    }

    /** How much longer than when a request comes and nothing is switched. */
    double arrivalRatio() {
        return switchP99 / arrivalP99;
    }
}
