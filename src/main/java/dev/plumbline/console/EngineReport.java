package dev.plumbline.console;

import dev.plumbline.engine.EngineStatus;
import dev.plumbline.engine.LaneStatus;
import dev.plumbline.runconfig.Served;
import dev.plumbline.target.ModelFacts;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What runs here, at one moment.
 *
 * @param state what can be expected of it
 * @param build which program it is
 * @param started when the server started
 * @param taken the moment
 * @param loaded the model in the engine; empty while it is loading
 * @param served the run config that requests get which name none; empty until that is known
 * @param trouble why they are refused; empty if they are not
 */
record EngineReport(
        State state,
        Build build,
        Instant started,
        Instant taken,
        Optional<Loaded> loaded,
        Optional<Served> served,
        Optional<String> trouble) {

    /**
     * A flag of what is served.
     *
     * @param name its key
     * @param value as the lane has it
     * @param origin who said so; null while it is not known what should be served
     */
    record Flag(String name, String value, String origin) {}

    /** Every flag of what requests get that name no run config, in the order of the flag table. */
    List<Flag> flags() {
        if (loaded.isEmpty()) {
            return List.of();
        }
        EngineStatus status = loaded.get().status();
        if (served.isEmpty()) {
            return status.profile().flags().entrySet().stream()
                    .map(flag -> new Flag(flag.getKey(), flag.getValue(), null))
                    .toList();
        }
        Map<String, String> lane = status.lanes().stream()
                .filter(open -> open.key().equals(served.get().lane()))
                .map(LaneStatus::flags)
                .findFirst()
                .orElse(Map.of());
        return served.get().effective().flags().stream()
                .map(flag -> new Flag(
                        flag.flag().key(),
                        lane.getOrDefault(flag.flag().key(), flag.value()),
                        flag.origin().text()))
                .toList();
    }

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
