package dev.plumbline.cli;

import dev.plumbline.engine.LaneKey;
import dev.plumbline.model.ModelConfig;
import dev.plumbline.precision.PrecisionProfile;
import dev.plumbline.precision.ProfileException;
import dev.plumbline.runconfig.BuiltInRunConfigs;
import dev.plumbline.runconfig.ConfigProfile;
import dev.plumbline.runconfig.PinnedConfig;
import dev.plumbline.runconfig.RunConfigException;
import dev.plumbline.runconfig.RunConfigRef;
import dev.plumbline.runconfig.Source;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * A run config on a command line that needs no database: one that comes with the program, a file, or flags.
 *
 * @param label what it is called
 * @param profile the flags it sets
 */
record ConfigArgument(String label, ConfigProfile profile) {
    static final String ALLOWED =
            "FILE.yaml, FLAG=VALUE,FLAG=VALUE, or one of baseline, fp32-all, fp32-index, fp8-index,"
                    + " mxfp4-index, double-budget, fast-all, deepseek-reference, sglang-default";

    /** Finds run configs by name. */
    interface Names {
        /** The run config that is meant. Errors: {@link RunConfigException}, {@link CliException}. */
        ConfigArgument find(RunConfigRef ref);
    }

    /**
     * Reads what was given; names are those of the program.
     *
     * @throws ParameterException naming the option, and what is wrong with its value
     */
    static ConfigArgument of(CommandSpec spec, String option, String given) {
        return of(spec, option, given, ConfigArgument::builtIn);
    }

    /** The same with names from elsewhere. */
    static ConfigArgument of(CommandSpec spec, String option, String given, Names names) {
        try {
            if (isFile(given)) {
                return file(spec, option, given);
            }
            return given.contains("=") ? flags(given) : names.find(RunConfigRef.parse(option, given));
        } catch (RunConfigException | ProfileException | IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), option + " " + given + ": " + e.getMessage(), e);
        }
    }

    private static ConfigArgument file(CommandSpec spec, String option, String given) {
        try {
            PinnedConfig file = PinnedConfig.of(Source.COMMAND_LINE, option, given);
            return new ConfigArgument(file.fileId(), file.file().profile());
        } catch (RunConfigException e) {
            // Its message names option and file.
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    static boolean isFile(String given) {
        return given.endsWith(".yaml") || given.endsWith(".yml") || given.contains("/");
    }

    /** Every run config that comes with the program, the baseline first. */
    static List<ConfigArgument> all() {
        return BuiltInRunConfigs.names().stream()
                .map(name -> builtIn(new RunConfigRef(name, null)))
                .toList();
    }

    static ConfigArgument builtIn(RunConfigRef ref) {
        return BuiltInRunConfigs.find(ref)
                .map(config -> new ConfigArgument(BuiltInRunConfigs.id(config.name()), config.profile()))
                .orElseThrow(() -> new IllegalArgumentException("no such run config; allowed are " + ALLOWED));
    }

    private static ConfigArgument flags(String given) {
        Map<String, String> flags = new LinkedHashMap<>();
        Stream.of(given.split(",")).forEach(part -> {
            int equals = part.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("allowed are " + ALLOWED);
            }
            flags.put(
                    part.substring(0, equals).strip(),
                    part.substring(equals + 1).strip());
        });
        return new ConfigArgument(given, ConfigProfile.parse(flags));
    }

    /** Its lane on a model: what it does not set is as in {@code base}. */
    LaneKey lane(PrecisionProfile base, ModelConfig model) {
        return new LaneKey(label, base.with(profile.at(model.indexTopk())));
    }
}
