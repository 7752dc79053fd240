package dev.plumbline.cli;

import dev.plumbline.engine.LaneKey;
import dev.plumbline.model.ModelConfig;
import dev.plumbline.precision.PrecisionProfile;
import dev.plumbline.precision.ProfileException;
import dev.plumbline.runconfig.ConfigProfile;
import dev.plumbline.runconfig.NewRunConfig;
import dev.plumbline.runconfig.RunConfigException;
import dev.plumbline.runconfig.RunConfigYaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * A run config on the command line of {@code bench}.
 *
 * @param label what it is called
 * @param profile the flags it sets
 */
record BenchConfig(String label, ConfigProfile profile) {
    static final String ALLOWED = "FILE.yaml, a run config, or FLAG=VALUE,FLAG=VALUE";

    /**
     * Reads what was given.
     *
     * @throws ParameterException naming the option, and what is wrong with its value
     */
    static BenchConfig of(CommandSpec spec, String option, String given) {
        try {
            return given.endsWith(".yaml") || given.endsWith(".yml") ? file(Path.of(given)) : flags(given);
        } catch (RunConfigException | ProfileException | IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), option + " " + given + ": " + e.getMessage(), e);
        } catch (IOException e) {
            throw new ParameterException(
                    spec.commandLine(),
                    option + " " + given + ": cannot be read (" + e.getClass().getSimpleName() + ")",
                    e);
        }
    }

    private static BenchConfig file(Path file) throws IOException {
        if (Files.size(file) > RunConfigYaml.LIMIT) {
            throw new IllegalArgumentException("allowed are " + RunConfigYaml.LIMIT + " bytes");
        }
        NewRunConfig config = RunConfigYaml.read(Files.readAllBytes(file));
        return new BenchConfig(config.name(), config.profile());
    }

    private static BenchConfig flags(String given) {
        Map<String, String> flags = new LinkedHashMap<>();
        for (String part : given.split(",")) {
            int equals = part.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("allowed are " + ALLOWED);
            }
            flags.put(
                    part.substring(0, equals).strip(),
                    part.substring(equals + 1).strip());
        }
        return new BenchConfig(given, ConfigProfile.parse(flags));
    }

    /** Its lane on a model: what it does not set is as in {@code base}. */
    LaneKey lane(PrecisionProfile base, ModelConfig model) {
        return new LaneKey(label, base.with(profile.at(model.indexTopk())));
    }
}
