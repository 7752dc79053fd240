package dev.plumbline.runconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.plumbline.precision.Flag;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Run configs as YAML: what goes out comes in again, and nothing else does. */
class RunConfigYamlTest {

    @Test
    void whatIsWrittenIsReadAsTheSame() {
        String description = "on: the \"first\"\nline, # not a comment: - 'x' \uD83D\uDD0D  ends with blanks  ";
        NewRunConfig config = RunConfigYaml.read(bytes("name: wide\nprofile:\n  index_topk: 2x\n  graphs: on\n"
                + "  prefill_chunk: 256\nsampling:\n  temperature: 0.25\n  max_completion_tokens: 64\n"));
        RunConfig stored = new RunConfig(
                config.name(), 3, config.profile(), config.sampling(), description, "ann@x", Instant.EPOCH);

        String written = RunConfigYaml.write(stored);

        assertThat(written).startsWith("# wide@3, by ann@x, 1970-01-01T00:00:00Z\n");
        assertThat(RunConfigYaml.read(bytes(written)).sameAs(stored)).isTrue();
        assertThat(stored.profile().flags())
                .containsEntry("index_topk", "2x")
                .containsEntry("graphs", "on")
                .containsEntry("prefill_chunk", "256");
        assertThat(stored.sampling().maxCompletionTokens()).isEqualTo(64);
        assertThat(stored.sampling().temperature()).isEqualTo(0.25);
    }

    @Test
    void aMultipleOfTheBudgetIsThatOfTheModelAtHand() {
        ConfigProfile profile = RunConfigYaml.read(bytes("name: a\nprofile: {index_topk: 2x}\n"))
                .profile();

        assertThat(profile.at(512).values()).containsEntry(Flag.INDEX_TOPK, "1024");
        assertThat(profile.at(8).values()).containsEntry(Flag.INDEX_TOPK, "16");
        assertThatThrownBy(() -> profile.at(Integer.MAX_VALUE)).hasMessageContaining("index_topk is 2x");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "name: &a x\ndescription: *a\n",
                "a: &a [x, x]\nb: &b [*a, *a]\nname: x\n",
                "name: x\ndescription: !!javax.script.ScriptEngineManager [!!java.net.URL [http://127.0.0.1:1/]]\n",
                "!!java.util.Date 2020-01-01\n",
                "!!map {name: x}\n",
                "name: x\nname: y\n",
                "name: x\n---\nname: y\n",
                "- name\n",
                "name\n",
                "",
                "# only a comment\n",
                "{name: x, [a, b]: c}\n",
                "name: [[[[[[[[[[x]]]]]]]]]]\n",
                "name: 'x\n",
                "name: x\n\tprofile: {}\n",
                "%YAML 9.9\n---\nname: x\n",
                "name: x\u0007\n",
            })
    void hostileDocumentsAreRefused(String document) {
        assertThatThrownBy(() -> RunConfigYaml.read(bytes(document)))
                .isInstanceOfSatisfying(RunConfigException.class, refused -> {
                    assertThat(refused.code()).isEqualTo("invalid_yaml");
                    assertThat(refused).hasMessageStartingWith("The YAML document is refused: ");
                });
    }

    @Test
    void largeDocumentsAndOtherEncodingsAreRefused() {
        assertThatThrownBy(() -> RunConfigYaml.read(bytes("description: " + "x".repeat(RunConfigYaml.LIMIT))))
                .hasMessageContaining("at most 65536");
        assertThatThrownBy(() -> RunConfigYaml.read("name: ä".getBytes(StandardCharsets.ISO_8859_1)))
                .hasMessageContaining("not UTF-8");
        assertThatThrownBy(() -> RunConfigYaml.read(bytes("[".repeat(60_000)))).isInstanceOf(RunConfigException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "name: Big|name|allowed: 1 to 63 of a-z",
                "name: diff|name|not diff, rollback, import or cost",
                "{}|name|Missing required parameter",
                "{name: x, nam: y}|nam|allowed: description, name, profile, sampling",
                "{name: x, profile: 7}|profile|an object",
                "{name: x, profile: {index_key_dtype: fp7}}|profile.index_key_dtype|fp32, bf16, fp8, mxfp4",
                "{name: x, profile: {index_key: fp8}}|profile.index_key|index_key_dtype",
                "{name: x, profile: {index_topk: 0}}|profile.index_topk|a multiple of the checkpoint's budget",
                "{name: x, profile: {index_topk: 1x}}|profile.index_topk|from 2x to 999x",
                "{name: x, profile: {index_topk: 1000x}}|profile.index_topk|from 2x to 999x",
                "{name: x, profile: {numerics: qat, index_key_dtype: fp8}}|profile.index_key_dtype|fp32, bf16",
                "{name: x, sampling: {temperature: 3}}|sampling.temperature|a number from 0 to 2",
                "{name: x, sampling: {temperature: '1'}}|sampling.temperature|a number from 0 to 2",
                "{name: x, sampling: {top_k: 3}}|sampling.top_k|allowed: frequency_penalty",
                "{name: x, sampling: {max_completion_tokens: 1.5}}|sampling.max_completion_tokens|an integer from 1",
                "{name: x, sampling: {max_completion_tokens: 99999999999}}|sampling.max_completion_tokens|an integer",
                "{name: x, description: [a]}|description|a string",
            })
    void wrongFieldsAreNamedWithWhatIsAllowed(String document, String field, String allowed) {
        assertThatThrownBy(() -> RunConfigYaml.read(bytes(document)))
                .isInstanceOfSatisfying(RunConfigException.class, refused -> assertThat(refused.field())
                        .isEqualTo(field))
                .hasMessageContaining(allowed);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
