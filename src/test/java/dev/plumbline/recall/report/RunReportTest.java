package dev.plumbline.recall.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.recall.judge.RecordedRuns;
import dev.plumbline.recall.result.TargetRecord;
import dev.plumbline.recall.verdict.CellState;
import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A run as CSV, JSON, JUnit XML and Markdown, with text that wants to be more than text. */
class RunReportTest {
    private static final String HOSTILE =
            "=1+1 | <script>alert(1)</script> ]]> & \"quotes\" `code` **bold** [link](javascript:x)"
                    + " http://evil.example www.evil.example @everyone #1 $x$ ![i](x) \u202Egnp.exe \u0000\u0001\uD800\r\n- a list";

    private final RecordedRuns run =
            RecordedRuns.run("7d1c", "fp8-index@1", Map.of("index_key_dtype", "fp8", "kv_dtype", "bf16"));

    /** Haystack 0 fails, 1 is cut, 2 is an error, 3 has no result; the rest passes. */
    private final RecordedRuns mixed = run.with(cell -> switch (cell.haystack()) {
        case 0 -> CellState.FAILED;
        case 1 -> CellState.TRUNCATED;
        case 2 -> CellState.ERROR;
        case 3 -> CellState.MISSING;
        default -> CellState.PASSED;
    });

    @Test
    void csvHasARowForEveryCellAndItsNeedle() throws IOException {
        // when
        List<CSVRecord> rows = rows(report(mixed).csv());

        // then
        assertThat(rows).hasSize(3 * 128);
        CSVRecord failed = rows.get(0);
        assertThat(failed.get("state")).isEqualTo("failed");
        assertThat(failed.get("layer2_decode_value0_rank")).isEqualTo("97");
        assertThat(failed.get("layer2_decode_value0_margin")).isEqualTo("-0.125");
        assertThat(failed.get("total_ms")).isEqualTo("250.0");
        assertThat(rows).extracting(row -> row.get("state")).contains("truncated", "error", "missing", "passed");
        CSVRecord missing = rows.stream()
                .filter(row -> row.get("state").equals("missing"))
                .findFirst()
                .orElseThrow();
        assertThat(missing.get("layer2_decode_value0_rank")).isEmpty();
        assertThat(missing.get("total_ms")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"=cmd|' /C calc'!A0", "+1", "-1+1", "@SUM(A1)", "\t=1", "  =1", "\r\n=1", "＝1"})
    void noSpreadsheetComputesAnAnswer(String answer) throws IOException {
        // when
        List<CSVRecord> rows = rows(report(run.answering(answer)).csv());

        // then
        assertThat(rows.get(0).get("answer")).isEqualTo("'" + answer);
    }

    @Test
    void csvCarriesQuotesCommasAndLineBreaks() throws IOException {
        String answer = "a \"b\", c\r\nd;\u0000";

        List<CSVRecord> rows = rows(report(run.answering(answer)).csv());

        assertThat(rows).hasSize(3 * 128);
        assertThat(rows.get(0).get("answer")).isEqualTo(answer.replace('\u0000', '\uFFFD'));
    }

    @Test
    void jsonHasTheRunItsRatesAndItsCells() {
        // when
        JsonNode json =
                JsonMapper.shared().readTree(report(mixed.answering(HOSTILE)).json());

        // then
        assertThat(json.at("/suite/version").asInt()).isEqualTo(3);
        assertThat(json.at("/counts/truncated").asInt()).isEqualTo(24);
        assertThat(json.at("/strata/0/recall/n").asInt()).isEqualTo(128 - 3 * 8);
        assertThat(json.at("/strata/0/recall/passed").asInt()).isEqualTo(128 - 4 * 8);
        assertThat(json.at("/strata/0/recall/low95").asDouble()).isBetween(0.8, 0.93);
        assertThat(json.at("/strata/2/required").asBoolean()).isFalse();
        assertThat(json.path("grid")).hasSize(3 * 8);
        assertThat(json.path("cells")).hasSize(3 * 128);
        assertThat(json.at("/cells/0/needle/0/margin").asDouble()).isEqualTo(-0.125);
        assertThat(json.path("cells")
                        .valueStream()
                        .filter(cell -> cell.path("state").asString().equals("error")))
                .isNotEmpty()
                .allMatch(cell -> cell.path("total_ms").isNull());
        assertThat(json.path("command").asString()).isEqualTo("ask again");
    }

