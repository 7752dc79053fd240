package dev.plumbline.recall.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.recall.judge.FreshRuns;
import dev.plumbline.recall.judge.Judge;
import dev.plumbline.recall.judge.Judgement;
import dev.plumbline.recall.judge.RecordedRuns;
import dev.plumbline.recall.result.TargetRecord;
import dev.plumbline.recall.verdict.CellState;
import dev.plumbline.recall.verdict.VerdictRule;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Comparisons as JSON, JUnit XML and Markdown. */
class ComparisonReportTest {
    private static final Map<String, String> FP32 =
            Map.of("index_key_dtype", "fp32", "kv_dtype", "bf16", "prefix_cache", "off");
    private static final Map<String, String> FP8 =
            Map.of("index_key_dtype", "fp8", "kv_dtype", "bf16", "prefix_cache", "off");

    private final RecordedRuns baseline = RecordedRuns.run("a", "fp32-index@1", FP32);
    private final RecordedRuns again = RecordedRuns.run("a2", "fp32-index@1", FP32);
    private final RecordedRuns candidate = RecordedRuns.run("b", "fp8-index@1", FP8);
    private final RecordedRuns losing = candidate.with(RecordedRuns.losing("4K tokens", 4));

    @Test
    void aRegressionIsSaidInOneSentenceWithWhatMakesItCredible() {
        // when
        String page = new ComparisonReport(judged(losing), "./plumbline gate --suite recorded").markdown();

        // then
        assertThat(page)
                .startsWith("# REGRESSION: <code>fp8-index@1</code> against <code>fp32-index@1</code> in"
                        + " <code>recorded/3</code>\n\n**At 4K tokens 32 of 128 answers were lost (b=32, c=0), ")
                .contains("on fresh seeds 64 of 256 answers were lost")
                .contains("```sh\n./plumbline gate --suite recorded\n```")
                .contains("| <code>4K tokens</code> | 128 | 100.0 | 75.0 | 32 | 0 | +25.0 (")
                .contains("The same on fresh seeds [2, 3]:")
                .contains("No verdict depends on these:")
                .contains("A, the baseline:", "B, the candidate:", "A − B, in points:")
                .contains("| <code>4K tokens</code> | 4096–4099 | 16/16 |")
                .contains("| <code>4K tokens</code> | 4096–4099 | 12/16 |")
                .contains("| <code>4K tokens</code> | 4096–4099 | +25.0 |")
                .contains("## Lost cells: 32")
                .contains("| 2 | decode | 1 | 1000 | 1 | 0.2500 | yes | 97 | -0.1250 | no |")
                .contains("## Gained cells: 0");
        assertThat(page.indexOf("| index_key_dtype | <code>fp32</code> | <code>fp8</code> | **differs** |"))
                .as("what differs comes first")
                .isPositive()
                .isLessThan(page.indexOf("| kv_dtype |"));
    }

    @Test
    void jsonHasCountsIntervalsTestsAndTheLostCells() {
        // when
        JsonNode json = JsonMapper.shared().readTree(new ComparisonReport(judged(losing), "gate").json());

        // then
        assertThat(json.path("verdict").asString()).isEqualTo("REGRESSION");
        assertThat(json.at("/regressions/0").asString()).isEqualTo("4K tokens");
        JsonNode stratum = json.at("/strata/1");
        assertThat(stratum.path("b").asInt()).isEqualTo(32);
        assertThat(stratum.path("c").asInt()).isZero();
        assertThat(stratum.at("/loss/low95").asDouble()).isBetween(0.1, 0.25);
        assertThat(stratum.at("/candidate/high95").asDouble()).isBetween(0.75, 0.9);
        assertThat(stratum.at("/tests/mcnemar_adjusted").asDouble()).isLessThan(1e-6);
        assertThat(stratum.at("/noise/measured").asBoolean()).isTrue();
        assertThat(json.at("/strata/2/required").asBoolean()).isFalse();
        assertThat(json.at("/fresh/seeds/0").asInt()).isEqualTo(2);
        assertThat(json.path("lost")).hasSize(32);
        assertThat(json.at("/lost/0/candidate/needle/0/rank").asInt()).isEqualTo(97);
        assertThat(json.at("/lost/0/baseline/needle/0/rank").asInt()).isEqualTo(1);
        assertThat(json.at("/flags/0/name").asString()).isEqualTo("index_key_dtype");
    }

    @Test
    void jsonOfVeryManyCellsShowsSomeAndCountsAll() {
        // given: one haystack without answers, and losses
        RecordedRuns broken = losing.with(cell -> cell.haystack() == 15
                ? CellState.ERROR
                : RecordedRuns.losing("4K tokens", 4).apply(cell));

        // when
        JsonNode json = ComparisonJson.of(new ComparisonReport(judged(broken), "gate"), 10);

        // then
        assertThat(json.path("lost")).hasSize(10);
        assertThat(json.path("left_out")).hasSize(10);
        assertThat(json.at("/omitted/gained").asInt()).isZero();
        for (String kind : List.of("lost", "left_out")) {
            int all = json.path("differences")
                    .valueStream()
                    .mapToInt(place -> place.path(kind).asInt())
                    .sum();
            assertThat(all).isGreaterThan(10);
            assertThat(json.at("/omitted/" + kind).asInt()).as(kind).isEqualTo(all - 10);
        }
        assertThat(json.path("differences").valueStream())
                .allSatisfy(
                        place -> assertThat(place.path("placement").asString()).isNotEmpty())
                .anySatisfy(place -> {
                    assertThat(place.path("stratum").asString()).isEqualTo("4K tokens");
                    assertThat(place.path("length").asInt()).isBetween(4096, 4099);
                    assertThat(place.path("lost").asInt()).isPositive();
                });
    }

