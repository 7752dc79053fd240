package dev.plumbline.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.plumbline.chat.Api;
import dev.plumbline.testing.TestServer;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What run configs cost, over HTTP. */
class RunConfigCostTest {
    private static final String PATH = "/api/run-configs";

    private static TestServer server;
    private static Api api;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        server = TestServer.serving(folder, 2, 2);
        api = new Api(server);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource({"baseline, 1344", "fp32-index, 2688", "fp8-index, 693", "mxfp4-index, 357", "sglang-default, 693"})
    void indexKeysOfThePublishedModelCostThePublishedBytes(String config, double bytes) throws Exception {
        // when
        Api.Answer cost = api.get(PATH + "/" + config + "/cost?model=v4-flash");

        // then
        assertThat(cost.status()).isEqualTo(200);
        assertThat(cost.text("/run_config")).isEqualTo(config + "@1");
        assertThat(cost.json().at("/bytes_per_token/index_keys").asDouble()).isEqualTo(bytes);
    }

    @Test
    void aCostIsComparedWithWhatIsServed() throws Exception {
        // given 12627.2 bytes per token of the baseline, which is served, and 7705.45 of fp8 everywhere
        Api.Answer cost = api.get(PATH + "/sglang-default/cost?model=v4-flash&budget_gib=80&window_share=0.1");

        // then
        JsonNode served = cost.json().path("against_served");
        assertThat(served.path("bytes_per_token").asDouble()).isCloseTo(12627.2, within(1e-6));
        assertThat(cost.json().at("/bytes_per_token/total").asDouble()).isCloseTo(7705.45, within(1e-6));
        assertThat(served.path("bytes_per_token_percent").asDouble()).isCloseTo(-38.98, within(0.005));
        assertThat(served.path("tokens_in_budget_percent").asDouble()).isCloseTo(63.87, within(0.005));
        assertThat(cost.json().path("tokens_in_budget").asLong()).isEqualTo((long) ((80L << 30) / 7705.45));
        assertThat(cost.json().path("requests").valueStream().map(request -> request.path("tokens")
                        .asLong()))
                .containsExactly(8192L, 32768L, 131_072L, 1_048_576L);
        assertThat(cost.json().path("by_window_share").size()).isGreaterThan(5);
        assertThat(cost.json().path("reported").path("window_share").asDouble()).isCloseTo(0.0127, within(0.00005));
        assertThat(cost.json().path("formula").valueStream().map(JsonNode::asString))
                .contains("sum = 7705.45 B per token");
    }

    @Test
    void withoutAModelItIsTheLoadedOne() throws Exception {
        // when
        Api.Answer cost = api.get(PATH + "/baseline/cost");

        // then one CSA layer of 16 dims: 32 bytes each 4 tokens
        assertThat(cost.text("/model")).isEqualTo(server.target().name());
        assertThat(cost.json().at("/bytes_per_token/index_keys").asDouble()).isEqualTo(8);
        assertThat(cost.json().at("/against_served/bytes_per_token_percent").asDouble())
                .isZero();
    }

    @Test
    void aDraftHasACostBeforeItIsSaved() throws Exception {
        // when
        Api.Answer cost =
                api.post(PATH + "/cost?model=v4-flash", Map.of("profile", Map.of("index_key_dtype", "mxfp4")));

        // then
        assertThat(cost.json().at("/bytes_per_token/index_keys").asDouble()).isEqualTo(357);
        assertThat(cost.json().path("run_config").isNull()).isTrue();
    }

    @Test
    void aDraftMayBeYaml() throws Exception {
        // when
        Api.Answer cost = api.send(server.request(PATH + "/cost?model=v4-flash")
                .header("Content-Type", "application/yaml")
                .POST(HttpRequest.BodyPublishers.ofString("profile:\n  index_key_dtype: mxfp4\n")));

        // then
        assertThat(cost.json().at("/bytes_per_token/index_keys").asDouble()).isEqualTo(357);
    }

    @Test
    void aDraftThatMakesNoSenseIsRefusedByItsFlag() throws Exception {
        // when
        Api.Answer cost =
                api.post(PATH + "/cost", Map.of("profile", Map.of("numerics", "qat", "index_key_dtype", "fp8")));

        // then
        assertThat(cost.status()).isEqualTo(400);
        assertThat(cost.text("/error/param")).isEqualTo("profile.index_key_dtype");
        assertThat(cost.text("/error/message")).contains("fp32, bf16");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                    model=v5 | model | 'v5'; allowed: %MODEL%, v4-flash
                    budget_gib=-1 | budget_gib | budget_gib is -1; allowed: a number above 0
                    budget_gib=0 | budget_gib | budget_gib is 0; allowed: a number above 0
                    budget_gib=many | budget_gib | budget_gib is many; allowed: a number above 0
                    budget_gib=1048577 | budget_gib | allowed: a number above 0, at most 1048576
                    budget_gib= | budget_gib | allowed: a number above 0
                    window_share=1.5 | window_share | window_share is 1.5; allowed: a number from 0 to 1
                    window_share=1e400 | window_share | allowed: a number from 0 to 1
                    share=1 | share | Unknown parameter: 'share'; allowed: budget_gib, model, window_share.
                    model=v4-flash&model=v4-flash | model | allowed: one value
                    """)
    void whatCannotBeComputedIsRefused(String query, String field, String reason) throws Exception {
        // when
        Api.Answer cost = api.get(PATH + "/baseline/cost?" + query);

        // then
        assertThat(cost.status()).isEqualTo(400);
        assertThat(cost.text("/error/param")).isEqualTo(field);
        assertThat(cost.text("/error/message"))
                .contains(reason.replace("%MODEL%", server.target().name()));
    }

    @Test
    void whatDoesNotExistCostsNothing() throws Exception {
        assertThat(api.get(PATH + "/nothing/cost").status()).isEqualTo(404);
        assertThat(api.get(PATH + "/baseline@9/cost").status()).isEqualTo(404);
        assertThat(api.get(PATH + "/cost").status()).isEqualTo(405);
        assertThat(api.delete(PATH + "/baseline/cost").status()).isEqualTo(405);
    }
}
