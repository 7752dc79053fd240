package dev.plumbline.conversation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.plumbline.database.Database;
import dev.plumbline.engine.LaneKey;
import dev.plumbline.model.ChatMessage;
import dev.plumbline.precision.PrecisionProfile;
import dev.plumbline.target.ChatEvent;
import dev.plumbline.target.ChatEvent.Channel;
import dev.plumbline.target.ChatEvent.Finished;
import dev.plumbline.target.ChatEvent.Reason;
import dev.plumbline.target.ChatEvent.Started;
import dev.plumbline.target.ChatEvent.Text;
import dev.plumbline.target.ChatEvent.Usage;
import dev.plumbline.testing.TestDatabase;
import dev.plumbline.usage.TestCharge;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

/** What becomes of answers that end in unusual ways, on a real database. */
class RecordingTest {
    private static final LaneKey LANE = LaneKey.startup(PrecisionProfile.baseline(8));

    private static Database database;

    /** Makes the rows of a test its own. */
    private final String owner = UUID.randomUUID().toString();

    @BeforeAll
    static void connect() {
        database = TestDatabase.open();
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @Test
    void nothingStaysInProgressHoweverEarlyItsClientLeaves() throws Exception {
        Random random = new Random(3);
        Flux<ChatEvent> events = Flux.concat(
                Flux.just(new Started(0, 1, LANE), text("some")),
                Flux.interval(Duration.ofMillis(1)).map(i -> text(" more")));
        for (int i = 0; i < 200; i++) {
            Disposable client = Recording.of(database, answer("m"), events).subscribe();
            Thread.sleep(0, random.nextInt(999_999));
            Thread.sleep(random.nextInt(6));
            client.dispose();
        }

        await().atMost(Duration.ofSeconds(20)).until(() -> count("status = 'in_progress'") == 0);
        assertThat(count("status = 'incomplete'")).isPositive();
    }

    @Test
    void theTextIsCommittedWithinASecondWhileOthersReadAtLength() {
        for (int i = 0; i < 20; i++) {
            database.transaction(client -> client.sql("SELECT pg_sleep(4)")
                            .query((row, n) -> 1)
                            .list())
                    .subscribe();
        }
        Flux<ChatEvent> events = Flux.concat(Flux.just(new Started(0, 1, LANE), text("said")), Flux.never());
        Disposable client = Recording.of(database, answer("m"), events).subscribe();

        await().atMost(Duration.ofSeconds(3)).until(() -> count("content = 'said'") == 1);
        assertThat(database.up()).isTrue();
        client.dispose();
    }

    @Test
    void anAnswerThatWasTakenForAbandonedEndsAndStaysAsItWas() {
        Flux<ChatEvent> events = Flux.concat(
                Flux.just(new Started(0, 1, LANE), text("some")),
                Flux.<ChatEvent>just(new Finished(0, Reason.STOP, new Usage(1, 1, 0)))
                        .delaySubscription(Duration.ofMillis(50)));
        Flux<ChatEvent> abandoned = events.doOnNext(event -> {
            if (event instanceof Finished) {
                database.now(client -> client.sql("UPDATE completion SET status = 'incomplete' WHERE owner = :owner")
                        .param("owner", owner)
                        .update());
            }
        });

        assertThatThrownBy(() -> Recording.of(database, answer("m"), abandoned).blockLast())
                .isInstanceOf(HistoryGoneException.class);
        assertThat(count("status = 'incomplete'")).isEqualTo(1);
    }

    @Test
    void anyTextCanBeIndexed() {
        StringBuilder words = new StringBuilder();
        for (int i = 0; words.length() < 400_000; i++) {
            int first = 0x10400 + i % 40;
            int second = 0x10400 + i / 40 % 40;
            int third = 0x10400 + i / 1600 % 40;
            words.appendCodePoint(first)
                    .appendCodePoint(second)
                    .append('-')
                    .appendCodePoint(third)
                    .appendCodePoint(second)
                    .append(' ');
        }
        Flux<ChatEvent> events = Flux.just(
                new Started(0, 1, LANE), text(words.toString()), new Finished(0, Reason.STOP, new Usage(1, 1, 0)));
        Recording.of(database, answer(words.toString()), events).blockLast();

        assertThat(count("status = 'complete'")).isEqualTo(1);
    }

    private NewAnswer answer(String content) {
        return new NewAnswer(
                "chatcmpl-" + UUID.randomUUID().toString().replace("-", ""),
                owner,
                null,
                true,
                "model",
                "fingerprint",
                "baseline@1",
                Map.of(),
                Instant.now(),
                List.of(new ChatMessage(ChatMessage.Role.USER, content, null)),
                TestCharge.of(database));
    }

    private static ChatEvent text(String text) {
        return new Text(0, Channel.CONTENT, text, List.of());
    }

    private long count(String condition) {
        return database.now(
                client -> client.sql("SELECT count(*) FROM completion WHERE owner = :owner AND " + condition)
                        .param("owner", owner)
                        .query(Long.class)
                        .single());
    }
}
