package dev.plumbline.recall.sweep;

import dev.plumbline.recall.CellResult;
import dev.plumbline.recall.Depth;
import dev.plumbline.recall.Rate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** A sweep as JSON: the summary per length and depth, and every cell with its answer. */
public final class SweepJson {
    private SweepJson() {}

    /** The whole document. */
    public static String render(SweepResult sweep) {
        Map<String, Object> document = new LinkedHashMap<>(sweep.about());
        document.put("family", sweep.grid().family().label());
        document.put("seed", sweep.grid().seed());
        List<Map<String, Object>> summary = new ArrayList<>();
        for (int length : sweep.grid().lengths()) {
            for (Depth depth : sweep.grid().depths()) {
                summary.add(summary(length, depth, sweep.group(length, depth)));
            }
        }
        document.put("summary", summary);
        document.put("cells", sweep.results().stream().map(SweepJson::cell).toList());
        return JsonMapper.builder()
                        .enable(SerializationFeature.INDENT_OUTPUT)
                        .build()
                        .writeValueAsString(document)
                + "\n";
    }

    private static Map<String, Object> summary(int length, Depth depth, CellGroup group) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("length", length);
        row.put("depth", depth.label());
        Rate rate = group.rate();
        row.put("passed", rate.passed());
        row.put("n", rate.asked());
        row.put("recall", rate.value());
        row.put("low95", rate.low());
        row.put("high95", rate.high());
        row.put("prefill_tok_s", finite(group.prefillTokensPerSecond()));
        row.put("decode_tok_s", finite(group.decodeTokensPerSecond()));
        return row;
    }

    private static Map<String, Object> cell(CellResult result) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("id", result.cell().id());
        row.put("length", result.cell().length());
        row.put("depth", result.cell().depth().label());
        row.put("phase", result.cell().phase());
        row.put("seed", result.cell().seed());
        row.put("passed", result.score().passed());
        row.put("expected", result.expected());
        row.put("answer", result.answer());
        row.put("distance", result.score().distance());
        row.put("reason", result.score().reason());
        row.put("finish_reason", result.reply().reason().name().toLowerCase(Locale.ROOT));
        return row;
    }

    private static Double finite(double value) {
        return Double.isFinite(value) ? value : null;
    }
}
