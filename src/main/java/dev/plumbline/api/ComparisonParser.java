package dev.plumbline.api;

import dev.plumbline.http.ApiException;
import dev.plumbline.http.Ids;
import dev.plumbline.http.JsonFields;
import dev.plumbline.http.PageParser;
import dev.plumbline.http.Refusal;
import dev.plumbline.recall.compare.NewComparison;
import dev.plumbline.recall.compare.RunIds;
import dev.plumbline.recall.compare.Side;
import dev.plumbline.recall.run.Purpose;
import dev.plumbline.recall.suite.Suite;
import dev.plumbline.recall.suite.stored.SuiteRef;
import dev.plumbline.recall.verdict.VerdictRule;
import dev.plumbline.runconfig.RunConfigRef;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.springframework.web.reactive.function.server.ServerRequest;
import tools.jackson.databind.JsonNode;

/** What clients say of comparisons. */
final class ComparisonParser {
    private static final double LEAST_MARGIN = 0.001;
    private static final double MOST_MARGIN = 0.5;
    private static final String MARGIN = "a share from 0.001 to 0.5, such as 0.05 for five points";
    private static final String BASELINE = "baseline";
    private static final String CANDIDATE = "candidate";

    private ComparisonParser() {}

    /** Which runs are to be judged, and how. */
    record Question(VerdictRule rule, RunIds runs) {}

    /** A wish for a comparison. */
    record Wish(SuiteRef suite, List<Long> seeds, Side baseline, Side candidate, VerdictRule rule, Purpose purpose) {

        NewComparison by(String owner, Suite found) {
            return new NewComparison(found, seeds, baseline, candidate, rule, owner, purpose);
        }
    }

    static Question question(ServerRequest request) {
        PageParser parser = PageParser.only(
                request, Set.of(BASELINE, CANDIDATE, "margin", "baseline_again", "fresh_baseline", "fresh_candidate"));
        String margin = parser.text("margin");
        RunIds runs = new RunIds(
                required(parser, BASELINE),
                required(parser, CANDIDATE),
                run(parser, "baseline_again"),
                run(parser, "fresh_baseline"),
                run(parser, "fresh_candidate"));
        if ((runs.freshBaseline() == null) != (runs.freshCandidate() == null)) {
            String missing = runs.freshBaseline() == null ? "fresh_baseline" : "fresh_candidate";
            throw ApiException.badRequest(
                    missing,
                    "missing_required_parameter",
                    "Missing required parameter: '" + missing + "'; fresh cells are compared in pairs.");
        }
        return new Question(margin == null ? VerdictRule.STANDARD : rule(margin), runs);
    }

    /** What a report of a run is to judge: this run against a baseline; empty if none is named. */
    static Optional<Question> question(ServerRequest request, UUID candidate) {
        PageParser parser = PageParser.only(request, Set.of(BASELINE, "margin"));
        String margin = parser.text("margin");
        if (margin == null && parser.text(BASELINE) == null) {
            return Optional.empty();
        }
        RunIds runs = RunIds.of(required(parser, BASELINE), candidate);
        return Optional.of(new Question(margin == null ? VerdictRule.STANDARD : rule(margin), runs));
    }

    private static VerdictRule rule(String margin) {
        if (!margin.matches("[0-9]?\\.?[0-9]{1,8}")
                || Double.parseDouble(margin) < LEAST_MARGIN
                || Double.parseDouble(margin) > MOST_MARGIN) {
            throw PageParser.refused("margin", margin, MARGIN);
        }
        return VerdictRule.withMargin(Double.parseDouble(margin));
    }

    private static UUID required(PageParser parser, String parameter) {
        UUID run = run(parser, parameter);
        if (run == null) {
            throw ApiException.badRequest(
                    parameter,
                    "missing_required_parameter",
                    "Missing required parameter: '" + parameter + "'; allowed: the id of a run.");
        }
        return run;
    }

    private static UUID run(PageParser parser, String parameter) {
        String text = parser.text(parameter);
        return text == null
                ? null
                : Ids.parse(text).orElseThrow(() -> PageParser.refused(parameter, text, "the id of a run"));
    }

    static Wish wish(JsonFields fields) {
        SuiteRef suite = SuiteRef.parse("suite", JsonFields.text(fields.required("suite"), "suite"));
        Wish wish = new Wish(
                suite,
                RunParser.seeds(fields),
                side(fields, BASELINE),
                side(fields, CANDIDATE),
                VerdictRule.withMargin(
                        fields.number("margin", LEAST_MARGIN, MOST_MARGIN, VerdictRule.STANDARD.margin())),
                purpose(fields));
        fields.rejectUnread();
        return wish;
    }

    /** A run config of the model hosted here, as a text or in an object, or an object with a target. */
    private static Side side(JsonFields fields, String field) {
        JsonNode value = fields.required(field);
        if (!value.isObject()) {
            return Side.of(RunConfigRef.parse(field, JsonFields.text(value, field)));
        }
        JsonFields side = fields.object(field);
        String config = side.string("run_config");
        String target = side.string("target");
        side.rejectUnread();
        if (config == null && target == null) {
            side.required("run_config");
        }
        if (config != null && target != null) {
            throw Refusal.value(
                    field, value, "a run config of the model hosted here, or a target with flags of its own");
        }
        return config == null ? new Side(null, target) : Side.of(RunConfigRef.parse(side.path("run_config"), config));
    }

    private static Purpose purpose(JsonFields fields) {
        JsonNode value = fields.node("purpose");
        if (value == null) {
            return Purpose.MANUAL;
        }
        return switch (JsonFields.text(value, "purpose")) {
            case "manual" -> Purpose.MANUAL;
            case "gate" -> Purpose.GATE;
            default -> throw Refusal.value("purpose", value, "manual, gate");
        };
    }
}
