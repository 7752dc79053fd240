package dev.plumbline.cli;

import static org.assertj.core.api.Assertions.assertThat;

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
        assertThat(report.at("/machine/cpu_model").stringValue()).isNotBlank();
        assertThat(report.get("date").stringValue()).startsWith("20");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--runs 0 | --runs 0: allowed are 1 and more",
                "--batches 0 | --batches 0: allowed are 1 to 16 (--max-sequences)",
                "--batches 17 | --batches 17: allowed are 1 to 16",
                "--lengths 8192 | --lengths 8192: allowed are 1 to 8127, the context of 8192 tokens less 65 for the answer",
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
