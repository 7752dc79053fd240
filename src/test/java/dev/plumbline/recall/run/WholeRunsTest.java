package dev.plumbline.recall.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Turns of those who read whole runs. */
class WholeRunsTest {

    @Test
    void oneReadsAtATimeOthersWaitAndTooManyAreRefused() {
        // given a reader that takes its time, and a hundred that wait
        WholeRuns runs = new WholeRuns(null, null);
        CountDownLatch read = new CountDownLatch(1);
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<CompletableFuture<Boolean>> readers = IntStream.range(0, 101)
                .mapToObj(reader -> runs.reading(() -> {
                            most.accumulateAndGet(now.incrementAndGet(), Math::max);
                            boolean waited = await(read);
                            now.decrementAndGet();
                            return waited;
                        })
                        .toFuture())
                .toList();

        // then
        assertThatThrownBy(() -> runs.reading(() -> true).block())
                .isInstanceOf(TooManyReadersException.class)
                .hasMessage("100 others wait for whole runs");

        // when
        read.countDown();

        // then
        assertThat(readers).allSatisfy(reader -> assertThat(reader.join()).isTrue());
        assertThat(most).hasValue(1);
        assertThat(runs.reading(() -> true).block()).isTrue();
        runs.destroy();
    }

    private static boolean await(CountDownLatch latch) {
        try {
            latch.await();
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
