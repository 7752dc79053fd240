package dev.plumbline.recall.report;

import dev.plumbline.recall.Rate;
import dev.plumbline.recall.result.CellRecord;
import dev.plumbline.recall.result.NeedleTrace;
import dev.plumbline.recall.result.TargetRecord;
import dev.plumbline.recall.suite.SuiteCell;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Parts of runs as JSON. Where a number is not known there is a null. */
public final class RecordJson {
    private static final JsonMapper PRETTY =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private RecordJson() {}

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    static String pretty(ObjectNode node) {
        return PRETTY.writeValueAsString(node) + "\n";
    }

    /** A constant as the API spells it. */
    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** A cell and what became of it. */
    public static ObjectNode cell(CellRecord record) {
        SuiteCell cell = record.cell();
        ObjectNode node = place(cell)
                .put("state", word(record.state()))
                .put("prompt_sha256", record.promptHash().isEmpty() ? null : record.promptHash());
        strings(node.putArray("expected"), record.expected());
        node.put("answer", record.answer())
                .put("distance", record.distance())
                .put("reason", record.reason())
                .put("finish_reason", record.finishReason().isEmpty() ? null : record.finishReason())
                .put("prompt_tokens", record.promptTokens())
                .put("answer_tokens", record.answerTokens())
                .put("first_token_ms", Numbers.finite(record.firstTokenMillis()))
                .put("total_ms", Numbers.finite(record.totalMillis()));
        needle(node.putArray("needle"), record);
        return node;
    }

    /** Where a cell stands in its suite. */
    static ObjectNode place(SuiteCell cell) {
        return object().put("id", cell.id())
                .put("stratum", cell.stratum())
                .put("task", cell.task().label())
                .put("length", cell.length())
                .put("phase", cell.phase())
                .put("placement", cell.placement().label())
                .put("depth", cell.placement().depth())
                .put("haystack", cell.haystack())
                .put("question", cell.question())
                .put("seed", cell.seed());
    }

    static void needle(ArrayNode traces, CellRecord record) {
        for (NeedleTrace trace : record.needle()) {
            traces.addObject()
                    .put("layer", trace.layer())
                    .put("stage", word(trace.stage()))
                    .put("value", trace.value())
                    .put("position", trace.position())
                    .put("queries", trace.queries())
                    .put("selected_queries", trace.selectedQueries())
                    .put("budget", trace.budget())
                    .put("candidates", trace.candidates())
                    .put("entries", trace.entries())
                    .put("selected", trace.selected())
                    .put("rank", trace.rank() == 0 ? null : (Integer) trace.rank())
                    .put("score", Numbers.finite(trace.score()))
                    .put("margin", Numbers.finite(trace.margin()))
                    .put("mass", Numbers.finite(trace.mass()));
        }
    }

    /** What answered. */
    public static ObjectNode target(TargetRecord target) {
        ObjectNode node = object().put("kind", target.kind())
                .put("name", target.name())
                .put("model", target.model())
                .put("model_sha256", target.modelHash().isEmpty() ? null : target.modelHash());
        node.set("facts", texts(target.facts()));
        return node;
    }

    static ObjectNode texts(Map<String, String> texts) {
        ObjectNode node = object();
        texts.forEach(node::put);
        return node;
    }

    /** A rate with Wilson's interval. */
    static ObjectNode rate(int passed, int asked) {
        ObjectNode node = object().put("passed", passed).put("n", asked);
        if (asked == 0) {
            return node.putNull("rate").putNull("low95").putNull("high95");
        }
        Rate rate = new Rate(passed, asked);
        return node.put("rate", rate.value()).put("low95", rate.low()).put("high95", rate.high());
    }

    static void strings(ArrayNode array, Collection<String> texts) {
        texts.forEach(array::add);
    }
}
