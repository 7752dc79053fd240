package dev.plumbline.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

class BodyBudgetTest {
    private final BodyBudget budget = new BodyBudget(10);
    private final BodyReader reader = new BodyReader();

    @Test
    void bodiesShareTheBudgetAndGiveItBack() {
        BodyBudget.Share first = budget.open();
        BodyBudget.Share second = budget.open();
        first.take(6);
        second.take(4);
        assertThatThrownBy(() -> second.take(1)).isInstanceOfSatisfying(ApiException.class, refusal -> {
            assertThat(refusal.status().value()).isEqualTo(429);
            assertThat(refusal.headers()).containsKey("Retry-After");
        });

        first.release();
        first.release();
        assertThat(budget.used()).isEqualTo(4);
        second.take(6);
        second.release();
        assertThat(budget.used()).isZero();
    }

    @Test
    void aLateChunkOfAReleasedBodyCostsNothing() {
        BodyBudget.Share share = budget.open();
        share.release();
        share.take(10);

        assertThat(budget.used()).isZero();
    }

    @Test
    void aRefusedBodyIsReadToItsEnd() {
        Flux<DataBuffer> body = Flux.just("12345", "67890", "x", "y").map(BodyBudgetTest::buffer);

        StepVerifier.create(reader.read(body, budget.open()))
                .verifyErrorSatisfies(failure -> assertThat(failure).hasMessageContaining("large requests"));
        assertThat(budget.used()).isEqualTo(10);
    }

    @Test
    void aClientThatStopsSendingIsNotWaitedForForever() {
        StepVerifier.withVirtualTime(() -> reader.read(
                        Flux.just("12").map(BodyBudgetTest::buffer).concatWith(Flux.never()), budget.open()))
                .thenAwait(Duration.ofSeconds(31))
                .verifyErrorSatisfies(
                        failure -> assertThat(failure).isInstanceOfSatisfying(ApiException.class, refusal -> assertThat(
                                        refusal.status().value())
                                .isEqualTo(408)));
    }

    @Test
    void anEmptyBodyIsEmpty() {
        StepVerifier.create(reader.read(Flux.empty(), budget.open()))
                .assertNext(bytes -> assertThat(bytes).isEmpty())
                .verifyComplete();
    }

    private static DataBuffer buffer(String text) {
        return DefaultDataBufferFactory.sharedInstance.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}
