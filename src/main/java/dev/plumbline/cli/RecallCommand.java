package dev.plumbline.cli;

import dev.plumbline.engine.LaneKey;
import dev.plumbline.recall.ModelCodec;
import dev.plumbline.recall.NativeCells;
import dev.plumbline.recall.Scorer;
import dev.plumbline.recall.SuitePromptBuilder;
import dev.plumbline.recall.batch.CellWork;
import dev.plumbline.recall.batch.PromptStore;
import dev.plumbline.recall.suite.Suite;
import dev.plumbline.recall.suite.SuiteCell;
import dev.plumbline.recall.table.Measurement;
import dev.plumbline.recall.table.RecallPage;
import dev.plumbline.target.ModelLocator;
import dev.plumbline.target.NativeTarget;
import dev.plumbline.target.TargetLoader;
import dev.plumbline.target.TargetOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code recall}: recall by length under every run config. Needs no database; can be stopped and gone on with. */
@Command(
        name = "recall",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {"0:all cells are done", "1:it failed", "2:wrong arguments", "4:the time was up; call it again"},
        description = "Asks a suite under every run config and prints recall by length, against the first config.")
final class RecallCommand implements Callable<Integer> {
    private static final int TIME_IS_UP = 4;
    private static final int PARALLEL = 8;

    @Spec
    private CommandSpec spec;

    @Mixin
    private TargetMixin target;

    @Option(
            names = "--configs",
            split = ",",
            paramLabel = "CONFIG[,CONFIG]",
            defaultValue = "all",
            description = "all, or some run configs, the first of them the baseline: " + ConfigArgument.ALLOWED
                    + " (default: all).")
    private List<String> configs;

    @Option(
            names = "--suite",
            paramLabel = "NAME|FILE.yaml",
            defaultValue = "sweep",
            description = "What to ask (default: ${DEFAULT-VALUE}).")
    private String suiteName;

    @Option(
            names = "--lengths",
            split = ",",
            paramLabel = "N",
            description = "Ask at these lengths only, like the suite's first stratum (default: the suite's).")
    private List<Integer> lengths = List.of();

    @Option(
            names = "--seeds",
            split = ",",
            paramLabel = "N",
            defaultValue = "1",
            description = "Other seeds hide other needles in other texts (default: ${DEFAULT-VALUE}).")
    private List<Long> seeds;

    @Option(
            names = "--parallel",
            paramLabel = "N",
            defaultValue = "" + PARALLEL,
            description = "Cells asked at once, as far as the pools reach (default: ${DEFAULT-VALUE}).")
    private int parallel;

    @Option(
            names = "--limit-seconds",
            paramLabel = "N",
            description = "Begin no cell after so many seconds; another call with the same --json goes on.")
    private Long limit;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Keep every cell in this file, and ask only what it lacks.")
    private Path json;

    @Option(names = "--keep", description = "Go on with a --json file of another commit; the page names both.")
    private boolean keep;

    @Option(names = "--out", paramLabel = "FILE.md", description = "Write the page, with all tables.")
    private Path out;

    @Option(
            names = "--render",
            arity = "1..*",
            paramLabel = "FILE.json",
            description = "Ask nothing; print the page of these files.")
    private List<Path> render = List.of();

    @Override
    public Integer call() throws IOException, InterruptedException {
        long begun = System.nanoTime();
        refuse("--json", json);
        refuse("--out", out);
        if (!render.isEmpty()) {
            List<Measurement> all = render.stream().map(this::read).toList();
            page(RecallPage.markdown(all));
            return 0;
        }
        if (parallel < 1) {
            throw new ParameterException(spec.commandLine(), "--parallel " + parallel + ": allowed are 1 and more");
        }
        Suite suite = SuiteArgument.of(spec, suiteName);
        List<ConfigArgument> asked = asked();
        Suite chosen = lengths.isEmpty() ? suite : SuiteArgument.atLengths(spec, suite, lengths);
        BooleanSupplier goOn = () -> limit == null
                || System.nanoTime() - begun < Duration.ofSeconds(limit).toNanos();
        TargetOptions options = target.options();
        PrintWriter err = spec.commandLine().getErr();
        RecallLanes lanes = new RecallLanes(options);
        try (NativeTarget loaded = new TargetLoader(ModelLocator.standard(), err::println)
                .load(options, model -> lanes.of(asked.get(0), model))) {
            Measurement measured = begin(loaded, options, chosen);
            measured = measure(loaded, measured, lanes.of(asked, loaded.status().config()), goOn);
            spec.commandLine().getOut().print(RecallPage.text(measured));
            page(out == null ? "" : RecallPage.markdown(List.of(measured)));
            return done(measured, lanes.of(asked, loaded.status().config()));
        }
    }

