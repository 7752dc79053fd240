package dev.plumbline.recall.run;

import dev.plumbline.recall.result.NeedleTrace;
import dev.plumbline.trace.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What the indexer did with a cell's values as JSON, in the API and in the database: NaN is null, infinities are strings. */
public final class NeedleJson {
    private NeedleJson() {}

    /** An array of one object per layer, stage and value. */
    public static ArrayNode write(List<NeedleTrace> traces) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        for (NeedleTrace trace : traces) {
            ObjectNode node = array.addObject()
                    .put("layer", trace.layer())
                    .put("stage", trace.stage().name().toLowerCase(Locale.ROOT))
                    .put("value", trace.value())
                    .put("position", trace.position())
                    .put("queries", trace.queries())
                    .put("selected_queries", trace.selectedQueries())
                    .put("budget", trace.budget())
                    .put("candidates", trace.candidates())
                    .put("entries", trace.entries())
                    .put("selected", trace.selected())
                    .put("rank", trace.rank());
            number(node, "score", trace.score());
            number(node, "margin", trace.margin());
            number(node, "mass", trace.mass());
        }
        return array;
    }

    private static void number(ObjectNode node, String name, double value) {
        if (Double.isNaN(value)) {
            node.putNull(name);
        } else if (Double.isInfinite(value)) {
            node.put(name, String.valueOf(value));
        } else {
            node.put(name, value);
        }
    }

    static List<NeedleTrace> read(String json) {
        List<NeedleTrace> traces = new ArrayList<>();
        for (JsonNode node : JsonMapper.shared().readTree(json)) {
            traces.add(new NeedleTrace(
                    node.path("layer").asInt(),
                    Stage.valueOf(node.path("stage").asString().toUpperCase(Locale.ROOT)),
                    node.path("value").asInt(),
                    node.path("position").asInt(),
                    node.path("queries").asInt(),
                    node.path("selected_queries").asInt(),
                    node.path("budget").asInt(),
                    node.path("candidates").asInt(),
                    node.path("entries").asInt(),
                    node.path("selected").asInt(),
                    node.path("rank").asInt(),
                    number(node.path("score")),
                    number(node.path("margin")),
                    number(node.path("mass"))));
        }
        return traces;
    }

    private static double number(JsonNode node) {
        if (node.isNull()) {
            return Double.NaN;
        }
        return node.isString() ? Double.parseDouble(node.asString()) : node.asDouble();
    }
}
