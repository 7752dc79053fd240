package dev.plumbline.cli;

import dev.plumbline.document.DocumentException;
import dev.plumbline.recall.suite.BuiltInSuites;
import dev.plumbline.recall.suite.Length;
import dev.plumbline.recall.suite.Suite;
import dev.plumbline.recall.suite.SuiteStratum;
import dev.plumbline.recall.suite.SuiteYaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Reads the suite of a command line: one that comes with the program, or a file. */
final class SuiteArgument {
    private SuiteArgument() {}

    /**
     * The suite.
     *
     * @param given {@code NAME}, {@code NAME/VERSION} or the path of a file in YAML
     * @throws ParameterException naming the option, and what is wrong with its value
     */
    static Suite of(CommandSpec spec, String given) {
        try {
            if (isFile(given)) {
                return file(Path.of(given));
            }
            return BuiltInSuites.all().stream()
                    .filter(suite -> given.equals(suite.name()) || given.equals(suite.label()))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("no such suite comes with the program; allowed are "
                            + String.join(
                                    ", ",
                                    BuiltInSuites.all().stream()
                                            .map(Suite::label)
                                            .toList())
                            + ", without the version too, or FILE.yaml"));
        } catch (IllegalArgumentException | DocumentException e) {
            throw new ParameterException(spec.commandLine(), "--suite " + given + ": " + e.getMessage(), e);
        } catch (IOException e) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--suite " + given + ": cannot be read (" + e.getClass().getSimpleName()
                            + "); allowed: the path of a file of a suite",
                    e);
        }
    }

    static boolean isFile(String given) {
        return given.endsWith(".yaml") || given.endsWith(".yml");
    }

    private static Suite file(Path file) throws IOException {
        if (Files.size(file) > SuiteYaml.LIMIT) {
            throw new IllegalArgumentException("allowed are " + SuiteYaml.LIMIT + " bytes");
        }
        return SuiteYaml.read(Files.readAllBytes(file));
    }

    /** A suite like another one, with a stratum for each length: the other's own where it has one, else like its first. */
    static Suite atLengths(CommandSpec spec, Suite suite, List<Integer> lengths) {
        try {
            List<SuiteStratum> strata = lengths.stream()
                    .sorted()
                    .distinct()
                    .map(length -> stratum(suite, length))
                    .toList();
            return new Suite(suite.name() + "-lengths", suite.version(), suite.description(), strata);
        } catch (DocumentException | IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--lengths: " + e.getMessage(), e);
        }
    }

    private static SuiteStratum stratum(Suite suite, int tokens) {
        if (tokens < 1) {
            throw new IllegalArgumentException(tokens + " is no length; allowed are 1 and more");
        }
        List<Length> only = List.of(new Length(0, "", tokens));
        SuiteStratum like = suite.strata().get(0);
        return suite.strata().stream()
                .filter(stratum -> stratum.lengths().equals(only))
                .findFirst()
                .orElseGet(() -> new SuiteStratum(
                        String.format(Locale.ROOT, "%,d tokens", tokens),
                        true,
                        like.task(),
                        only,
                        like.placements(),
                        like.phases(),
                        like.haystacks(),
                        like.questions()));
    }
}
