package dev.plumbline.recall.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.recall.judge.Judgement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the gate says of the embedded model, on a part of the suite {@code smoke}. That a budget of one entry is a REGRESSION,
 * and that other seeds of a config against itself lose nothing either, {@code VerdictTest} asserts of the whole server.
 */
class NeedleMiniGateTest {
    private static final List<Long> SEEDS = List.of(1L);
    private static GateRuns runs;

    @BeforeAll
    static void load() {
        runs = new GateRuns("needle-mini", 2048);
    }

    @AfterAll
    static void close() {
        runs.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"fp32-index", "fp8-index", "mxfp4-index", "sglang-default"})
    void noStorageIsARegression(String config) {
        Judgement judgement = runs.judge(GateSuites.SHORT, SEEDS, "baseline", config);

        assertThat(judgement.title()).as(judgement.sentence()).isNotEqualTo("REGRESSION");
    }

    @Test
    void aConfigAgainstItselfIsSafeAndLosesNothing() {
        Judgement judgement = runs.judge(GateSuites.SHORT, SEEDS, "baseline", "baseline");

        assertThat(judgement.title()).as(judgement.sentence()).isEqualTo("SAFE");
        assertThat(judgement.outcome().strata()).allSatisfy(finding -> {
            assertThat(finding.counts().discordant()).isZero();
            assertThat(finding.noise().measured()).isTrue();
            assertThat(finding.noise().discordant()).isZero();
        });
    }
}
