package dev.plumbline.cli;

import dev.plumbline.recall.TextTable;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Switches under load.
 *
 * @param about model, backend and flags of the config that was switched from
 * @param machine what it ran on
 * @param date when it began
 * @param to what was switched to
 * @param streams how many ran
 * @param length tokens of their prompts
 * @param results a row per switch
 */
record SwitchReport(
        Map<String, String> about,
        Map<String, String> machine,
        String date,
        String to,
        int streams,
        int length,
        List<SwitchSample> results) {

    String table() {
        TextTable table = new TextTable(List.of(
                "switch",
                "tensors read",
                "active ms",
                "first token ms",
                "normal gap p50 ms",
                "p99",
                "with a new request p99 ms",
                "switching gap p99 ms",
                "max",
                "of",
                "p99 to normal",
                "to a new request"));
        for (int i = 0; i < results.size(); i++) {
            SwitchSample sample = results.get(i);
            table.row(List.of(
                    String.valueOf(i + 1),
                    String.valueOf(sample.tensorsRead()),
                    BenchReport.rounded(sample.activeMs()),
                    BenchReport.rounded(sample.firstTokenMs()),
                    tenths(sample.normalP50()),
                    tenths(sample.normalP99()),
                    tenths(sample.arrivalP99()),
                    tenths(sample.switchP99()),
                    tenths(sample.switchMax()),
                    String.valueOf(sample.gaps()),
                    tenths(sample.ratio()),
                    tenths(sample.arrivalRatio())));
        }
        return table.render() + "\nWorst of " + results.size() + " switches to " + to + " under " + streams
                + " streams at " + length + " tokens: new requests on it after "
                + BenchReport.rounded(worst(SwitchSample::activeMs)) + " ms, their first token after "
                + BenchReport.rounded(worst(SwitchSample::firstTokenMs)) + " ms, gaps of running streams "
                + tenths(worst(SwitchSample::ratio)) + " times the normal and "
                + tenths(worst(SwitchSample::arrivalRatio))
                + " times those of a new request without a switch (p99), no errors.\n";
    }

    private double worst(ToDoubleFunction<SwitchSample> value) {
        return results.stream().mapToDouble(value).max().orElseThrow();
    }

    private static String tenths(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
