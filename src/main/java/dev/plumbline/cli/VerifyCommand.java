package dev.plumbline.cli;

import dev.plumbline.model.Checkpoint;
import dev.plumbline.precision.Flag;
import dev.plumbline.precision.PartialProfile;
import dev.plumbline.recall.CellRunner;
import dev.plumbline.recall.Family;
import dev.plumbline.recall.Scorer;
import dev.plumbline.recall.sweep.Promise;
import dev.plumbline.recall.sweep.VerifyReport;
import dev.plumbline.recall.sweep.VerifyRow;
import dev.plumbline.target.ModelLocator;
import dev.plumbline.target.NativeTarget;
import dev.plumbline.target.TargetLoader;
import dev.plumbline.target.TargetOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code verify}: whether the embedded model keeps its promises. Rows that the same commit measured are kept. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        description = "Measures recall per task family and length against the embedded model's floors; takes hours.")
final class VerifyCommand implements Callable<Integer> {
    private static final int LONGEST_AT_ONE_ENTRY = 4096;

    @Spec
    private CommandSpec spec;

    @Mixin
    private TargetMixin target;

    @Option(
            names = "--families",
            split = ",",
            paramLabel = "FAMILY",
            defaultValue = "single,many-keys,several-values,repeated,earlier-turn,absent",
            description = "Task families (default: ${DEFAULT-VALUE}).")
    private List<String> families;

    @Option(
            names = "--lengths",
            split = ",",
            paramLabel = "N",
            defaultValue = "1024,4096,8192,16384,22597",
            description = "Tokens of the longest prompt of a row (default: ${DEFAULT-VALUE}).")
    private List<Integer> lengths;

    @Option(names = "--cells", paramLabel = "N", defaultValue = "100", description = "Cells per row (default: 100).")
    private int cells;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of the first cell (default: 1).")
    private long seed;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "${sys:plumbline.home:-.}/docs/measured",
            description = "Folder of the reports (default: ${DEFAULT-VALUE}).")
    private Path folder;

    @Option(names = "--fresh", description = "Measure every row again, also those that this commit measured.")
    private boolean fresh;

    @Option(names = "--keep", description = "Keep rows that another commit measured too.")
    private boolean keep;

    private final List<VerifyRow> judged = new ArrayList<>();
    private VerifyReport report;

    @Override
    public Integer call() throws IOException {
        if (cells < 1) {
            throw new ParameterException(spec.commandLine(), "--cells " + cells + ": allowed are 1 and more");
        }
        if (fresh && keep) {
            throw new ParameterException(spec.commandLine(), "--fresh and --keep exclude each other");
        }
        List<Family> asked = families.stream().map(this::family).toList();
        TargetOptions options = target.optionsToMeasure(spec.commandLine().getOut()::println);
        boolean embedded = options.model().equals(TargetOptions.DEFAULT_MODEL);
        // Embedded models were trained to answer with the value alone; any other may wrap it in words.
        boolean ships = ModelLocator.standard().embedded().stream()
                .anyMatch(model -> model.name().equals(options.model()));
        Scorer scorer = ships ? Scorer.exact() : Scorer.containing();
        try (NativeTarget loaded = load(options)) {
            LengthsOption.check(spec, lengths, loaded.status().maxContext(), CellRunner.ANSWER_TOKENS);
            Files.createDirectories(folder);
            report = begin(about(loaded, options));
            VerifyRun run = new VerifyRun(loaded, cells, seed, scorer, reuse());
            for (int length : lengths) {
                for (Family family : asked) {
                    Promise promise = embedded ? Promise.ofEmbeddedModel(family, length) : Promise.NONE;
                    judge(run.row(report, family, length, promise));
                }
            }
        }
        if (embedded && !options.flags().values().containsKey(Flag.INDEX_TOPK) && asked.contains(Family.SINGLE)) {
            try (NativeTarget loaded = load(atOneEntry(options))) {
                VerifyRun run = new VerifyRun(loaded, cells, seed, scorer, reuse());
                for (int length :
                        lengths.stream().filter(l -> l <= LONGEST_AT_ONE_ENTRY).toList()) {
                    judge(run.row(report, Family.SINGLE, length, Promise.AT_ONE_ENTRY));
                }
            }
        }
        PrintWriter terminal = spec.commandLine().getOut();
        terminal.println(report.table());
        terminal.println("Kept in " + file(".json"));
        terminal.flush();
        return judged.stream().allMatch(row -> row.kept() || !row.enough()) ? 0 : 1;
    }

    private VerifyRun.Reuse reuse() {
        if (fresh) {
            return VerifyRun.Reuse.NONE;
        }
        return keep ? VerifyRun.Reuse.ANY_COMMIT : VerifyRun.Reuse.SAME_COMMIT;
    }

    /** Only rows that were asked for decide the exit status; the report keeps others. */
    private void judge(VerifyRow row) {
        judged.add(row);
        report = report.with(row);
        OutputFile.write(file(".json"), report.json());
        OutputFile.write(file(".md"), report.markdown());
    }

    private Family family(String label) {
        try {
            return Family.of(label);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--families: " + e.getMessage(), e);
        }
    }

    private NativeTarget load(TargetOptions options) {
        return new TargetLoader(ModelLocator.standard(), spec.commandLine().getErr()::println).load(options);
    }

    private static TargetOptions atOneEntry(TargetOptions options) {
        return new TargetOptions(
                options.model(),
                options.backend(),
                options.threads(),
                options.maxContext(),
                options.maxSequences(),
                options.maxWaiting(),
                PartialProfile.of(Flag.INDEX_TOPK, 1).over(options.flags()));
    }

    /** The report kept from an earlier run of the same model, flags and machine, else an empty one. */
    private VerifyReport begin(Map<String, String> about) throws IOException {
        Path json = file(".json");
        if (Files.exists(json)) {
            VerifyReport earlier = VerifyReport.parse(Files.readString(json)).orElse(null);
            if (earlier != null && earlier.about().equals(about)) {
                return earlier;
            }
        }
        return new VerifyReport(about, List.of());
    }

    private Path file(String ending) {
        String model = String.valueOf(Path.of(target.options().model()).getFileName());
        return folder.resolve("recall-" + model + ending);
    }

    private Map<String, String> about(NativeTarget loaded, TargetOptions options) {
        Map<String, String> about = new LinkedHashMap<>(TargetFacts.of(loaded, options));
        // Every row says by itself which commit measured it and at which budget.
        about.remove("commit");
        about.remove("index_topk");
        // A captured step computes what the same step does uncaptured.
        about.remove("graphs");
        try (Checkpoint checkpoint =
                ModelLocator.standard().locate(options.model()).open()) {
            about.put("model_hash", checkpoint.contentHash());
        }
        about.put("seed", String.valueOf(seed));
        about.putAll(Machine.facts());
        return about;
    }
}
