package dev.plumbline.recall.run;

import dev.plumbline.recall.suite.stored.SuiteRef;
import dev.plumbline.runconfig.RunConfigRef;

/**
 * Which runs a list is to have; what is null leaves all.
 *
 * @param suite the suite, of any version if it has none
 * @param runConfig the run config, of any version if it has none
 * @param state how far they have come
 */
public record RunFilter(SuiteRef suite, RunConfigRef runConfig, RunState state) {
    /** Every run. */
    public static final RunFilter ALL = new RunFilter(null, null, null);

    Integer suiteVersion() {
        return suite == null ? null : suite.version();
    }

    Integer configVersion() {
        return runConfig == null ? null : runConfig.version();
    }
}