    @Test
    void junitIsRedForARegressionAndNamesTheLostCells() {
        // when
        JUnitDocument junit = JUnitDocument.parse(new ComparisonReport(judged(losing), "gate").junit());

        // then
        assertThat(junit.suites()).containsExactly("verdict", "1K tokens", "4K tokens", "8K tokens");
        assertThat(junit.types("failure"))
                .hasSize(2 + 32)
                .startsWith("REGRESSION", "REGRESSION")
                .endsWith("lost");
        assertThat(junit.total("errors")).isZero();
    }

    @Test
    void junitIsGreenForASafeCandidateThatLostACell() {
        // given
        RecordedRuns nearly = candidate.with(cell ->
                cell.haystack() == 0 && cell.question() == 0 && cell.stratum().equals("4K tokens")
                        ? CellState.FAILED
                        : CellState.PASSED);

        // when
        Judgement judgement = new Judge(VerdictRule.STANDARD).first(baseline.record(), nearly.record(), again.record());
        JUnitDocument junit = JUnitDocument.parse(new ComparisonReport(judgement, "gate").junit());

        // then
        assertThat(judgement.title()).isEqualTo("SAFE");
        assertThat(junit.total("failures")).isZero();
        assertThat(junit.total("errors")).isZero();
        assertThat(junit.count("skipped")).isEqualTo(1);
    }

    @Test
    void junitHasAnErrorWhereEvidenceIsTooThin() {
        // given
        RecordedRuns broken = candidate.with(cell -> cell.haystack() < 8 ? CellState.ERROR : CellState.PASSED);

        // when
        Judgement judgement = judged(broken);
        JUnitDocument junit = JUnitDocument.parse(new ComparisonReport(judgement, "gate").junit());

        // then
        assertThat(judgement.title()).isEqualTo("NOT ENOUGH EVIDENCE");
        assertThat(junit.types("error")).containsExactly("NOT ENOUGH EVIDENCE");
        assertThat(junit.total("failures")).isZero();
        assertThat(new ComparisonReport(judgement, "gate").markdown()).contains("## Cells that do not count: 192");
    }

    @Test
    void twoRunsAloneDemandFreshCells() {
        // when
        Judgement judgement = new Judge(VerdictRule.STANDARD).first(baseline.record(), losing.record(), again.record());
        JsonNode json = JsonMapper.shared().readTree(new ComparisonReport(judgement, "gate").json());

        // then
        assertThat(json.path("verdict").asString()).isEqualTo("NOT ENOUGH EVIDENCE");
        assertThat(json.path("sentence").asString()).contains("not yet repeated on fresh seeds");
        assertThat(json.at("/fresh_cells_to_ask/4K tokens").asInt()).isEqualTo(256);
        assertThat(json.path("fresh").isNull()).isTrue();
    }

    @Test
    void strangersNamesStayTextInASentence() {
        // given a name that wants to be markup
        String name = "4K <img src=x> [a](b) | `c`";
        RecordedRuns first = baseline.of(RecordedRuns.suite("'" + name + "'"));
        RecordedRuns second = first.with(RecordedRuns.losing(name, 4))
                .flagged(FP8)
                .on(new TargetRecord("native", "native", "tiny", "5e1f", Map.of("<b>", "|")));
        RecordedRuns third = RecordedRuns.run("a2", "x", FP32).of(first.suite());

        // when
        Judgement judgement = new Judge(VerdictRule.STANDARD).first(first.record(), second.record(), third.record());

        // then
        assertThat(new ComparisonReport(judgement, "gate").markdown())
                .doesNotContain("<img", "[a](b)", "`c`", "<b>")
                .contains("4K &#60;img src=x&#62; &#91;a&#93;(b) &#124; &#96;c&#96;");
    }

    @Test
    void commandsKeepWordsTogether() {
        assertThat(ShellCommand.of("./plumbline", "gate", "--suite", "smoke/1", "my config's.yaml", "$(rm -rf ~)", ""))
                .isEqualTo("./plumbline gate --suite smoke/1 'my config'\\''s.yaml' '$(rm -rf ~)' ''");
    }

    private Judgement judged(RecordedRuns other) {
        return new Judge(VerdictRule.STANDARD)
                .judge(
                        baseline.record(),
                        other.record(),
                        again.record(),
                        (part, seeds) -> new FreshRuns(
                                baseline.of(part).seeded(seeds).record(),
                                other.of(part).seeded(seeds).record()));
    }
}
