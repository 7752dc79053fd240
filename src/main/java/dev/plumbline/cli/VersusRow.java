package dev.plumbline.cli;

import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Two run configs at one length and batch size, measured in turns on the same prompts.
 *
 * @param a the first config
 * @param b the second
 * @param prefillRatio median over the runs of b's prefill speed by a's
 * @param decodeRatio the same for decode speed
 * @param ttftRatio the same for the time to the first token
 */
record VersusRow(BenchRow a, BenchRow b, double prefillRatio, double decodeRatio, double ttftRatio) {

    static VersusRow of(int length, int batch, List<BenchSample> a, List<BenchSample> b) {
        return new VersusRow(
                BenchRow.of(length, batch, a, OptionalLong.empty()),
                BenchRow.of(length, batch, b, OptionalLong.empty()),
                ratio(a, b, BenchSample::prefillTokS),
                ratio(a, b, BenchSample::decodeTokS),
                ratio(a, b, BenchSample::ttftMs));
    }

    private static double ratio(List<BenchSample> a, List<BenchSample> b, ToDoubleFunction<BenchSample> value) {
        return BenchRow.median(IntStream.range(0, a.size())
                .mapToDouble(run -> value.applyAsDouble(b.get(run)) / value.applyAsDouble(a.get(run))));
    }
}
