package dev.plumbline.http;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SynchronousSink;

/**
 * Collects request bodies of at most 8 MiB. A refused body is read to its end and dropped, since a client that is still
 * writing when the answer comes sees a broken connection instead of the refusal; past {@link #DRAINED} it is cut.
 */
@Component
public final class BodyReader {
    /** Largest body in bytes. */
    static final int LIMIT = 8 << 20;

    private static final long DRAINED = 64L << 20;

    /** A client that sends nothing for this long gives its share of the budget to others. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** The body's bytes, or an error of status 408, 413 or 429. */
    public Mono<byte[]> read(Flux<DataBuffer> body, BodyBudget.Share share) {
        return Mono.defer(() -> {
            Intake intake = new Intake(share);
            return DataBufferUtils.join(body.timeout(PATIENCE).handle(intake::accept))
                    .onErrorMap(TimeoutException.class, e -> tooSlow())
                    .defaultIfEmpty(DefaultDataBufferFactory.sharedInstance.allocateBuffer(0))
                    .map(BodyReader::bytes)
                    .flatMap(bytes -> intake.refusal == null ? Mono.just(bytes) : Mono.error(intake.refusal));
        });
    }

    private static byte[] bytes(DataBuffer buffer) {
        byte[] bytes = new byte[buffer.readableByteCount()];
        buffer.read(bytes);
        DataBufferUtils.release(buffer);
        return bytes;
    }

    private static ApiException tooSlow() {
        return ApiException.invalid(
                HttpStatus.REQUEST_TIMEOUT,
                null,
                "request_timeout",
                "Nothing of the request body came for " + PATIENCE.toSeconds() + " seconds.");
    }

    private static ApiException tooLarge() {
        return ApiException.invalid(
                HttpStatus.CONTENT_TOO_LARGE,
                null,
                "request_too_large",
                "The request body is larger than " + LIMIT + " bytes (8 MiB).");
    }

    /** What has come in of one body. */
    private static final class Intake {
        private final BodyBudget.Share share;
        private long total;
        private ApiException refusal;

        Intake(BodyBudget.Share share) {
            this.share = share;
        }

        void accept(DataBuffer buffer, SynchronousSink<DataBuffer> sink) {
            int bytes = buffer.readableByteCount();
            total += bytes;
            if (refusal == null) {
                refusal = admit(bytes);
            }
            if (refusal == null) {
                sink.next(buffer);
                return;
            }
            DataBufferUtils.release(buffer);
            if (total > DRAINED) {
                sink.error(refusal);
            }
        }

        private ApiException admit(int bytes) {
            if (total > LIMIT) {
                return tooLarge();
            }
            try {
                share.take(bytes);
                return null;
            } catch (ApiException e) {
                return e;
            }
        }
    }
}
