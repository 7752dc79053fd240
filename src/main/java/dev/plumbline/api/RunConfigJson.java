package dev.plumbline.api;

import dev.plumbline.runconfig.ConfigDiff;
import dev.plumbline.runconfig.Effective;
import dev.plumbline.runconfig.RunConfig;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Run configs as JSON. */
final class RunConfigJson {
    private RunConfigJson() {}

    static ObjectNode config(RunConfig config) {
        ObjectNode node = JsonNodeFactory.instance
                .objectNode()
                .put("id", config.id())
                .put("object", "run_config")
                .put("name", config.name())
                .put("version", config.version());
        ObjectNode profile = node.putObject("profile");
        config.profile().flags().forEach(profile::put);
        numbers(node.putObject("sampling"), config.sampling().fields());
        return node.put("description", config.description())
                .put("author", config.author())
                .put("created", config.created().getEpochSecond());
    }

    private static void numbers(ObjectNode node, Map<String, Number> fields) {
        fields.forEach((name, value) -> number(node, name, value));
    }

    private static void number(ObjectNode node, String name, Number value) {
        if (value == null) {
            node.putNull(name);
        } else if (value instanceof Integer whole) {
            node.put(name, whole);
        } else {
            node.put(name, value.doubleValue());
        }
    }

    static ObjectNode diff(ConfigDiff diff) {
        ObjectNode node = JsonNodeFactory.instance
                .objectNode()
                .put("object", "run_config.diff")
                .put("a", diff.one().id())
                .put("b", diff.other().id());
        ArrayNode flags = node.putArray("flags");
        for (ConfigDiff.FlagPair pair : diff.flags()) {
            ObjectNode flag = flags.addObject().put("name", pair.one().flag().key());
            value(flag.putObject("a"), pair.one());
            value(flag.putObject("b"), pair.other());
            flag.put("differs", pair.differs());
        }
        ArrayNode sampling = node.putArray("sampling");
        for (ConfigDiff.SamplingPair pair : diff.sampling()) {
            ObjectNode field = sampling.addObject().put("name", pair.field());
            number(field, "a", pair.one());
            number(field, "b", pair.other());
            field.put("differs", pair.differs());
        }
        return node;
    }

    private static void value(ObjectNode node, Effective.Value value) {
        node.put("value", value.value()).put("origin", value.origin().text());
    }
}
