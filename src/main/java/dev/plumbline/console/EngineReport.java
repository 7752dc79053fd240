package dev.plumbline.console;

import dev.plumbline.engine.EngineStatus;
import dev.plumbline.target.ModelFacts;
import java.time.Instant;
import java.util.Optional;

/**
 * What runs here, at one moment.
 *
 * @param state what can be expected of it
 * @param build which program it is
 * @param started when the server started
 * @param taken the moment
 * @param loaded the model in the engine; empty while it is loading
 */
record EngineReport(State state, Build build, Instant started, Instant taken, Optional<Loaded> loaded) {

    /** What can be expected of the engine. */
    enum State {
        /** The model is loading. */
        LOADING,
        /** It answers. */
        RUNNING,
        /** It has failed and answers no more. */
        FAILED,
        /** The server is shutting down. */
        STOPPING
    }

    /**
     * A model in the engine.
     *
     * @param model which one
     * @param fingerprint names program and precision profile
     * @param status the engine's own words
     * @param maxWaiting most generations in the queue
     */
    record Loaded(ModelFacts model, String fingerprint, EngineStatus status, int maxWaiting) {}
}
