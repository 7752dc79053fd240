package dev.plumbline.cli;

import dev.plumbline.target.ModelLocator;
import dev.plumbline.target.NativeTarget;
import dev.plumbline.target.TargetLoader;
import dev.plumbline.target.TargetOptions;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
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

/** {@code bench}: speed and memory by length and batch size. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = "Measures prefill and decode speed, time to first token and memory.")
final class BenchCommand implements Callable<Integer> {
    private static final int WARM_UP = 512;

    @Spec
    private CommandSpec spec;

    @Mixin
    private TargetMixin target;

    @Option(
            names = "--lengths",
            split = ",",
            paramLabel = "N",
            defaultValue = "1024,4096,8192,16384,22597",
            description = "Tokens of a prompt (default: ${DEFAULT-VALUE}).")
    private List<Integer> lengths;

    @Option(
            names = "--batches",
            split = ",",
            paramLabel = "N",
            defaultValue = "1,8",
            description = "Sequences at once (default: ${DEFAULT-VALUE}).")
    private List<Integer> batches;

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "5",
            description = "Runs that the median is taken of (default: ${DEFAULT-VALUE}).")
    private int runs;

    @Option(names = "--out", paramLabel = "FILE", description = "Write everything as JSON.")
    private Path out;

    @Override
    public Integer call() {
        TargetOptions options = target.options();
        check(options);
        PrintWriter err = spec.commandLine().getErr();
        String date = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        try (NativeTarget loaded = new TargetLoader(ModelLocator.standard(), err::println).load(options)) {
            int chunk = loaded.status().profile().prefillChunk();
            for (int length : lengths) {
                int room = BenchRun.answerTokens(length, Collections.max(batches), chunk);
                LengthsOption.check(spec, List.of(length), loaded.status().maxContext(), room);
            }
            BenchReport report =
                    new BenchReport(TargetFacts.of(loaded, options), Machine.facts(), date, measure(loaded));
            PrintWriter terminal = spec.commandLine().getOut();
            terminal.print(report.table());
            if (out != null) {
                OutputFile.write(out, report.json());
                terminal.println("\nWritten to " + out);
            }
            terminal.flush();
        }
        return 0;
    }

    /** Small batches and short prompts first, in the warm-up too: memory once taken is not always given back. */
    private List<BenchRow> measure(NativeTarget loaded) {
        BenchRun bench = new BenchRun(loaded);
        bench.run(Math.min(WARM_UP, Collections.min(lengths)), 1);
        List<BenchRow> rows = new ArrayList<>();
        long tokens = batches.stream().mapToLong(batch -> batch * total()).sum();
        try (Progress progress = Progress.of("bench", tokens, System.err)) {
            for (int batch : batches.stream().sorted().toList()) {
                for (int length : lengths.stream().sorted().toList()) {
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

    private void check(TargetOptions options) {
        refuseIf(runs < 1, "--runs " + runs + ": allowed are 1 and more");
        for (int batch : batches) {
            refuseIf(
                    batch < 1 || batch > options.maxSequences(),
                    "--batches " + batch + ": allowed are 1 to " + options.maxSequences() + " (--max-sequences)");
        }
        String refusal = out == null ? null : OutputFile.refusal(out);
        refuseIf(refusal != null, "--out " + out + ": " + refusal);
    }

    private void refuseIf(boolean wrong, String message) {
        if (wrong) {
            throw new ParameterException(spec.commandLine(), message);
        }
    }
}
