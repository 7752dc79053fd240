package dev.plumbline.recall.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.recall.judge.Judgement;
import dev.plumbline.recall.suite.BuiltInSuites;
import dev.plumbline.recall.suite.Suite;
import dev.plumbline.runconfig.BuiltInRunConfigs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every verdict that users may ask for first, on whole suites; takes an hour on two cores. */
@Tag("long")
class GateVerdictsTest {
    private static final List<Long> SEEDS = List.of(1L);
    private static final int REPEATS = 20;
    private static final String DOUBLED = "index_key_dtype=fp8,index_topk=2x";
    private static final VerdictsPage PAGE = new VerdictsPage();
    private static String device = "";

    @AfterAll
    static void write() throws IOException {
        PAGE.write(Path.of("docs/measured/gate.md"), System.getProperty("plumbline.commit", "unknown"), device);
    }

    @Test
    void noSeededConfigIsARegressionOfTheHealthyModel() {
        Suite smoke = BuiltInSuites.find("smoke").orElseThrow();
        try (GateRuns runs = new GateRuns("needle-mini", 6144)) {
            for (String config : BuiltInRunConfigs.names()) {
                assertThat(verdict(runs, "needle-mini", smoke, 1, BuiltInRunConfigs.BASELINE, config))
                        .as(config)
                        .isNotEqualTo("REGRESSION");
            }
            assertThat(verdict(runs, "needle-mini", smoke, 1, "baseline", "index_topk=1"))
                    .isEqualTo("REGRESSION");
            device = runs.device();
        }
    }

    @Test
    void theTwinLosesItsRecallWithKeysInFp8Only() {
        Suite smoke = BuiltInSuites.find("smoke").orElseThrow();
        try (GateRuns runs = new GateRuns("needle-mini-cone", 6144)) {
            assertThat(verdict(runs, "needle-mini-cone", smoke, 1, "fp32-index", "baseline"))
                    .isEqualTo("SAFE");
            assertThat(verdict(runs, "needle-mini-cone", smoke, 1, "baseline", "fp8-index"))
                    .isEqualTo("REGRESSION");
        }
    }

    @Test
    void aConfigAgainstItselfIsNeverARegression() {
        try (GateRuns runs = new GateRuns("needle-mini", 2048)) {
            for (int seed = 1; seed <= REPEATS; seed++) {
                assertThat(verdict(runs, "needle-mini", GateSuites.SHORT, seed, "baseline", "baseline"))
                        .as("seed %d", seed)
                        .isNotEqualTo("REGRESSION");
            }
        }
    }

    @Test
    void aDoubledBudgetDoesNotBringBackWhatFp8KeysLost() {
        Suite story = BuiltInSuites.find("story").orElseThrow();
        try (GateRuns runs = new GateRuns("needle-mini-cone", 14_336)) {
            for (String config : List.of("baseline", "fp8-index", DOUBLED)) {
                PAGE.add(runs.run(story, SEEDS, config, ""), "needle-mini-cone");
            }
            assertThat(verdict(runs, "needle-mini-cone", story, 1, "baseline", DOUBLED))
                    .isEqualTo("REGRESSION");
        }
    }

    private static String verdict(
            GateRuns runs, String model, Suite suite, long seed, String baseline, String candidate) {
        Judgement judgement = runs.judge(suite, List.of(seed), baseline, candidate);
        PAGE.add(judgement, model);
        return judgement.title();
    }
}