    /** The configs, and the first one once more behind it: how often it disagrees with itself, computed afresh. */
    private List<ConfigArgument> asked() {
        List<ConfigArgument> given = configs.equals(List.of("all"))
                ? ConfigArgument.all()
                : configs.stream()
                        .map(config -> ConfigArgument.of(spec, "--configs", config.strip()))
                        .toList();
        if (given.stream().map(ConfigArgument::label).distinct().count() < given.size()) {
            throw new ParameterException(spec.commandLine(), "--configs names one run config twice");
        }
        ConfigArgument first = given.get(0);
        ConfigArgument again = new ConfigArgument(first.label() + RecallPage.AGAIN, first.profile());
        return Stream.concat(Stream.of(first, again), given.stream().skip(1)).toList();
    }

    private Measurement begin(NativeTarget loaded, TargetOptions options, Suite suite) {
        Map<String, String> about = new LinkedHashMap<>();
        about.put("model", loaded.name());
        if (!loaded.model().description().isEmpty()) {
            about.put("model_description", loaded.model().description());
        }
        about.put("model_hash", loaded.model().hash());
        about.put("backend", loaded.status().backend());
        about.put("device", loaded.status().description());
        about.put("threads", String.valueOf(options.threads()));
        about.put("cells_at_once", String.valueOf(parallel));
        about.put(Measurement.COMMIT, Machine.commit());
        about.put("cpu_model", Machine.facts().get("cpu_model"));
        Measurement wanted = new Measurement(
                about,
                suite,
                NativeCells.edges(loaded.status().config()),
                seeds,
                loaded.model().hash(),
                Scorer.containing().version(),
                List.of(),
                List.of());
        if (json == null || !Files.exists(json)) {
            return wanted;
        }
        Measurement earlier = read(json);
        earlier.difference(wanted, keep).ifPresent(difference -> {
            throw new CliException(json + " is of " + difference + "; give another file");
        });
        return earlier.withCommit(Machine.commit());
    }

    private Measurement measure(NativeTarget loaded, Measurement earlier, List<LaneKey> lanes, BooleanSupplier goOn)
            throws InterruptedException {
        List<SuiteCell> open = new ArrayList<>();
        long work = 0;
        for (LaneKey lane : lanes) {
            List<SuiteCell> some = RecallRun.open(earlier, lane.label());
            open.addAll(some);
            work += new CellWork(some).total();
        }
        ModelCodec codec = new ModelCodec(loaded.tokenizer(), loaded.encoding());
        int builders = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        try (PromptStore prompts = new PromptStore(() -> SuitePromptBuilder.inHeldOutTexts(codec), builders);
                CellProgress progress = CellProgress.of("recall", work, System.err)) {
            prompts.expect(open);
            RecallRun run = new RecallRun(loaded, prompts, parallel, goOn, this::save, progress, earlier);
            Measurement measured = earlier;
            for (LaneKey lane : lanes) {
                measured = run.run(lane);
            }
            return measured;
        }
    }

    private int done(Measurement measured, List<LaneKey> lanes) {
        long open = lanes.stream()
                .mapToLong(lane -> RecallRun.open(measured, lane.label()).size())
                .sum();
        long planned = (long) lanes.size() * measured.cells().size();
        PrintWriter terminal = spec.commandLine().getOut();
        terminal.println((planned - open) + " of " + planned + " cells are done.");
        terminal.flush();
        return open == 0 ? 0 : TIME_IS_UP;
    }

    private void save(Measurement measured) {
        if (json != null) {
            OutputFile.write(json, measured.json());
        }
    }

    private void page(String page) {
        if (out != null) {
            OutputFile.write(out, page);
        } else if (!page.isEmpty()) {
            spec.commandLine().getOut().print(page);
            spec.commandLine().getOut().flush();
        }
    }

    private Measurement read(Path file) {
        try {
            return Measurement.parse(Files.readString(file));
        } catch (IOException e) {
            throw new CliException(file + " cannot be read (" + e.getClass().getSimpleName() + ")");
        } catch (IllegalArgumentException e) {
            throw new CliException(file + ": " + e.getMessage());
        }
    }

    private void refuse(String option, Path file) {
        String refusal = file == null ? null : OutputFile.refusal(file);
        if (refusal != null) {
            throw new ParameterException(spec.commandLine(), option + " " + file + ": " + refusal);
        }
    }
}
