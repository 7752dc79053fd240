package dev.plumbline.cli;

import dev.plumbline.engine.EngineStatus;
import dev.plumbline.engine.LaneKey;
import dev.plumbline.target.ModelLocator;
import dev.plumbline.target.NativeTarget;
import dev.plumbline.target.TargetLoader;
import dev.plumbline.target.TargetOptions;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench}: speed and memory by length and batch size, of one run config, of two in turns, or of a switch. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = "Measures prefill and decode speed, time to first token and memory; two run configs in turns; or"
                + " what a switch between them costs.")
final class BenchCommand implements Callable<Integer> {
    private static final int WARM_UP = 512;
    private static final List<Integer> LENGTHS = List.of(1024, 4096, 8192, 16_384, 22_597);
    private static final List<Integer> BATCHES = List.of(1, 8);
    private static final int SWITCH_LENGTH = 4096;
    private static final int SWITCH_STREAMS = 8;

    @Spec
    private CommandSpec spec;

    @Mixin
    private TargetMixin target;

    @Mixin
    private DataMixin data;

    @Option(
            names = "--lengths",
            split = ",",
            paramLabel = "N",
            description = "Tokens of a prompt (default: 1024,4096,8192,16384,22597; with --switch: 4096).")
    private List<Integer> lengths;

    @Option(
            names = "--batches",
            split = ",",
            paramLabel = "N",
            description = "Sequences at once (default: 1,8; with --switch: 8).")
    private List<Integer> batches;

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "5",
            description = "Runs that the median is taken of, or switches (default: ${DEFAULT-VALUE}).")
    private int runs;

    @Option(
            names = "--config",
            paramLabel = "CONFIG",
            description = "Run config to measure: " + ConfigArgument.ALLOWED + "; with --data or " + DataMixin.URL
                    + ", names are those of the database (default: the flags given).")
    private String config;

    @Option(names = "--vs", paramLabel = "CONFIG", description = "Second run config, measured in turns with the first.")
    private String vs;

    @Option(names = "--switch", description = "Measure switches from --config to --vs while streams run.")
    private boolean switching;

    @Mixin
    private ReportOut out;

    @Override
    public Integer call() {
        TargetOptions options = target.optionsToMeasure(spec.commandLine().getOut()::println);
        lengths = sorted(lengths, switching ? List.of(SWITCH_LENGTH) : LENGTHS);
        batches = sorted(batches, switching ? List.of(SWITCH_STREAMS) : BATCHES);
        check(options);
        ConfigArgument first = config == null ? null : ConfigArgument.of(spec, "--config", config, data.runConfigs());
        ConfigArgument second = vs == null ? null : ConfigArgument.of(spec, "--vs", vs, data.runConfigs());
        PrintWriter err = spec.commandLine().getErr();
        String date = Machine.now();
        try (NativeTarget loaded = new TargetLoader(ModelLocator.standard(), err::println).load(options)) {
            EngineStatus status = loaded.status();
            LaneKey a = first == null ? status.active() : first.lane(status.profile(), status.config());
            LaneKey b = second == null ? null : second.lane(status.profile(), status.config());
            checkLengths(status.maxContext(), a);
            if (switching) {
                switches(loaded, options, date, a, b);
            } else if (b != null) {
                versus(loaded, options, date, a, b);
            } else {
                loaded.activate(a).block();
                alone(loaded, options, date);
            }
        }
        return 0;
    }

    private void alone(NativeTarget loaded, TargetOptions options, String date) {
        BenchReport report = new BenchReport(TargetFacts.of(loaded, options), Machine.facts(), date, measure(loaded));
        out.print(report.table(), report);
    }

    private void versus(NativeTarget loaded, TargetOptions options, String date, LaneKey a, LaneKey b) {
        BenchVersus bench = new BenchVersus(loaded, a, b);
        VersusReport report = new VersusReport(
                TargetFacts.of(loaded, options),
                Machine.facts(),
                date,
                bench.a().flags(),
                bench.b().flags(),
                bench.measure(lengths, batches, runs));
        out.print(report.table(), report);
    }

    private void switches(NativeTarget loaded, TargetOptions options, String date, LaneKey a, LaneKey b) {
        BenchSwitch bench = new BenchSwitch(loaded, a, b);
        int length = lengths.get(0);
        int streams = batches.get(0);
        List<SwitchSample> samples = new ArrayList<>();
        try (Progress progress = Progress.of("bench", (long) runs * length * streams, System.err)) {
            for (int run = 1; run <= runs; run++) {
                samples.add(bench.run(run, length, streams));
                progress.done((long) length * streams, "switch " + run);
            }
        }
        loaded.activate(a).block();
        SwitchReport report = new SwitchReport(
                TargetFacts.of(loaded, options), Machine.facts(), date, b.label(), streams, length, samples);
        out.print(report.table(), report);
    }

    /** Small batches and short prompts first, in the warm-up too: memory once taken is not always given back. */
    private List<BenchRow> measure(NativeTarget loaded) {
        BenchRun bench = new BenchRun(loaded);
        bench.run(Math.min(WARM_UP, lengths.get(0)), 1);
        List<BenchRow> rows = new ArrayList<>();
        long tokens = batches.stream().mapToLong(batch -> batch * total()).sum();
        try (Progress progress = Progress.of("bench", tokens, System.err)) {
            for (int batch : batches) {
                for (int length : lengths) {
                    rows.add(row(bench, length, batch, progress));
                }
            }
        }
        return rows;
    }

    private BenchRow row(BenchRun bench, int length, int batch, Progress progress) {
        List<BenchSample> samples = new ArrayList<>();
        try (ProcessMemory memory = new ProcessMemory()) {
            for (int run = 0; run < runs; run++) {
                samples.add(bench.run(length, batch));
                progress.done((long) length * batch, length + " tokens, batch " + batch);
            }
            return BenchRow.of(length, batch, samples, memory.peakMib());
        }
    }

    private long total() {
        return runs * lengths.stream().mapToLong(Integer::longValue).sum();
    }

    private static List<Integer> sorted(List<Integer> given, List<Integer> standard) {
        return (given == null ? standard : given).stream().sorted().toList();
    }

    private void check(TargetOptions options) {
        refuseIf(runs < 1, "--runs " + runs + ": allowed are 1 and more");
        for (int batch : batches) {
            refuseIf(
                    batch < 1 || batch > options.maxSequences(),
                    "--batches " + batch + ": allowed are 1 to " + options.maxSequences() + " (--max-sequences)");
        }
        refuseIf(switching && vs == null, "--switch needs --vs, the run config to switch to");
        int most = Collections.max(batches);
        refuseIf(
                switching && most >= options.maxSequences(),
                "--batches " + most + ": with --switch allowed are 1 to " + (options.maxSequences() - 1)
                        + ", one place less than --max-sequences");
        refuseIf(
                switching && (lengths.size() > 1 || batches.size() > 1),
                "--switch takes one of --lengths and one of --batches");
        out.check();
    }

    private void checkLengths(int maxContext, LaneKey lane) {
        for (int length : lengths) {
            int chunk = lane.profile().prefillChunk();
            int room = switching
                    ? 4 * BenchSwitch.NORMAL + batches.get(0) * (length / chunk + 1)
                    : BenchRun.answerTokens(length, Collections.max(batches), chunk);
            LengthsOption.check(spec, List.of(length), maxContext, room);
        }
    }

    private void refuseIf(boolean wrong, String message) {
        if (wrong) {
            throw new ParameterException(spec.commandLine(), message);
        }
    }
}
