package dev.plumbline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the command line says of memory, without a server. */
class CostCommandTest {

    @Test
    void saysWhatFlagsCostOnThePublishedModel() {
        // when
        Invocation cost = Invocation.of(
                "cost", "--model", "v4-flash", "--kv-dtype", "fp8", "--index-key-dtype", "fp8", "--budget-gib", "80");

        // then
        assertThat(cost.status()).isZero();
        assertThat(cost.out())
                .contains("Model v4-flash, window share 0.1, budget 81920.00 MiB")
                .contains("index keys: 21 layers x 132 B / 4 tokens = 693 B")
                .contains("sum = 7705.45 B per token")
                // in bf16 it is 12627.2 B: window 4403.2, entries 5376 and 160, keys 1344, state 1344
                .contains("Against the defaults: -39.0 % bytes per token, +63.9 % tokens in the budget")
                .containsPattern("\\+15\\.0 % +-13\\.0 % +the formula at window share 0\\.0127")
                .contains("Not known:");
    }

    @Test
    void knowsTheEmbeddedModel() {
        // when
        Invocation cost = Invocation.of("cost", "--override", "index_key_dtype=mxfp4");

        // then
        assertThat(cost.status()).isZero();
        assertThat(cost.out()).contains("Model needle-mini, ").contains("besides, once a request: HCA state");
    }

    @Test
    void knowsRunConfigsOfFilesAndOfADatabase(@TempDir Path folder) throws IOException {
        // given
        Path file = Files.writeString(
                folder.resolve("small.yaml"), "name: small\nprofile:\n  index_key_dtype: mxfp4\n  kv_dtype: fp8\n");

        // when flags go before the file's
        Invocation ofFile = Invocation.of(
                "cost", "--model", "v4-flash", "--run-config", file.toString(), "--index-key-dtype", "fp8");
        Invocation ofName = Invocation.of(
                "cost",
                "--model",
                "v4-flash",
                "--data",
                folder.resolve("data").toString(),
                "--run-config",
                "sglang-default");
        Invocation unknown = Invocation.of(
                "cost", "--run-config", folder.resolve("none.yaml").toString());

        // then
        assertThat(ofFile.err()).isEmpty();
        assertThat(ofFile.out()).contains("sum = 7705.45 B per token");
        assertThat(ofName.out()).as(ofName.err()).contains("sum = 7705.45 B per token");
        assertThat(unknown.status()).isEqualTo(2);
        assertThat(unknown.err()).contains("--run-config: the file ", "none.yaml cannot be read");
    }

    @Test
    void knowsTheRunConfigsOfTheProgramWithoutADatabase() {
        // when
        Invocation cost = Invocation.of("cost", "--model", "v4-flash", "--run-config", "fp8-index");

        // then
        assertThat(cost.out()).as(cost.err()).contains("index keys: 21 layers x 132 B / 4 tokens = 693 B");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --model v5 | 1 | model v5 is neither an embedded model
                    --budget-gib lots | 2 | budget_gib is lots; allowed: a number above 0, at most 1048576
                    --budget-gib -1 | 2 | budget_gib is -1; allowed: a number above 0
                    --budget-gib 1e9 | 2 | budget_gib is 1e9; allowed: a number above 0
                    --budget-gib 0.0 | 2 | budget_gib is 0.0; allowed: a number above 0
                    --window-share 1.01 | 2 | window_share is 1.01; allowed: a number from 0 to 1
                    --window-share NaN | 2 | window_share is NaN; allowed: a number from 0 to 1
                    --run-config fp8-indx | 2 | one of baseline, fp32-all, fp32-index, fp8-index
                    --kv-dtype fp4 | 1 | kv_dtype is fp4; allowed: fp32, bf16, fp8
                    """)
    void refusesWhatItCannotCompute(String arguments, int status, String reason) {
        // when
        Invocation cost = Invocation.of(("cost " + arguments).split(" "));

        // then
        assertThat(cost.err()).contains(reason);
        assertThat(cost.status()).isEqualTo(status);
        assertThat(cost.out()).isEmpty();
    }
}
