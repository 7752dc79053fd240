package dev.plumbline.recall.remote;

import dev.plumbline.recall.suite.Edges;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * A server that runs can be asked of. Its key is not part of it.
 *
 * @param id names it for ever
 * @param name names it until it is changed
 * @param kind what it speaks
 * @param url where it is, without {@code /v1}
 * @param hasKey whether requests carry a key
 * @param model what it calls the model
 * @param weights names the checkpoint: runs of targets with equal ones can be compared; may be empty
 * @param extraBody fields that every chat request gets besides those of a cell
 * @param edges of its model, in its tokens
 * @param parallel how many cells it may be asked at once
 * @param patience how long it may take
 * @param author who changed it last
 * @param created when it was made
 * @param updated when it was changed
 */
public record RemoteTarget(
        UUID id,
        String name,
        TargetKind kind,
        String url,
        boolean hasKey,
        String model,
        String weights,
        Map<String, Object> extraBody,
        Edges edges,
        int parallel,
        Patience patience,
        String author,
        Instant created,
        Instant updated) {

    /** Copies the map. */
    public RemoteTarget {
        extraBody = Collections.unmodifiableMap(new LinkedHashMap<>(extraBody));
    }
}
