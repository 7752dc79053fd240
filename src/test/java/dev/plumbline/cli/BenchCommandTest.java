package dev.plumbline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.plumbline.model.TinyModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class BenchCommandTest {
    @TempDir
    static Path model;

    @TempDir
    Path folder;

    @BeforeAll
    static void writeModel() throws IOException {
        TinyModel.write(model);
    }

    @Test
    void measuresSpeedAndMemoryPerLengthAndBatch() throws IOException {
        Path out = folder.resolve("bench.json");

        Invocation bench = bench("--lengths", "600,400", "--batches", "1,3", "--runs", "3", "--out", out.toString());

        assertThat(bench.err()).isEmpty();
        assertThat(bench.status()).isZero();
        assertThat(bench.out())
                .startsWith("Measured with prefix_cache=off: every prompt is computed")
                .containsPattern("length +batch +prefill tok/s +decode tok/s +ttft ms +peak PSS MiB so far")
                .containsPattern("400 +3 +\\d+ +\\d+ +\\d+ +\\d+");
        JsonNode report = JsonMapper.builder().build().readTree(Files.readString(out));
        assertThat(report.get("results")).hasSize(4).allSatisfy(row -> {
            assertThat(row.get("prefill_tok_s").doubleValue()).isPositive();
            assertThat(row.get("decode_tok_s").doubleValue()).isPositive();
            assertThat(row.get("ttft_ms").doubleValue()).isPositive();
            assertThat(row.get("peak_pss_mb").longValue()).isPositive();
            assertThat(row.get("runs")).hasSize(3);
        });
        assertThat(report.at("/results/0/length").intValue()).isEqualTo(400);
        assertThat(report.at("/about/backend").stringValue()).isEqualTo("reference");
        assertThat(report.at("/about/prefix_cache").stringValue()).isEqualTo("off");
        assertThat(report.at("/machine/cpu_model").stringValue()).isNotBlank();
        assertThat(report.get("date").stringValue()).startsWith("20");
    }

    @Test
    void measuresWithThePrefixCacheWhenAskedTo() {
        Invocation bench = bench("--lengths", "300", "--batches", "1", "--runs", "1", "--override", "prefix_cache=on");

        assertThat(bench.status()).isZero();
        assertThat(bench.out()).contains("prefill tok/s").doesNotContain("prefix_cache");
    }

    @Test
    void measuresTwoRunConfigsInTurnsAndTellsTheRatio() throws IOException {
        Path narrow = Files.writeString(
                folder.resolve("narrow.yaml"), "name: narrow\nprofile:\n  index_topk: 2\n  linear_dtype: fp32\n");
        Path out = folder.resolve("versus.json");

        Invocation bench = bench(
                "--lengths",
                "300",
                "--batches",
                "2",
                "--runs",
                "2",
                "--config",
                "linear_dtype=fp32,index_topk=4",
                "--vs",
                narrow.toString(),
                "--out",
                out.toString());

        assertThat(bench.err()).isEmpty();
        assertThat(bench.status()).isZero();
        assertThat(bench.out())
                .containsPattern("300 +2 +\\d+ +\\d+ +\\d+\\.\\d{3} ")
                .contains("A and B differ in\n  index_topk: A 4, B 2\n");
        JsonNode row = JsonMapper.builder()
                .build()
                .readTree(Files.readString(out))
                .get("results")
                .get(0);
        double first = ratio(row, 0);
        double second = ratio(row, 1);
        assertThat(row.get("prefill_ratio").doubleValue()).isEqualTo((first + second) / 2, within(1e-9));
    }

    @Test
    void takesRunConfigsOfADatabaseByName() throws IOException {
        Path out = folder.resolve("stored.json");
        String data = folder.resolve("data").toString();

        Invocation bench = bench(
                "--lengths",
                "300",
                "--batches",
                "1",
                "--runs",
                "1",
                "--data",
                data,
                "--config",
                "fp32-index",
                "--vs",
                "fp8-index@1",
                "--out",
                out.toString());
        Invocation unknown = bench("--batches", "1", "--data", data, "--config", "baseline@7");

        assertThat(bench.status()).as(bench.err()).isZero();
        assertThat(bench.out()).contains("index_key_dtype: A fp32, B fp8\n");
        assertThat(unknown.status()).isEqualTo(2);
        assertThat(unknown.err()).contains("--config baseline@7: ");
    }

    private static double ratio(JsonNode row, int run) {
        return row.at("/b/runs/" + run + "/prefill_tok_s").doubleValue()
                / row.at("/a/runs/" + run + "/prefill_tok_s").doubleValue();
    }

    @Test
    void measuresWhatASwitchCostsWhileStreamsRun() throws IOException {
        Path out = folder.resolve("switch.json");

        Invocation bench = bench(
                "--switch",
                "--vs",
                "kv_dtype=fp32,linear_dtype=fp32",
                "--lengths",
                "200",
                "--batches",
                "3",
                "--runs",
                "2",
                "--out",
                out.toString());

        assertThat(bench.err()).isEmpty();
        assertThat(bench.status()).isZero();
        assertThat(bench.out())
                .contains("Worst of 2 switches to kv_dtype=fp32,linear_dtype=fp32 under 3 streams at 200 tokens: ")
                .containsPattern("times the normal and \\d+\\.\\d times those of a new request without a switch")
                .contains(", no errors.");
        JsonNode report = JsonMapper.builder().build().readTree(Files.readString(out));
        JsonNode first = report.at("/results/0");
        assertThat(first.get("tensors_read").longValue()).isPositive();
        assertThat(report.at("/results/1/tensors_read").longValue())
                .as("the form is there")
                .isZero();
        assertThat(first.get("first_token_ms").doubleValue())
                .isGreaterThan(first.get("active_ms").doubleValue());
        assertThat(first.get("switch_max").doubleValue())
                .isGreaterThanOrEqualTo(first.get("switch_p99").doubleValue());
        assertThat(first.get("arrival_max").doubleValue())
                .isGreaterThanOrEqualTo(first.get("arrival_p99").doubleValue());
        assertThat(first.get("arrival_p99").doubleValue()).isPositive();
        assertThat(first.get("gaps").intValue()).isPositive();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--runs 0 | --runs 0: allowed are 1 and more",
                "--batches 0 | --batches 0: allowed are 1 to 16 (--max-sequences)",
                "--batches 17 | --batches 17: allowed are 1 to 16",
                "--lengths 8192 | --lengths 8192: allowed are 1 to 8127, the context of 8192 tokens less 65 for the answer",
                "--switch | --switch needs --vs",
                "--switch --vs index_topk=2 --batches 16 | --batches 16: with --switch allowed are 1 to 15",
                "--vs sparse | --vs sparse: no such run config; allowed are FILE.yaml, FLAG=VALUE,FLAG=VALUE, or one of baseline",
                "--vs index_topk=0 | index_topk is 0; allowed: ",
                "--config no.yaml | --config: the file no.yaml cannot be read; allowed: a file of a run config, or a name",
                "--out /no/x.json | --out /no/x.json: folder /no does not exist"
            })
    void aWrongArgumentIsRefusedByName(String arguments, String message) {
        Invocation bench = bench(("--batches 1 " + arguments).split(" "));

        assertThat(bench.err()).contains(message);
        assertThat(bench.status()).isEqualTo(2);
    }

    private static Invocation bench(String... arguments) {
        return Invocation.onReference("bench", model, arguments);
    }
}
