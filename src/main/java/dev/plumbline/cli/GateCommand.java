package dev.plumbline.cli;

import dev.plumbline.recall.report.ShellCommand;
import dev.plumbline.recall.suite.Suite;
import dev.plumbline.recall.verdict.VerdictRule;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code gate}: whether one run config recalls less than another, as an exit status. */
@Command(
        name = "gate",
        mixinStandardHelpOptions = true,
        exitCodeOnInvalidInput = GateResult.ERROR,
        exitCodeOnExecutionException = GateResult.ERROR,
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {"0:SAFE", "1:REGRESSION", "2:NOT ENOUGH EVIDENCE", "3:there is no verdict"},
        description = "Asks a suite under two run configs and says whether the candidate loses answers.")
final class GateCommand implements Callable<Integer> {
    private static final Set<String> ON_SERVERS = Set.of(
            "--suite",
            "--baseline",
            "--candidate",
            "--margin",
            "--seeds",
            "--server",
            "--key",
            "--junit",
            "--json",
            "--report");
    private static final String CONFIGS =
            "Run config: FILE.yaml, FLAG=VALUE,FLAG=VALUE, or a name: one that comes with the program; with --data or"
                    + " PLUMBLINE_DB_URL one of the database, with --server one of the server's, where a file is saved first.";

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--suite",
            required = true,
            paramLabel = "NAME|FILE.yaml",
            description =
                    "What to ask: smoke, sweep, edges, story, nightly, or a file; with --server one of the server's.")
    private String suite;

    @Option(names = "--baseline", required = true, paramLabel = "CONFIG", description = CONFIGS)
    private String baseline;

    @Option(names = "--candidate", required = true, paramLabel = "CONFIG", description = "The same, in question.")
    private String candidate;

    @Option(
            names = "--margin",
            paramLabel = "SHARE",
            defaultValue = "0.05",
            description = "Loss that is still accepted, 0.001 to 0.5 (default: ${DEFAULT-VALUE}, five points).")
    private double margin;

    @Option(
            names = "--seeds",
            split = ",",
            paramLabel = "N",
            defaultValue = "1",
            description = "Every seed asks as many cells again, in other texts (default: ${DEFAULT-VALUE}).")
    private List<Long> seeds;

    @Option(
            names = "--server",
            paramLabel = "URL",
            description = "Let this server ask, instead of loading a model here.")
    private URI server;

    @Option(names = "--key", paramLabel = "KEY", description = "API key of the server (default: PLUMBLINE_API_KEY).")
    private String key;

    @Option(names = "--junit", paramLabel = "FILE.xml", description = "Write JUnit XML: red unless SAFE.")
    private Path junit;

    @Option(names = "--json", paramLabel = "FILE", description = "Write all numbers as JSON.")
    private Path json;

    @Option(names = "--report", paramLabel = "FILE.md", description = "Write a page for people.")
    private Path report;

    @Option(
            names = "--parallel",
            paramLabel = "N",
            defaultValue = "8",
            description = "Cells asked at once, as far as the pools reach (default: ${DEFAULT-VALUE}).")
    private int parallel;

    @Mixin
    private TargetMixin target;

    @Mixin
    private DataMixin data;

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        try (Interruption watch = Interruption.watch(GateResult.ERROR, err)) {
            GateResult result = judged(err);
            write(result);
            return result.status();
        } catch (Error e) {
            // Whatever is thrown past here ends the process with 1, which is a verdict.
            e.printStackTrace(err);
            return GateResult.ERROR;
        }
    }

    private GateResult judged(PrintWriter err) throws InterruptedException {
        VerdictRule rule = rule();
        files().forEach(this::refuse);
        refuseIf(parallel < 1, "--parallel " + parallel + ": allowed are 1 and more");
        refuseIf(seeds.stream().distinct().count() < seeds.size(), "--seeds " + seeds + ": allowed are different ones");
        if (server != null) {
            return onServer(err);
        }
        Suite chosen = SuiteArgument.of(spec, suite);
        ConfigArgument.Names names = database() ? new StoredConfigs(data) : ConfigArgument::builtIn;
        ConfigArgument first = ConfigArgument.of(spec, "--baseline", baseline, names);
        ConfigArgument second = ConfigArgument.of(spec, "--candidate", candidate, names);
        return new LocalGate(target.options(), parallel, command(), err).judge(chosen, seeds, first, second, rule);
    }

    private GateResult onServer(PrintWriter err) throws InterruptedException {
        spec.commandLine().getParseResult().matchedOptions().forEach(option -> {
            String name = option.longestName();
            refuseIf(!ON_SERVERS.contains(name), name + " and --server exclude each other");
        });
        Stream.of(baseline, candidate)
                .forEach(name -> refuseIf(
                        name.contains("=") && !ConfigArgument.isFile(name),
                        name + ": with --server allowed are names and FILE.yaml"));
        refuseIf(
                !List.of("http", "https").contains(String.valueOf(server.getScheme())) || server.getHost() == null,
                "--server " + server + ": allowed is a URL such as http://127.0.0.1:8000");
        String known = key == null ? System.getenv("PLUMBLINE_API_KEY") : key;
        refuseIf(known == null || known.isBlank(), "--server needs --key or PLUMBLINE_API_KEY");
        ApiClient api = new ApiClient(server, known);
        ServerFiles files = new ServerFiles(spec, api, err);
        // All are read before anything is sent.
        ServerFiles.Named asked = files.suite(suite);
        ServerFiles.Named first = files.config("--baseline", baseline);
        ServerFiles.Named second = files.config("--candidate", candidate);
        return new ServerGate(api, err).judge(asked.name(), seeds, first.name(), second.name(), margin);
    }

    private VerdictRule rule() {
        try {
            return VerdictRule.withMargin(margin);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--margin: " + e.getMessage(), e);
        }
    }

    private boolean database() {
        String url = System.getenv().getOrDefault("PLUMBLINE_DB_URL", "");
        return !url.isBlank() || spec.commandLine().getParseResult().hasMatchedOption("--data");
    }

    private String command() {
        List<String> given = spec.commandLine().getParseResult().originalArgs();
        return ShellCommand.of(
                Stream.concat(Stream.of("./plumbline"), given.stream()).toArray(String[]::new));
    }

    private Map<String, Path> files() {
        Map<String, Path> files = new LinkedHashMap<>();
        files.put("--junit", junit);
        files.put("--json", json);
        files.put("--report", report);
        return files;
    }

    private void refuse(String option, Path file) {
        String refusal = file == null ? null : OutputFile.refusal(file);
        refuseIf(refusal != null, option + " " + file + ": " + refusal);
    }

    private void refuseIf(boolean wrong, String message) {
        if (wrong) {
            throw new ParameterException(spec.commandLine(), message);
        }
    }

    private void write(GateResult result) {
        PrintWriter out = spec.commandLine().getOut();
        if (junit != null) {
            OutputFile.write(junit, result.junit().get());
        }
        if (json != null) {
            OutputFile.write(json, result.json().get());
        }
        if (report != null) {
            OutputFile.write(report, result.report().get());
        }
        out.print(result.text());
        out.flush();
    }
}
