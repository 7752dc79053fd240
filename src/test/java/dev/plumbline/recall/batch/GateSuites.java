package dev.plumbline.recall.batch;

import dev.plumbline.recall.suite.Suite;
import dev.plumbline.recall.suite.SuiteYaml;
import java.nio.charset.StandardCharsets;

/** Suites that are small enough for every run of the tests. */
final class GateSuites {
    /** Beyond the budget of the embedded models (256 tokens), with cells enough for SAFE and a failure or two besides. */
    static final Suite SHORT = read("""
            name: short
            version: 1
            strata:
              - name: 512 tokens
                task: multikey
                lengths: [512]
                placements: 8
                phases: [0, 1, 2, 3]
                haystacks: 16
                questions: 8
            """);

    /** A case that people report: a needle at the start of a text. */
    static final Suite START = read("""
            name: start
            version: 1
            strata:
              - name: 900 tokens
                task: multikey
                lengths: [900]
                placements: [start]
                phases: [0, 1, 2, 3]
                haystacks: 16
                questions: 5
              - name: 2K tokens
                task: multikey
                lengths: [2K]
                placements: [start]
                phases: [0, 1, 2, 3]
                haystacks: 16
                questions: 5
            """);

    private GateSuites() {}

    private static Suite read(String yaml) {
        return SuiteYaml.read(yaml.getBytes(StandardCharsets.UTF_8));
    }
}
