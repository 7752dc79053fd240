package dev.plumbline.cli;

import com.sun.management.OperatingSystemMXBean;
import dev.plumbline.recall.Asker;
import dev.plumbline.recall.Cell;
import dev.plumbline.recall.Depth;
import dev.plumbline.recall.Family;
import dev.plumbline.recall.ModelCodec;
import dev.plumbline.recall.PromptBuilder;
import dev.plumbline.recall.Reply;
import dev.plumbline.recall.TextTable;
import dev.plumbline.target.ModelLocator;
import dev.plumbline.target.NativeTarget;
import dev.plumbline.target.TargetLoader;
import dev.plumbline.target.TargetOptions;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench-trace}: what selection traces cost, as ratios of interleaved runs. */
@Command(
        name = "bench-trace",
        mixinStandardHelpOptions = true,
        description = "Measures what selection traces cost: time with a trace over time without one, in turns.")
final class BenchTraceCommand implements Callable<Integer> {
    private static final int DECODED = 64;
    private static final Depth DEPTH = Depth.of("middle");

    @Spec
    private CommandSpec spec;

    @Mixin
    private TargetMixin target;

    @Option(
            names = "--lengths",
            split = ",",
            paramLabel = "N",
            defaultValue = "8192",
            description = "Tokens of a prompt (default: ${DEFAULT-VALUE}).")
    private List<Integer> lengths;

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "7",
            description = "Rounds that the median ratio is taken of (default: ${DEFAULT-VALUE}).")
    private int runs;

    @Mixin
    private ReportOut out;

    /** Everything that was measured. */
    private record Report(
            Map<String, String> about, Map<String, String> machine, String date, List<TraceCost> results) {}

    @Override
    public Integer call() {
        TargetOptions options = target.optionsToMeasure(spec.commandLine().getOut()::println);
        if (runs < 1) {
            throw new ParameterException(spec.commandLine(), "--runs " + runs + ": allowed are 1 and more");
        }
        out.check();
        PrintWriter err = spec.commandLine().getErr();
        String date = Machine.now();
        try (NativeTarget loaded = new TargetLoader(ModelLocator.standard(), err::println).load(options)) {
            LengthsOption.check(spec, lengths, loaded.status().maxContext(), DECODED + 1);
            List<TraceCost> costs = new ArrayList<>();
            for (int length : lengths) {
                costs.addAll(measure(loaded, length));
            }
            out.print(table(costs), new Report(TargetFacts.of(loaded, options), Machine.facts(), date, costs));
        }
        return 0;
    }

    /** Each round runs every kind once, beginning with another one, on prompts of its own. */
    private List<TraceCost> measure(NativeTarget loaded, int length) {
        PromptBuilder builder = PromptBuilder.inHeldOutTexts(new ModelCodec(loaded.tokenizer(), loaded.encoding()));
        // Without stop tokens every answer has the same length.
        Asker asker = new Asker(loaded.engine(), Set.of());
        TracedQueries[] kinds = TracedQueries.values();
        Map<TracedQueries, List<TraceCost.Run>> runsOf = new EnumMap<>(TracedQueries.class);
        for (TracedQueries kind : kinds) {
            runsOf.put(kind, new ArrayList<>());
        }
        long seed = 0;
        try (Progress progress = Progress.of("bench-trace", (runs + 1L) * kinds.length * length, System.err)) {
            for (int round = -1; round < runs; round++) {
                for (int i = 0; i < kinds.length; i++) {
                    TracedQueries kind = kinds[Math.floorMod(round + i, kinds.length)];
                    int[] prompt = builder.build(new Cell(Family.SINGLE, length, DEPTH, seed++))
                            .tokens();
                    long before = cpuNanos();
                    Reply reply = asker.submit(prompt, DECODED + 1, kind.request(prompt.length))
                            .join();
                    TraceCost.Run run = new TraceCost.Run(reply, cpuNanos() - before);
                    if (round >= 0) {
                        runsOf.get(kind).add(run);
                    }
                    progress.done(length, length + " tokens, " + kind.label());
                }
            }
        }
        List<TraceCost> costs = new ArrayList<>();
        for (TracedQueries kind : kinds) {
            if (kind != TracedQueries.NONE) {
                costs.add(TraceCost.of(length, kind, runsOf.get(TracedQueries.NONE), runsOf.get(kind)));
            }
        }
        return costs;
    }

    private static long cpuNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    private static String table(List<TraceCost> costs) {
        TextTable table =
                new TextTable(List.of("length", "queries", "prefill", "decode", "together", "processor", "rounds"));
        for (TraceCost cost : costs) {
            table.row(List.of(
                    String.valueOf(cost.length()),
                    cost.queries(),
                    ratio(cost.prefillRatio()),
                    ratio(cost.decodeRatio()),
                    ratio(cost.totalRatio()),
                    ratio(cost.cpuRatio()),
                    String.valueOf(cost.rounds())));
        }
        return table.render();
    }

    private static String ratio(double value) {
        return String.format(Locale.ROOT, "×%.3f", value);
    }
}
