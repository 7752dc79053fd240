package dev.plumbline.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;
import reactor.test.scheduler.VirtualTimeScheduler;

class EventStreamTest {
    private static final Duration PERIOD = Duration.ofSeconds(10);
    private static final String COMMENT = ": still working\n\n";

    private final List<Throwable> dropped = new CopyOnWriteArrayList<>();

    @BeforeEach
    void collectDroppedErrors() {
        Hooks.onErrorDropped(dropped::add);
    }

    @AfterEach
    void nothingWasDropped() {
        Hooks.resetOnErrorDropped();
        VirtualTimeScheduler.reset();
        assertThat(dropped).isEmpty();
    }

    @Test
    void silenceAfterAFrameIsFilledWithComments() {
        StepVerifier.withVirtualTime(() -> EventStream.withHeartbeat(
                        Flux.just("role")
                                .concatWith(Mono.delay(Duration.ofSeconds(25)).map(t -> "text")),
                        PERIOD))
                .expectNext("role")
                .thenAwait(Duration.ofSeconds(25))
                .expectNext(COMMENT, COMMENT, "text")
                .verifyComplete();
    }

    @Test
    void framesThatKeepComingNeedNoComment() {
        StepVerifier.withVirtualTime(() -> EventStream.withHeartbeat(
                        Flux.interval(Duration.ofSeconds(6)).take(5).map(String::valueOf), PERIOD))
                .thenAwait(Duration.ofSeconds(40))
                .expectNext("0", "1", "2", "3", "4")
                .verifyComplete();
    }

    @Test
    void nothingIsSaidBeforeTheFirstFrameSoThatARefusalCanStillBeAStatus() {
        StepVerifier.withVirtualTime(() -> EventStream.withHeartbeat(
                        Mono.delay(Duration.ofSeconds(60))
                                .<String>then(Mono.error(new IllegalStateException("late")))
                                .flux(),
                        PERIOD))
                .thenAwait(Duration.ofSeconds(60))
                .verifyErrorMessage("late");
    }

    @Test
    void aFailureAfterFramesEndsTheStreamWithIt() {
        StepVerifier.create(EventStream.withHeartbeat(
                        Flux.just("role").concatWith(Mono.error(new IllegalStateException("broken"))), PERIOD))
                .expectNext("role")
                .verifyErrorMessage("broken");
    }

    @Test
    void cancellingReachesTheSource() {
        TestPublisher<String> source = TestPublisher.create();
        StepVerifier.create(EventStream.withHeartbeat(source.flux(), PERIOD))
                .then(() -> source.next("role"))
                .expectNext("role")
                .thenCancel()
                .verify();
        source.assertCancelled();
    }
}
