package dev.plumbline.cli;

import dev.plumbline.engine.Architectures;
import dev.plumbline.model.ConfigReader;
import dev.plumbline.precision.Architecture;
import dev.plumbline.precision.CostInputException;
import dev.plumbline.precision.CostReport;
import dev.plumbline.precision.CostTerms;
import dev.plumbline.precision.PrecisionProfile;
import dev.plumbline.runconfig.ConfigProfile;
import dev.plumbline.target.ModelLocator;
import dev.plumbline.target.TargetOptions;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cost}: what a token of context costs under a profile; arithmetic, nothing is loaded. */
@Command(
        name = "cost",
        mixinStandardHelpOptions = true,
        description = "Says how much memory a token of context takes under the given flags, against the defaults.")
final class CostCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--model",
            paramLabel = "NAME|DIR",
            defaultValue = TargetOptions.DEFAULT_MODEL,
            description = "v4-flash, an embedded model or a model folder (default: ${DEFAULT-VALUE}).")
    private String model;

    @Option(names = "--budget-gib", paramLabel = "N", description = "Memory for caches (default: 10).")
    private String budget;

    @Option(
            names = "--window-share",
            paramLabel = "R",
            description = "Tokens with a place in the window, per token of context (default: 0.1).")
    private String windowShare;

    @Option(
            names = "--run-config",
            paramLabel = "NAME|FILE.yaml",
            description = "A run config that comes with the program, or a file of one; with --data or " + DataMixin.URL
                    + " one of the database. Flags go before it (default: none).")
    private String runConfig;

    @Mixin
    private DataMixin data;

    @Mixin
    private FlagOptions flags;

    @Override
    public void run() {
        Architecture architecture = architecture();
        PrecisionProfile base = PrecisionProfile.baseline(architecture.indexTopk());
        ConfigProfile asked = new ConfigProfile(flags.given().values()).over(profile());
        CostReport report = CostReport.of(architecture, base.with(asked.at(architecture.indexTopk())), base, terms());
        PrintWriter terminal = spec.commandLine().getOut();
        CostText.lines(report, "the defaults").forEach(terminal::println);
        terminal.flush();
    }

    private ConfigProfile profile() {
        if (runConfig == null) {
            return ConfigProfile.EMPTY;
        }
        return ConfigArgument.of(spec, "--run-config", runConfig, data.runConfigs())
                .profile();
    }

    private Architecture architecture() {
        if (model.equals(Architecture.V4_FLASH.name())) {
            return Architecture.V4_FLASH;
        }
        ModelLocator.Location location = ModelLocator.standard().locate(model);
        return Architectures.of(
                location.name(), ConfigReader.read(location.base().resolve("config.json")));
    }

    private CostTerms terms() {
        try {
            return CostTerms.parse(windowShare, budget);
        } catch (CostInputException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }
}
