package dev.plumbline.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.plumbline.document.DocumentException;
import dev.plumbline.testing.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a webhook hears of changed verdicts. */
class DeliveriesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String SECRET = "a secret of enough letters";

    private static Findings findings;
    private static Server server;

    @BeforeAll
    static void start() {
        findings = new Findings(() -> server.database);
        server = new Server(TestDatabase.create(), findings);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Schedule telling(Ears ears) {
        return server.create(Map.of("webhook", Map.of("url", ears.url(), "secret", SECRET)));
    }

    /** Fires once more and waits until all is told. */
    private static Firing fire(Schedule schedule, Verdict verdict) {
        findings.find(verdict);
        UUID id = server.schedules.runNow(schedule.id()).block().id();
        await().atMost(PATIENCE).until(() -> {
            Firing firing = one(schedule, id);
            return firing.ended() != null
                    && (firing.event() == null || !firing.event().state().equals("waiting"));
        });
        return one(schedule, id);
    }

    private static Firing one(Schedule schedule, UUID firing) {
        return server.firings(schedule.id()).stream()
                .filter(found -> found.id().equals(firing))
                .findFirst()
                .orElseThrow();
    }

    private static byte[] secret(UUID schedule) {
        return server.database.now(client -> ScheduleTable.secret(client, schedule));
    }

    private static String hmac(String text) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void everyChangeIsToldSignedAndNoUnchangedVerdictIs() throws Exception {
        try (Ears ears = new Ears()) {
            // given
            Schedule schedule = telling(ears);

            // when
            Firing first = fire(schedule, Verdict.SAFE);
            Firing same = fire(schedule, Verdict.SAFE);
            Firing lost = fire(schedule, Verdict.REGRESSION);

            // then
            assertThat(first.changed()).isTrue();
            assertThat(same.changed()).isFalse();
            assertThat(same.event()).isNull();
            assertThat(lost.event().state()).isEqualTo("delivered");
            assertThat(lost.event().attempts()).singleElement().satisfies(attempt -> {
                assertThat(attempt.status()).isEqualTo(204);
                assertThat(attempt.failure()).isNull();
            });
            assertThat(ears.heard()).hasSize(2);
            Ears.Heard heard = ears.heard().get(1);
            String time = heard.headers().get("x-plumbline-timestamp");
            assertThat(heard.headers())
                    .containsEntry("x-plumbline-signature", "v1=" + hmac(time + "." + heard.body()))
                    .containsEntry("x-plumbline-event", lost.event().id().toString())
                    .containsEntry("content-type", "application/json");
            assertThat(Instant.ofEpochSecond(Long.parseLong(time)))
                    .isBetween(Instant.now().minusSeconds(120), Instant.now().plusSeconds(1));
            JsonNode body = JsonMapper.shared().readTree(heard.body());
            assertThat(body.path("type").asString()).isEqualTo("verdict.changed");
            assertThat(body.path("from").asString()).isEqualTo("safe");
            assertThat(body.path("to").asString()).isEqualTo("regression");
            assertThat(body.path("summary").asString()).isEqualTo("It is regression.");
            assertThat(body.path("candidate").asString()).isEqualTo("fp8-index@1");
            assertThat(body.path("url").asString()).isEqualTo("/api/comparisons/" + lost.comparison());
        }
    }

    @Test
    void whatIsNotHeardIsToldAgainWithTheSameBodyAndEveryAttemptIsKept() throws Exception {
        try (Ears ears = new Ears()) {
            ears.answer(500, 302, 404);
            Schedule schedule = telling(ears);

            Firing firing = fire(schedule, Verdict.NOT_ENOUGH_EVIDENCE);

            assertThat(firing.event().state()).isEqualTo("delivered");
            assertThat(firing.event().attempts())
                    .extracting(Firing.Attempt::status)
                    .containsExactly(500, 302, 404, 204);
            assertThat(firing.event().attempts())
                    .extracting(Firing.Attempt::failure)
                    .containsExactly(
                            "the answer was not one of 200 to 299",
                            "the answer was a redirect, which is not followed",
                            "the answer was not one of 200 to 299",
                            null);
            assertThat(ears.heard()).hasSize(4);
            assertThat(ears.heard())
                    .extracting(Ears.Heard::body)
                    .containsOnly(ears.heard().get(0).body());
        }
    }

    @Test
    void whoNeverHearsIsGivenUpAfterEightAttempts() throws Exception {
        Schedule schedule;
        try (Ears ears = new Ears()) {
            schedule = telling(ears);
        }

        Firing firing = fire(schedule, Verdict.SAFE);

        assertThat(firing.event().state()).isEqualTo("failed");
        assertThat(firing.event().attempts()).hasSize(8).allSatisfy(attempt -> {
            assertThat(attempt.status()).isNull();
            assertThat(attempt.failure()).contains("refused");
        });
    }

    @Test
    void forbiddenAddressesAreRefusedAndCalledNeverWhateverTheDatabaseSays() throws Exception {
        for (String url :
                List.of("http://127.0.0.2/", "http://[::1]/", "http://169.254.169.254/latest", "http://10.0.0.1/")) {
            assertThatThrownBy(() -> server.create(Map.of("webhook", Map.of("url", url))))
                    .isInstanceOf(DocumentException.class)
                    .hasMessageContaining("webhook.url")
                    .hasMessageContaining("PLUMBLINE_WEBHOOK_NETWORKS");
        }
        try (Ears ears = new Ears()) {
            // given: an address that led elsewhere when the schedule was made
            Schedule schedule = telling(ears);
            server.database.now(client -> client.sql("UPDATE schedule SET webhook_url = :url WHERE id = :id")
                    .param("url", ears.url().replace("127.0.0.1", "127.0.0.2"))
                    .param("id", schedule.id())
                    .update());

            // when
            Firing firing = fire(schedule, Verdict.SAFE);

            // then
            assertThat(firing.event().state()).isEqualTo("failed");
            assertThat(firing.event().attempts())
                    .allSatisfy(attempt -> assertThat(attempt.failure()).isEqualTo(ForbiddenAddressException.WORDS));
            assertThat(ears.heard()).isEmpty();
        }
    }

    @Test
    void theSecretIsEncryptedMadeIfThereIsNoneAndKeptWhenTheScheduleIsReplaced() throws Exception {
        try (Ears ears = new Ears()) {
            Map<String, Object> document = new HashMap<>(Map.of(
                    "name",
                    "secretive",
                    "suite",
                    "smoke",
                    "baseline",
                    "baseline@1",
                    "cron",
                    "nightly",
                    "webhook",
                    Map.of("url", ears.url())));
            Schedules.Saved made =
                    server.schedules.create(NewSchedule.of(document), "ann").block();
            UUID id = made.schedule().id();

            assertThat(made.secret()).startsWith("whsec_").hasSizeGreaterThan(30);
            byte[] stored = secret(id);
            assertThat(new String(stored, StandardCharsets.ISO_8859_1)).doesNotContain(made.secret());
            document.put("cron", "0 4 * * *");
            Schedules.Saved replaced =
                    server.schedules.replace(id, NewSchedule.of(document)).block();
            assertThat(replaced.secret()).isNull();
            assertThat(secret(id)).isEqualTo(stored);
            document.put("webhook", null);
            assertThat(server.schedules
                            .replace(id, NewSchedule.of(document))
                            .block()
                            .schedule()
                            .webhook())
                    .isNull();
            assertThat(secret(id)).isNull();
        }
    }
}
