package dev.plumbline.api;

import dev.plumbline.http.ApiException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;

/**
 * Bounds the bytes of all files that are being sent: clients take their time, and the file of a large run has a hundred
 * megabytes.
 */
@Component
final class ExportBudget {
    private static final int PART_OF_HEAP = 8;
    private static final int PIECE = 64 * 1024;
    private static final int RETRY_SECONDS = 5;

    private final long limit;
    private final AtomicLong used = new AtomicLong();

    ExportBudget() {
        this(Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
    }

    ExportBudget(long limit) {
        this.limit = limit;
    }

    /** The file in pieces, as fast as it is read; fails with status 429 while too much is on its way already. */
    Flux<byte[]> send(byte[] file) {
        return Flux.using(() -> take(file.length), taken -> pieces(file), taken -> used.addAndGet(-taken));
    }

    /** One file may go whatever its size. */
    private long take(long bytes) {
        long before = used.getAndUpdate(now -> now > 0 && now + bytes > limit ? now : now + bytes);
        if (before > 0 && before + bytes > limit) {
            throw ApiException.tooManyRequests("The server is busy with other large files.", RETRY_SECONDS);
        }
        return bytes;
    }

    private static Flux<byte[]> pieces(byte[] file) {
        return Flux.fromStream(() -> IntStream.range(0, (file.length + PIECE - 1) / PIECE)
                .mapToObj(piece ->
                        Arrays.copyOfRange(file, piece * PIECE, (int) Math.min(file.length, (piece + 1L) * PIECE))));
    }
}
