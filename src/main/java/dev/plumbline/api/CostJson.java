package dev.plumbline.api;

import dev.plumbline.precision.CostDifference;
import dev.plumbline.precision.CostFormula;
import dev.plumbline.precision.CostReport;
import dev.plumbline.precision.Pool;
import dev.plumbline.precision.ReportedDifference;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A cost as JSON; docs/api.md has the fields. */
final class CostJson {
    private CostJson() {}

    static ObjectNode of(CostReport report) {
        ObjectNode node = JsonNodeFactory.instance
                .objectNode()
                .put("object", "run_config.cost")
                .put("model", report.layout().architecture().name())
                .put("window_share", report.terms().windowShare())
                .put("budget_bytes", report.terms().budgetBytes());
        ArrayNode formula = node.putArray("formula");
        CostFormula.lines(report.cost()).forEach(formula::add);
        ObjectNode token = node.putObject("bytes_per_token");
        token.put("total", report.cost().bytes());
        report.cost().bytesByPool().forEach((pool, bytes) -> token.put(pool.key(), bytes));
        node.put("tokens_in_budget", report.tokensInBudget());
        ArrayNode requests = node.putArray("requests");
        report.requests().forEach(request -> request(requests.addObject(), request));
        CostDifference difference = report.difference();
        node.putObject("against_served")
                .put("bytes_per_token", difference.base().bytes())
                .put("tokens_in_budget", report.baseTokensInBudget())
                .put("bytes_per_token_percent", difference.bytesPercent())
                .put("tokens_in_budget_percent", difference.tokensPercent());
        ArrayNode shares = node.putArray("by_window_share");
        report.byWindowShare().forEach(at -> share(shares.addObject(), at));
        reported(node.putObject("reported"));
        return node;
    }

    private static void request(ObjectNode node, CostReport.Request request) {
        node.put("tokens", request.tokens())
                .put("bytes", request.bytes())
                .put("fit_in_budget", request.inBudget())
                .put("served_fit_in_budget", request.baseInBudget());
        ObjectNode pools = node.putObject("pools");
        for (Map.Entry<Pool, Long> pool : request.bytesByPool().entrySet()) {
            pools.put(pool.getKey().key(), pool.getValue());
        }
    }

    private static void share(ObjectNode node, CostDifference at) {
        node.put("window_share", at.candidate().windowShare())
                .put("bytes_per_token", at.candidate().bytes())
                .put("served_bytes_per_token", at.base().bytes())
                .put("bytes_per_token_percent", at.bytesPercent())
                .put("tokens_in_budget_percent", at.tokensPercent());
    }

    /** What operators told of one change, and which assumption gives which number. */
    private static void reported(ObjectNode node) {
        node.put("change", "index keys of v4-flash in bf16 instead of fp8, under fp8 keys/values");
        node.putObject("measured")
                .put("bytes_per_token_percent", ReportedDifference.BYTES_PERCENT)
                .put("tokens_in_budget_percent", ReportedDifference.TOKENS_PERCENT);
        node.put("window_share", ReportedDifference.windowShare());
        ArrayNode derived = node.putArray("derived");
        ReportedDifference.rows().forEach(row -> derived.addObject()
                .put("assumption", row.assumption())
                .put("bytes_per_token_percent", row.bytesPercent())
                .put("tokens_in_budget_percent", row.tokensPercent()));
        ArrayNode conclusion = node.putArray("conclusion");
        ReportedDifference.conclusion().forEach(conclusion::add);
    }
}
