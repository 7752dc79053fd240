package dev.plumbline.engine;

/** Receives a generation's events in order, on the step-loop thread; exactly one of onFinished/onFailed comes last. */
public interface GenerationListener {

    /** A token was sampled; a stop token is not reported. */
    void onToken(int token);

    /** The same for a request that asked for log-probabilities. */
    default void onToken(int token, TokenLogProbabilities logProbabilities) {
        onToken(token);
    }

    /** The generation ended by a stop token, its length limit or a cancel. */
    void onFinished(FinishReason reason);

    /** The generation failed; nothing follows. */
    void onFailed(RuntimeException failure);
}
