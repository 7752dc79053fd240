package dev.plumbline.api;

import dev.plumbline.schedule.Firing;
import dev.plumbline.schedule.Schedule;
import dev.plumbline.schedule.Schedules;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Schedules as JSON. */
final class ScheduleJson {
    private ScheduleJson() {}

    /** One that was just written, with the secret of its webhook if that was made now. */
    static ObjectNode saved(Schedules.Saved saved) {
        ObjectNode node = schedule(saved.schedule());
        if (saved.secret() != null) {
            ((ObjectNode) node.get("webhook")).put("secret", saved.secret());
        }
        return node;
    }

    static ObjectNode schedule(Schedule schedule) {
        ObjectNode node = JsonNodeFactory.instance
                .objectNode()
                .put("id", schedule.id().toString())
                .put("object", "schedule")
                .put("name", schedule.name())
                .put("suite", schedule.suite())
                .put("candidate", schedule.candidate())
                .put("baseline", schedule.baseline())
                .put("margin", schedule.margin())
                .put("cron", schedule.cron())
                .put("zone", schedule.zone())
                .put("on_activation", schedule.onActivation())
                .put("enabled", schedule.enabled());
        if (schedule.webhook() == null) {
            node.putNull("webhook");
        } else {
            node.putObject("webhook").put("url", schedule.webhook());
        }
        seconds(node, "next", schedule.next(Instant.now()).orElse(null));
        if (schedule.verdict() == null) {
            node.putNull("last");
        } else {
            ObjectNode last = node.putObject("last")
                    .put("verdict", schedule.verdict().word())
                    .put("firing", text(schedule.firing()));
            seconds(last, "since", schedule.since());
        }
        node.put("author", schedule.author());
        seconds(node, "created", schedule.created());
        seconds(node, "updated", schedule.updated());
        return node;
    }

    static ObjectNode firing(Firing firing) {
        ObjectNode node = JsonNodeFactory.instance
                .objectNode()
                .put("id", firing.id().toString())
                .put("object", "schedule.firing")
                .put("schedule", firing.schedule().toString())
                .put("reason", firing.reason().name().toLowerCase(Locale.ROOT))
                .put("state", firing.ended() == null ? "running" : "ended");
        seconds(node, "due", firing.due());
        seconds(node, "started", firing.started());
        seconds(node, "ended", firing.ended());
        node.put("suite", firing.suite())
                .put("candidate", firing.candidate())
                .put("baseline", firing.baseline())
                .put("comparison", text(firing.comparison()))
                .put(
                        "verdict",
                        firing.verdict() == null ? null : firing.verdict().word())
                .put("summary", firing.summary())
                .put("changed", firing.changed());
        if (firing.event() == null) {
            return node.putNull("event");
        }
        ObjectNode event = node.putObject("event")
                .put("id", firing.event().id().toString())
                .put("state", firing.event().state());
        ArrayNode attempts = event.putArray("attempts");
        for (Firing.Attempt attempt : firing.event().attempts()) {
            ObjectNode one = attempts.addObject();
            seconds(one, "at", attempt.at());
            one.put("millis", attempt.millis()).put("status", attempt.status()).put("failure", attempt.failure());
        }
        return node;
    }

    private static void seconds(ObjectNode node, String field, Instant time) {
        node.put(field, time == null ? null : time.getEpochSecond());
    }

    private static String text(UUID id) {
        return id == null ? null : id.toString();
    }
}
