package dev.plumbline.cli;

import dev.plumbline.recall.Asker;
import dev.plumbline.recall.Cell;
import dev.plumbline.recall.CellResult;
import dev.plumbline.recall.CellRunner;
import dev.plumbline.recall.Depth;
import dev.plumbline.recall.Family;
import dev.plumbline.recall.FillerSource;
import dev.plumbline.recall.ModelCodec;
import dev.plumbline.recall.PromptBuilder;
import dev.plumbline.recall.PromptLengthException;
import dev.plumbline.recall.Scorer;
import dev.plumbline.recall.sweep.Grid;
import dev.plumbline.recall.sweep.SweepResult;
import dev.plumbline.target.ModelLocator;
import dev.plumbline.target.NativeTarget;
import dev.plumbline.target.TargetLoader;
import dev.plumbline.target.TargetOptions;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code sweep}: recall by length and depth in the user's own file. */
@Command(
        name = "sweep",
        mixinStandardHelpOptions = true,
        description =
                "Plants random secrets in your own text file, asks for them, and prints recall by length and depth.")
final class SweepCommand implements Callable<Integer> {
    private static final int SHORT_PROMPT = 1024;

    @Spec
    private CommandSpec spec;

    @Mixin
    private TargetMixin target;

    @Option(names = "--file", required = true, paramLabel = "FILE", description = "UTF-8 text to hide the secrets in.")
    private Path file;

    @Option(
            names = "--lengths",
            split = ",",
            paramLabel = "N",
            defaultValue = "338,1024,2048,4096,8192,16384,22597",
            description = "Tokens of the whole prompt, met exactly (default: ${DEFAULT-VALUE}).")
    private List<Integer> lengths;

    @Option(
            names = "--depths",
            split = ",",
            paramLabel = "DEPTH",
            defaultValue = "start,middle,end",
            description =
                    "start, middle, end, fractions such as 0.25 or shares such as 25%% (default: ${DEFAULT-VALUE}).")
    private List<String> depths;

    @Option(
            names = "--needles",
            paramLabel = "N",
            defaultValue = "5",
            description = "Secrets per length and depth, each asked on its own (default: ${DEFAULT-VALUE}).")
    private int needles;

    @Option(
            names = "--task",
            paramLabel = "FAMILY",
            defaultValue = "single",
            description =
                    "single, many-keys, several-values, repeated, earlier-turn or absent (default: ${DEFAULT-VALUE}).")
    private String task;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Equal seeds give equal prompts (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "table, csv or json (default: what the name of --out ends in, else table).")
    private String format;

    @Option(names = "--out", paramLabel = "FILE", description = "Also write the report to a file.")
    private Path out;

    @Override
    public Integer call() {
        SweepFormat chosen = checked("--format", () -> SweepFormat.choose(format, out));
        Grid grid = grid();
        FillerSource filler = checked("--file", () -> FillerSource.file(file));
        String refusal = out == null ? null : OutputFile.refusal(out);
        if (refusal != null) {
            throw new ParameterException(spec.commandLine(), "--out " + out + ": " + refusal);
        }
        TargetOptions options = target.options();
        PrintWriter err = spec.commandLine().getErr();
        try (NativeTarget loaded = new TargetLoader(ModelLocator.standard(), err::println).load(options)) {
            LengthsOption.check(spec, grid.lengths(), loaded.status().maxContext(), CellRunner.ANSWER_TOKENS);
            report(ask(grid, filler, loaded, options), chosen);
        }
        return 0;
    }

    private Grid grid() {
        if (needles < 1) {
            throw new ParameterException(spec.commandLine(), "--needles " + needles + ": allowed are 1 and more");
        }
        Family family = checked("--task", () -> Family.of(task));
        List<Depth> places = depths.stream()
                .map(depth -> checked("--depths", () -> Depth.of(depth)))
                .toList();
        return new Grid(family, lengths, places, needles, seed);
    }

    private SweepResult ask(Grid grid, FillerSource filler, NativeTarget loaded, TargetOptions options) {
        ModelCodec codec = new ModelCodec(loaded.tokenizer(), loaded.encoding());
        PromptBuilder builder = PromptBuilder.in(filler, codec);
        List<Cell> cells = grid.cells();
        // Only a short prompt can lack room for its question; say so before any time is spent on the others.
        checked("--lengths", () -> {
            cells.stream().filter(cell -> cell.length() < SHORT_PROMPT).forEach(builder::build);
            return null;
        });
        Asker asker = new Asker(loaded.engine(), Set.of(loaded.encoding().endOfSentence()));
        CellRunner runner = new CellRunner(builder, codec, asker, Scorer.containing());
        String date = Machine.now();
        List<CellResult> results = CellLoop.run(runner, cells, "sweep");
        Map<String, String> about = new LinkedHashMap<>();
        about.put("file", file.toString());
        about.putAll(TargetFacts.of(loaded, options));
        about.put("date", date);
        about.putAll(Machine.facts());
        return new SweepResult(about, grid, results);
    }

    private void report(SweepResult sweep, SweepFormat chosen) {
        PrintWriter terminal = spec.commandLine().getOut();
        if (out == null) {
            terminal.print(chosen.render(sweep));
        } else {
            terminal.print(SweepFormat.TABLE.render(sweep));
            OutputFile.write(out, chosen.render(sweep));
            terminal.println("\nWritten to " + out);
        }
        terminal.flush();
    }

    /** Turns what a value object refuses into an error that names the option. */
    private <T> T checked(String option, Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException | PromptLengthException e) {
            throw new ParameterException(spec.commandLine(), option + ": " + e.getMessage(), e);
        }
    }
}
