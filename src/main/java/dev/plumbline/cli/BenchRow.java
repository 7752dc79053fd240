package dev.plumbline.cli;

import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * Speed and memory at one length and batch size; medians of the runs.
 *
 * @param length tokens of each prompt
 * @param batch sequences at once
 * @param prefillTokS see {@link BenchSample}
 * @param decodeTokS see {@link BenchSample}
 * @param ttftMs see {@link BenchSample}
 * @param peakPssMb highest memory of the whole process tree in these runs, MiB, with what earlier rows
 *     took and did not give back; null where the system does not tell
 * @param runs every run
 */
record BenchRow(
        int length,
        int batch,
        double prefillTokS,
        double decodeTokS,
        double ttftMs,
        Long peakPssMb,
        List<BenchSample> runs) {

    static BenchRow of(int length, int batch, List<BenchSample> runs, OptionalLong peakMib) {
        return new BenchRow(
                length,
                batch,
                median(runs, BenchSample::prefillTokS),
                median(runs, BenchSample::decodeTokS),
                median(runs, BenchSample::ttftMs),
                peakMib.isPresent() ? peakMib.getAsLong() : null,
                List.copyOf(runs));
    }

    private static double median(List<BenchSample> runs, ToDoubleFunction<BenchSample> value) {
        return median(runs.stream().mapToDouble(value));
    }

    static double median(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
