package dev.plumbline.api;

import dev.plumbline.recall.run.RunEvents;
import dev.plumbline.recall.run.StoredRun;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Events of a run as server-sent ones: {@code cell}, {@code state}, and behind some of them {@code progress}. */
final class RunFrames {
    private RunFrames() {}

    /** @param after number of the event that comes before the batch if the batch has none */
    static List<String> of(RunEvents.Batch batch, long after) {
        List<String> frames = new ArrayList<>();
        StoredRun run = batch.run();
        if (run == null) {
            return List.of(
                    frame(null, "state", JsonNodeFactory.instance.objectNode().put("state", "deleted")));
        }
        long last = after;
        for (RunEvents.Event event : batch.events()) {
            last = event.number();
            frames.add(
                    event.cell() != null
                            ? frame(last, "cell", RunJson.cell(event.cell()))
                            : frame(last, "state", state(event.state().text(), run)));
        }
        frames.add(frame(
                last,
                "progress",
                RunJson.counts(run.counts()).put("state", run.state().text())));
        return frames;
    }

    private static ObjectNode state(String state, StoredRun run) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("state", state)
                .put("failure", state.equals("failed") ? run.failure() : null);
    }

    private static String frame(Long id, String event, ObjectNode data) {
        return (id == null ? "" : "id: " + id + "\n") + "event: " + event + "\ndata: " + data + "\n\n";
    }
}
