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

    /** A length that twice the budget covers (512 tokens), and one far beyond. */
    static final Suite CLIFF = read("""
            name: cliff
            version: 1
            strata:
              - name: 500 tokens
                task: multikey
                lengths: [500]
                placements: 4
                phases: [0, 1, 2, 3]
                haystacks: 8
                questions: 4
              - name: 2K tokens
                task: multikey
                lengths: [2K]
                placements: 4
                phases: [0, 1, 2, 3]
                haystacks: 8
                questions: 4
            """);

    private GateSuites() {}

    private static Suite read(String yaml) {
        return SuiteYaml.read(yaml.getBytes(StandardCharsets.UTF_8));
    }
}
