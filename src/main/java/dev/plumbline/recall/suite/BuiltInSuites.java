package dev.plumbline.recall.suite;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/** The suites that come with the program, in {@code recall/suites}. */
public final class BuiltInSuites {
    private static final List<String> NAMES = List.of("smoke", "sweep", "edges", "story", "nightly");

    private BuiltInSuites() {}

    /** Every name, quick suites first. */
    public static List<String> names() {
        return NAMES;
    }

    /** Every suite. */
    public static List<Suite> all() {
        return NAMES.stream().map(BuiltInSuites::load).toList();
    }

    /** The suite of a name, if there is one. */
    public static Optional<Suite> find(String name) {
        return NAMES.contains(name) ? Optional.of(load(name)) : Optional.empty();
    }

    private static Suite load(String name) {
        String resource = "/recall/suites/" + name + ".yaml";
        try (InputStream in = BuiltInSuites.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("this build lacks " + resource);
            }
            return SuiteYaml.read(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
