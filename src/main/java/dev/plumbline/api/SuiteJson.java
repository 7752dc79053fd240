package dev.plumbline.api;

import dev.plumbline.recall.suite.Suite;
import dev.plumbline.recall.suite.SuiteStratum;
import dev.plumbline.recall.suite.SuiteYaml;
import dev.plumbline.recall.suite.stored.StoredSuite;
import dev.plumbline.recall.suite.stored.SuitePlan;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Suites as JSON. */
final class SuiteJson {
    private SuiteJson() {}

    /** A stored version; its strata have the fields of a document, and how many cells a seed gives. */
    static ObjectNode suite(StoredSuite stored) {
        Suite suite = stored.suite();
        ObjectNode node = JsonNodeFactory.instance
                .objectNode()
                .put("id", stored.id())
                .put("object", "suite")
                .put("name", suite.name())
                .put("version", suite.version())
                .put("description", suite.description())
                .put("hash", stored.hash())
                .put(
                        "cells",
                        suite.strata().stream().mapToLong(SuiteStratum::cells).sum())
                .put("built_in", stored.builtIn())
                .put("author", stored.author())
                .put("created", stored.created().getEpochSecond());
        ArrayNode strata =
                JsonMapper.shared().valueToTree(SuiteYaml.document(suite).get("strata"));
        for (int i = 0; i < strata.size(); i++) {
            ((ObjectNode) strata.get(i)).put("cells", suite.strata().get(i).cells());
        }
        node.set("strata", strata);
        return node;
    }

    /** What a run would ask; {@code maxContext} is the most tokens of a request of the model. */
    static ObjectNode plan(SuitePlan plan, String model, int maxContext) {
        ObjectNode node = JsonNodeFactory.instance
                .objectNode()
                .put("object", "suite.plan")
                .put("suite", plan.suite().label())
                .put("model", model)
                .put("window", plan.edges().window())
                .put("budget", plan.edges().budget())
                .put("max_context", maxContext);
        ArrayNode seeds = node.putArray("seeds");
        plan.seeds().forEach(seeds::add);
        node.put("cells", plan.cells())
                .put("prompt_tokens", plan.promptTokens())
                .put("longest", plan.longest())
                .put("fits", plan.longest() < maxContext);
        ArrayNode strata = node.putArray("strata");
        for (SuitePlan.Stratum stratum : plan.strata()) {
            ObjectNode one = strata.addObject()
                    .put("name", stratum.stratum().name())
                    .put("required", stratum.stratum().required())
                    .put("task", stratum.stratum().task().label())
                    .put("cells", stratum.cells())
                    .put("texts", stratum.texts())
                    .put("prompt_tokens", stratum.promptTokens());
            ArrayNode lengths = one.putArray("lengths");
            stratum.lengths()
                    .forEach((tokens, cells) ->
                            lengths.addObject().put("tokens", tokens).put("cells", cells));
        }
        return node;
    }
}
