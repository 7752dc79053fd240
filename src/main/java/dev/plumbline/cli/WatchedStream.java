package dev.plumbline.cli;

import dev.plumbline.engine.FinishReason;
import dev.plumbline.engine.GenerationListener;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;

/** A generation whose tokens are timed while it runs. */
final class WatchedStream implements GenerationListener {
    private final CompletableFuture<FinishReason> end = new CompletableFuture<>();
    private long[] nanos = new long[1024];
    private int count;

    @Override
    public synchronized void onToken(int token) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * count);
        }
        nanos[count++] = System.nanoTime();
        notifyAll();
    }

    @Override
    public synchronized void onFinished(FinishReason reason) {
        end.complete(reason);
        notifyAll();
    }

    @Override
    public synchronized void onFailed(RuntimeException failure) {
        end.completeExceptionally(failure);
        notifyAll();
    }

    synchronized int count() {
        return count;
    }

    /** Waits until so many tokens have come, and says when the last of them did; fails if the stream ends before. */
    synchronized long await(int tokens) {
        while (count < tokens) {
            if (end.isDone()) {
                throw new CliException("a stream ended after " + count + " tokens: " + end.join());
            }
            try {
                wait();
            } catch (InterruptedException e) {
                throw new CliException("interrupted");
            }
        }
        return nanos[tokens - 1];
    }

    FinishReason join() {
        return end.join();
    }

    /** Times between two tokens that have a moment of {@code [from, to]} between them, in ns. */
    synchronized LongStream gaps(long from, long to) {
        return LongStream.range(1, count)
                .filter(i -> nanos[(int) i] > from && nanos[(int) i - 1] < to)
                .map(i -> nanos[(int) i] - nanos[(int) i - 1]);
    }
}
