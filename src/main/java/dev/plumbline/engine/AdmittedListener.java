package dev.plumbline.engine;

import dev.plumbline.trace.QueryTrace;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts a generation as in flight until it ends, and keeps a listener that throws from hurting the step loop: the
 * generation is cancelled instead, and the listener hears no more.
 */
final class AdmittedListener implements GenerationListener {
    private static final System.Logger LOG = System.getLogger(AdmittedListener.class.getName());

    private final GenerationListener listener;
    private final AtomicInteger inFlight;
    private boolean broken;

    AdmittedListener(GenerationListener listener, AtomicInteger inFlight) {
        this.listener = listener;
        this.inFlight = inFlight;
    }

    /** Whether the listener threw. */
    boolean broken() {
        return broken;
    }

    @Override
    public void onAdmitted(int cachedTokens) {
        guard(() -> listener.onAdmitted(cachedTokens));
    }

    @Override
    public void onToken(int token) {
        guard(() -> listener.onToken(token));
    }

    @Override
    public void onToken(int token, TokenLogProbabilities logProbabilities) {
        guard(() -> listener.onToken(token, logProbabilities));
    }

    @Override
    public void onSelection(List<QueryTrace> queries) {
        guard(() -> listener.onSelection(queries));
    }

    @Override
    public void onFinished(FinishReason reason) {
        inFlight.decrementAndGet();
        guard(() -> listener.onFinished(reason));
    }

    @Override
    public void onFailed(RuntimeException failure) {
        inFlight.decrementAndGet();
        guard(() -> listener.onFailed(failure));
    }

    private void guard(Runnable call) {
        if (broken) {
            return;
        }
        try {
            call.run();
        } catch (RuntimeException | Error e) {
            broken = true;
            LOG.log(System.Logger.Level.WARNING, "a generation listener failed; its generation is dropped", e);
        }
    }
}
