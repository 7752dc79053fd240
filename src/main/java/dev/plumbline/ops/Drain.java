package dev.plumbline.ops;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.springframework.context.SmartLifecycle;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/**
 * The end of the server in two steps: from the first on no request is taken in, at the second whatever still runs ends
 * with an error that its client can read. The web server waits for running requests meanwhile.
 */
public final class Drain implements SmartLifecycle {
    /** The phase in which Boot's web server waits for its requests; lifecycles of one phase stop together. */
    private static final int WEB_SERVER_PHASE = SmartLifecycle.DEFAULT_PHASE - 1024;

    private final Duration grace;
    private final Sinks.One<Void> cut = Sinks.one();
    private volatile boolean running;
    private volatile boolean draining;

    /** Running requests have {@code grace} to end by themselves. */
    public Drain(Duration grace) {
        this.grace = grace;
    }

    /** Whether new requests are refused. */
    public boolean draining() {
        return draining;
    }

    /**
     * Passes while requests are taken in.
     *
     * @throws ShutdownException from the first step on
     */
    public void requireOpen() {
        if (draining) {
            throw new ShutdownException();
        }
    }

    /** Never a value; fails with {@link ShutdownException} when running requests must end. */
    public Mono<Void> cut() {
        return cut.asMono();
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop(Runnable callback) {
        draining = true;
        // The web server's own stop waits for the requests; this one must not wait for them too.
        Schedulers.parallel().schedule(this::stop, grace.toMillis(), TimeUnit.MILLISECONDS);
        callback.run();
    }

    @Override
    public void stop() {
        draining = true;
        running = false;
        cut.tryEmitError(new ShutdownException());
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return WEB_SERVER_PHASE;
    }
}
