package dev.plumbline.schedule;

import java.time.Instant;
import java.util.UUID;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What a webhook is told. */
final class Payload {
    private Payload() {}

    /** JSON; {@code schedule} is as it was before. */
    static String of(UUID event, Schedule schedule, Firing firing, Comparer.Finding finding) {
        ObjectNode node = JsonNodeFactory.instance
                .objectNode()
                .put("id", event.toString())
                .put("type", "verdict.changed")
                .put("created", Instant.now().getEpochSecond());
        node.putObject("schedule").put("id", schedule.id().toString()).put("name", schedule.name());
        return node.put(
                        "from",
                        schedule.verdict() == null ? null : schedule.verdict().word())
                .put("to", finding.verdict().word())
                .put("summary", finding.summary())
                .put("suite", firing.suite())
                .put("candidate", firing.candidate())
                .put("baseline", firing.baseline())
                .put("firing", firing.id().toString())
                .put("comparison", text(firing.comparison()))
                .put("url", firing.comparison() == null ? null : "/api/comparisons/" + firing.comparison())
                .toString();
    }

    private static String text(UUID id) {
        return id == null ? null : id.toString();
    }
}
