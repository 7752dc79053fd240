package dev.plumbline.api;

import dev.plumbline.recall.remote.RemoteTarget;
import dev.plumbline.recall.remote.TargetCheck;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Targets as JSON; their keys never. */
final class TargetJson {
    private TargetJson() {}

    static ObjectNode target(RemoteTarget target) {
        ObjectNode node = JsonNodeFactory.instance
                .objectNode()
                .put("id", target.id().toString())
                .put("object", "target")
                .put("name", target.name())
                .put("kind", target.kind().text())
                .put("url", target.url())
                .put("has_key", target.hasKey())
                .put("model", target.model())
                .put("weights", target.weights());
        node.set("extra_body", JsonMapper.shared().valueToTree(target.extraBody()));
        node.putObject("edges")
                .put("window", target.edges().window())
                .put("budget", target.edges().budget());
        node.put("parallel", target.parallel());
        node.putObject("timeouts")
                .put("connect_seconds", target.patience().connectSeconds())
                .put("silence_seconds", target.patience().silenceSeconds())
                .put("answer_seconds", target.patience().answerSeconds());
        return node.put("author", target.author())
                .put("created", target.created().getEpochSecond())
                .put("updated", target.updated().getEpochSecond());
    }

    static ObjectNode check(TargetCheck found) {
        ObjectNode node = JsonNodeFactory.instance
                .objectNode()
                .put("object", "target.check")
                .put("target", found.target().id().toString())
                .put("ready", found.problems().isEmpty());
        found.problems().forEach(node.putArray("problems")::add);
        found.models().forEach(node.putArray("models")::add);
        if (found.answer() == null) {
            node.putNull("answer");
        } else {
            answer(node.putObject("answer"), found.answer());
        }
        node.put("measure", found.measure()).put("lengths", found.lengths()).put("selections", found.selections());
        ObjectNode facts = node.putObject("server");
        found.facts().forEach(facts::put);
        return node;
    }

    private static void answer(ObjectNode node, TargetCheck.Answer answer) {
        node.put("text", answer.text())
                .put("finish_reason", answer.finishReason())
                .put("prompt_tokens", answer.promptTokens())
                .put("completion_tokens", answer.answerTokens());
        if (Double.isNaN(answer.firstTokenMillis())) {
            node.putNull("first_token_ms");
        } else {
            node.put("first_token_ms", answer.firstTokenMillis());
        }
        node.put("total_ms", answer.totalMillis());
    }
}
