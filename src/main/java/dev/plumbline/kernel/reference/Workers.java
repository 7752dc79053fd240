package dev.plumbline.kernel.reference;

import dev.plumbline.kernel.KernelException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** A fixed set of threads that share independent items; which thread does an item never changes its result. */
final class Workers implements AutoCloseable {
    private final int threads;
    private final ExecutorService helpers;

    Workers(int threads) {
        if (threads < 1) {
            throw new IllegalArgumentException("threads is " + threads + "; allowed: at least 1");
        }
        this.threads = threads;
        AtomicInteger number = new AtomicInteger();
        this.helpers = threads == 1
                ? null
                : Executors.newFixedThreadPool(threads - 1, task -> {
                    Thread thread = new Thread(task, "reference-kernel-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
    }

    /** One independent item. */
    interface Item {
        void run(int index);
    }

    int threads() {
        return threads;
    }

    /** Runs items 0 to {@code items}; {@code itemCost} is a rough number of operations, small work stays inline. */
    void each(int items, long itemCost, Item item) {
        if (helpers == null || items < 2 || items * itemCost < 50_000) {
            for (int i = 0; i < items; i++) {
                item.run(i);
            }
            return;
        }
        int others = Math.min(threads, items) - 1;
        int share = (int) Math.max(1, Math.min(items / (4L * threads), 1 + 200_000 / Math.max(1, itemCost)));
        AtomicInteger next = new AtomicInteger();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        CountDownLatch done = new CountDownLatch(others);
        Runnable loop = () -> {
            try {
                for (int from = next.getAndAdd(share); from < items; from = next.getAndAdd(share)) {
                    for (int i = from; i < Math.min(items, from + share); i++) {
                        item.run(i);
                    }
                }
            } catch (Throwable problem) {
                failure.compareAndSet(null, problem);
                next.set(items);
            }
        };
        for (int i = 0; i < others; i++) {
            helpers.execute(() -> {
                loop.run();
                done.countDown();
            });
        }
        loop.run();
        await(done);
        rethrow(failure.get());
    }

    private static void await(CountDownLatch done) {
        boolean interrupted = false;
        while (true) {
            try {
                done.await();
                break;
            } catch (InterruptedException again) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void rethrow(Throwable problem) {
        if (problem instanceof RuntimeException known) {
            throw known;
        }
        if (problem instanceof Error error) {
            throw error;
        }
        if (problem != null) {
            throw new KernelException("a kernel thread failed", problem);
        }
    }

    @Override
    public void close() {
        if (helpers != null) {
            helpers.shutdown();
        }
    }
}