    @Test
    void junitHasASuitePerStratumAndTellsErrorsFromWrongAnswers() {
        // when
        JUnitDocument junit = JUnitDocument.parse(report(mixed).junit());

        // then
        assertThat(junit.suites()).containsExactly("1K tokens", "4K tokens", "8K tokens");
        assertThat(junit.cases("1K tokens")).hasSize(128);
        assertThat(junit.types("failure")).containsOnly("recall").hasSize(24);
        assertThat(junit.types("error")).containsOnly("error", "truncated").hasSize(48);
        assertThat(junit.count("skipped")).isEqualTo(24);
        assertThat(junit.total("tests")).isEqualTo(384);
        assertThat(junit.total("failures")).isEqualTo(24);
        assertThat(junit.total("errors")).isEqualTo(48);
        assertThat(junit.total("skipped")).isEqualTo(24);
    }

    @Test
    void junitIsWellFormedWhateverAnAnswerHolds() {
        // when
        RecordedRuns hostile =
                mixed.of(RecordedRuns.suite("'4K <&\"]]> tokens'")).answering(HOSTILE);
        JUnitDocument junit = JUnitDocument.parse(report(hostile).junit());

        // then
        assertThat(junit.suites()).contains("4K <&\"]]> tokens");
        assertThat(junit.text("failure"))
                .contains("<script>alert(1)</script> ]]> & \"quotes\"")
                .contains("\uFFFD\uFFFD\uFFFD");
    }

    @Test
    void markdownSaysWhatWasMeasuredAndHowToAskAgain() {
        // when
        String page = report(mixed).markdown();

        // then
        assertThat(page)
                .startsWith("# Recall of <code>fp8-index@1</code> in <code>recorded/3</code>\n")
                .contains("288 of 312 cells (92.3 %) were answered right; 72 of 384 do not count")
                .contains("24 truncated, 24 errors, 24 missing")
                .contains("```sh\nask again\n```")
                .contains("| <code>4K tokens</code> | 4096–4099 | 12/13 |")
                .contains("| index_key_dtype | <code>fp8</code> |")
                .contains("| 97 | -0.1250 | no |")
                .contains("| backend | <code>cpu</code> |")
                .contains("And 22 more");
    }

    @Test
    void markdownTakesNothingOfAnAnswerForMarkup() {
        // given a stranger's words wherever there may be some
        RecordedRuns hostile = mixed.of(RecordedRuns.suite("'4K | <b>`x` tokens'"))
                .answering(HOSTILE)
                .on(new TargetRecord("openai", HOSTILE, HOSTILE, "", Map.of(HOSTILE, HOSTILE)));

        // when
        String page = new RunReport(hostile.record(), "ask ```\nagain").markdown();

        // then
        assertThat(page)
                .doesNotContain("<script", "<b>", "**bold**", "`code`", "](javascript", "http:", "www.", "@everyone")
                .doesNotContain("\u202E", "\u0000", "\r")
                .contains("````sh\nask ```\nagain\n````");
        assertThat(tableRows(page))
                .allSatisfy(
                        row -> assertThat(row.replaceAll("[^|]", "")).as(row).hasSizeBetween(3, 13));
        assertThat(page.lines()).noneMatch(line -> line.startsWith("- a list"));
    }

    @Test
    void aLongAnswerIsCutOnThePageAndWholeElsewhere() {
        String answer = "𝔸".repeat(5000);

        assertThat(report(mixed.answering(answer)).markdown())
                .contains("𝔸".repeat(300) + "…</code>")
                .doesNotContain("𝔸".repeat(301));
        assertThat(report(mixed.answering(answer)).json()).contains(answer);
    }

    private static Stream<String> tableRows(String page) {
        return page.lines().filter(line -> line.startsWith("|"));
    }

    private static RunReport report(RecordedRuns run) {
        return new RunReport(run.record(), "ask again");
    }

    private static List<CSVRecord> rows(String csv) throws IOException {
        CSVFormat format = CSVFormat.RFC4180
                .builder()
                .setHeader()
                .setSkipHeaderRecord(true)
                .get();
        try (CSVParser parser = CSVParser.parse(new StringReader(csv), format)) {
            return parser.getRecords();
        }
    }
}
