package dev.plumbline.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.plumbline.http.ApiException;
import java.io.ByteArrayOutputStream;
import java.util.Random;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.BaseSubscriber;

/** Bytes of files on their way. */
class ExportBudgetTest {
    private final ExportBudget budget = new ExportBudget(100_000);

    @Test
    void aFileComesInPiecesThatAreTheFile() {
        byte[] file = new byte[200_001];
        new Random(1).nextBytes(file);

        ByteArrayOutputStream received = new ByteArrayOutputStream();
        budget.send(file).doOnNext(received::writeBytes).blockLast();

        assertThat(received.toByteArray()).isEqualTo(file);
        assertThat(budget.send(new byte[0]).collectList().block()).isEmpty();
    }

    @Test
    void aLargeFileIsRefusedWhileASlowClientReadsAnother() {
        // given a client that has read nothing yet
        BaseSubscriber<byte[]> slow = new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(org.reactivestreams.Subscription subscription) {
                // Waits.
            }
        };
        budget.send(new byte[90_000]).subscribe(slow);

        // then
        assertThat(budget.send(new byte[10_000]).count().block()).isEqualTo(1);
        assertThatThrownBy(() -> budget.send(new byte[10_001]).blockLast()).isInstanceOf(ApiException.class);

        // when it goes away
        slow.cancel();

        // then
        assertThat(budget.send(new byte[90_000]).count().block()).isEqualTo(2);
    }
}
