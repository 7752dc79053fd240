package dev.plumbline.api;

import dev.plumbline.runconfig.Activation;
import dev.plumbline.runconfig.Activations;
import dev.plumbline.runconfig.InstanceResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Activations as JSON. */
final class ActivationJson {
    private ActivationJson() {}

    static ObjectNode activation(Activation activation) {
        ObjectNode node = JsonNodeFactory.instance
                .objectNode()
                .put("id", activation.id().toString())
                .put("object", "activation")
                .put("kind", word(activation.kind()))
                .put("from", activation.from().toString())
                .put("to", activation.to().toString())
                .put("reason", activation.reason())
                .put("author", activation.author())
                .put("instance", activation.instance())
                .put("status", word(activation.status()))
                .put("failure", activation.failure())
                .put("started", activation.started().getEpochSecond())
                .put("ended", seconds(activation.ended()));
        if (activation.ended() == null) {
            return node.putNull("duration_ms");
        }
        return node.put(
                "duration_ms",
                Duration.between(activation.started(), activation.ended()).toMillis());
    }

    /**
     * With what every server made of it.
     *
     * @param percent how much of its lane is built here, or null
     */
    static ObjectNode whole(Activations.Whole whole, Integer percent) {
        ObjectNode node = activation(whole.activation()).put("progress_percent", percent);
        ArrayNode instances = node.putArray("instances");
        whole.instances().forEach(result -> instance(instances.addObject(), result));
        return node;
    }

    private static void instance(ObjectNode node, InstanceResult result) {
        node.put("instance", result.instance())
                .put("status", word(result.status()))
                .put("failure", result.failure())
                .put("recorded", seconds(result.recorded()))
                .put("duration_ms", result.millis());
        node.set(
                "proof",
                result.proof() == null
                        ? JsonNodeFactory.instance.nullNode()
                        : JsonMapper.shared().readTree(result.proof()));
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static Long seconds(Instant time) {
        return time == null ? null : time.getEpochSecond();
    }
}
