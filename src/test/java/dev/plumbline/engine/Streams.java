package dev.plumbline.engine;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Keeps a number of generations running on whatever lane is active, one after another, until it is told to end. */
final class Streams {
    /** What one generation said. */
    record Answer(LaneKey lane, int request, List<Integer> tokens) {}

    private final Engine engine;
    private final List<GenerationRequest> requests;
    private final AtomicInteger next = new AtomicInteger();
    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    private final Queue<RuntimeException> failures = new ConcurrentLinkedQueue<>();
    private final Semaphore ended = new Semaphore(0);
    private final CountDownLatch open;
    private volatile boolean ending;

    Streams(Engine engine, List<GenerationRequest> requests, int count) {
        this.engine = engine;
        this.requests = requests;
        this.open = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            begin();
        }
    }

    private void begin() {
        if (ending) {
            open.countDown();
            return;
        }
        int request = next.getAndIncrement() % requests.size();
        LaneKey lane = engine.active();
        engine.submit(lane, requests.get(request), new Collected() {
            @Override
            public void onFinished(FinishReason reason) {
                answers.add(new Answer(lane, request, tokens()));
                ended.release();
                begin();
            }

            @Override
            public void onFailed(RuntimeException failure) {
                failures.add(failure);
                open.countDown();
            }
        });
    }

    /** Waits for one more answer than it did before. */
    void awaitAnswer() throws InterruptedException {
        if (!ended.tryAcquire(30, TimeUnit.SECONDS)) {
            throw new IllegalStateException("no stream ends; failed: " + failures);
        }
    }

    /** Lets what runs finish; fails if anything failed. */
    List<Answer> end() throws InterruptedException {
        ending = true;
        if (!open.await(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("streams do not end");
        }
        if (!failures.isEmpty()) {
            throw failures.remove();
        }
        return List.copyOf(answers);
    }
}
