package dev.plumbline.runconfig;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/**
 * The run configs that every database is made with, read from {@code runconfigs}: what works without a database takes them
 * from here. Each is version 1 of its name; a database never changes that version.
 */
public final class BuiltInRunConfigs {
    /** The one that the others are measured against. */
    public static final String BASELINE = "baseline";

    private static final int VERSION = 1;
    private static final List<String> NAMES = List.of(
            BASELINE,
            "fp32-all",
            "fp32-index",
            "fp8-index",
            "mxfp4-index",
            "double-budget",
            "fast-all",
            "deepseek-reference",
            "sglang-default");

    private BuiltInRunConfigs() {}

    /** Every name. */
    public static List<String> names() {
        return NAMES;
    }

    /** The run config that is meant, if it comes with the program. */
    public static Optional<NewRunConfig> find(RunConfigRef ref) {
        boolean known = NAMES.contains(ref.name()) && (ref.version() == null || ref.version() == VERSION);
        return known ? Optional.of(load(ref.name())) : Optional.empty();
    }

    /** {@code name@version} of one of the names. */
    public static String id(String name) {
        return new RunConfigRef(name, VERSION).toString();
    }

    private static NewRunConfig load(String name) {
        String resource = "/runconfigs/" + name + ".yaml";
        try (InputStream in = BuiltInRunConfigs.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("this build lacks " + resource);
            }
            return RunConfigYaml.read(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
