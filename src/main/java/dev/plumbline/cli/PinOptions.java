package dev.plumbline.cli;

import dev.plumbline.precision.Flag;
import dev.plumbline.precision.PartialProfile;
import dev.plumbline.precision.ProfileException;
import dev.plumbline.runconfig.ConfigProfile;
import dev.plumbline.runconfig.PinnedConfig;
import dev.plumbline.runconfig.Pins;
import dev.plumbline.runconfig.RunConfigException;
import dev.plumbline.runconfig.Source;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Option;

/** What {@code serve} takes for certain whatever is activated later: options first, then variables. */
final class PinOptions {
    private static final String CONFIG = "PLUMBLINE_RUN_CONFIG";
    private static final String OVERRIDE = "PLUMBLINE_OVERRIDE_";

    @Option(
            names = "--run-config",
            paramLabel = "NAME|FILE.yaml",
            description = "Serves this run config instead of the one that is active in the database, and follows no"
                    + " activation (environment: " + CONFIG + ").")
    private String runConfig;

    /**
     * The pins of a command line and an environment.
     *
     * @param flags the flags of the command line
     * @throws CliException naming the variable or the option that is wrong
     */
    Pins pins(PartialProfile flags, Map<String, String> environment) {
        try {
            return new Pins(new ConfigProfile(flags.values()), flags(environment), config(environment));
        } catch (RunConfigException e) {
            throw new CliException(e.getMessage());
        }
    }

    private PinnedConfig config(Map<String, String> environment) {
        if (runConfig != null) {
            return PinnedConfig.of(Source.COMMAND_LINE, "--run-config", runConfig);
        }
        String variable = environment.getOrDefault(CONFIG, "");
        return variable.isBlank() ? null : PinnedConfig.of(Source.ENVIRONMENT, CONFIG, variable);
    }

    private static ConfigProfile flags(Map<String, String> environment) {
        Map<String, String> flags = new LinkedHashMap<>();
        environment.forEach((name, value) -> {
            if (name.startsWith(OVERRIDE)) {
                String key = name.substring(OVERRIDE.length()).toLowerCase(Locale.ROOT);
                if (Flag.byKey(key).isEmpty()) {
                    throw new CliException(name + " names no flag; allowed: " + OVERRIDE + " and one of " + Flag.keys()
                            + " in capitals");
                }
                flags.put(key, value);
            }
        });
        try {
            return ConfigProfile.parse(flags);
        } catch (ProfileException e) {
            throw new CliException("of the variables " + OVERRIDE + "*: " + e.getMessage());
        }
    }
}
