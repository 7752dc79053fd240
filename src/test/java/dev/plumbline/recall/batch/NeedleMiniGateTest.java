package dev.plumbline.recall.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.recall.judge.Judgement;
import dev.plumbline.recall.suite.Suite;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the gate says of the embedded model, on a part of the suite {@code smoke}. */
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

    @Test
    void aBudgetOfOneEntryIsARegression() {
        Judgement judgement = runs.judge(GateSuites.SHORT, SEEDS, "baseline", "index_topk=1");

        assertThat(judgement.title()).isEqualTo("REGRESSION");
        assertThat(judgement.sentence()).contains("on fresh seeds");
        assertThat(judgement.fresh().candidate().seeds()).containsExactly(2L, 3L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fp32-index", "fp8-index", "mxfp4-index", "sglang-default"})
    void noStorageIsARegression(String config) {
        Judgement judgement = runs.judge(GateSuites.SHORT, SEEDS, "baseline", config);

        assertThat(judgement.title()).as(judgement.sentence()).isNotEqualTo("REGRESSION");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void aConfigAgainstItselfIsNeverARegressionAndLosesNothing(long seed) {
        Suite suite = GateSuites.SHORT;

        Judgement judgement = runs.judge(suite, List.of(seed), "baseline", "baseline");

        assertThat(judgement.title()).as(judgement.sentence()).isEqualTo("SAFE");
        assertThat(judgement.outcome().strata()).allSatisfy(finding -> {
            assertThat(finding.counts().discordant()).isZero();
            assertThat(finding.noise().measured()).isTrue();
            assertThat(finding.noise().discordant()).isZero();
        });
    }
}
