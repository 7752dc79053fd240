package dev.plumbline.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.security.Access;
import dev.plumbline.security.ApiKey;
import dev.plumbline.testing.TestDatabase;
import dev.plumbline.testing.TestServer;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** Requests a minute: the server's limit, a key's own, and what clients are told of them. */
class RateLimitTest {
    private static TestServer server;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        Access access = new Access(Optional.of(ApiKey.of(TestServer.KEY)), 50, made -> {});
        server = TestServer.loading(TestDatabase.empty(), TestServer.KEY, access, false);
        server.load(folder, 2, 2);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static TestServer holder(Object limit) throws Exception {
        Map<String, Object> body = limit == null
                ? Map.of("name", "k", "scopes", List.of("chat", "operate"))
                : Map.of("name", "k", "scopes", List.of("chat", "operate"), "rate_limit_per_minute", limit);
        return server.with(new Api(server).post("/api/keys", body).text("/key"));
    }

    private static HttpResponse<String> models(TestServer holder) throws Exception {
        return holder.send(holder.request("/v1/models").GET());
    }

    private static String header(HttpResponse<String> response, String name) {
        return response.headers().firstValue(name).orElse(null);
    }

    @Test
    void aKeyIsTooManyAfterItsLimitAndIsToldWhenToComeAgain() throws Exception {
        TestServer holder = holder(2);
        HttpResponse<String> first = models(holder);
        HttpResponse<String> second = models(holder);
        HttpResponse<String> third = models(holder);

        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(header(first, "x-ratelimit-limit-requests")).isEqualTo("2");
        assertThat(header(first, "x-ratelimit-remaining-requests")).isEqualTo("1");
        assertThat(header(first, "x-ratelimit-reset-requests")).isEqualTo("30s");
        assertThat(header(second, "x-ratelimit-remaining-requests")).isEqualTo("0");
        assertThat(third.statusCode()).isEqualTo(429);
        assertThat(Integer.parseInt(header(third, "Retry-After"))).isBetween(1, 30);
        assertThat(header(third, "x-ratelimit-remaining-requests")).isEqualTo("0");
        assertThat(JsonMapper.shared().readTree(third.body()).at("/error/code").asString())
                .isEqualTo("rate_limit_exceeded");
        assertThat(third.body()).contains("2 requests a minute");
    }

    @Test
    void aPathThatIsWrittenOtherwiseCountsToo() throws Exception {
        TestServer holder = holder(1);
        models(holder);

        for (String path : List.of("/%761/models", "/v1/%6dodels", "/%76%31/models", "/%61pi/engine")) {
            assertThat(holder.send(holder.request(path).GET()).statusCode())
                    .as(path)
                    .isEqualTo(429);
        }
    }

    @Test
    void keysHaveTheServersLimitUnlessTheyHaveTheirOwnAndNoneUsesAnothers() throws Exception {
        TestServer small = holder(1);
        models(small);

        assertThat(models(small).statusCode()).isEqualTo(429);
        assertThat(header(models(holder(null)), "x-ratelimit-limit-requests")).isEqualTo("50");
        assertThat(header(models(holder(60)), "x-ratelimit-limit-requests")).isEqualTo("60");
        assertThat(models(server).statusCode()).isEqualTo(200);
    }

    @Test
    void whoWatchesTheServerIsNotLimited() throws Exception {
        TestServer small = holder(1);
        models(small);

        for (int i = 0; i < 3; i++) {
            assertThat(small.send(small.request("/actuator/prometheus").GET()).statusCode())
                    .isEqualTo(200);
            assertThat(small.send(small.request("/actuator/health").GET()).statusCode())
                    .isEqualTo(200);
        }
    }
}
