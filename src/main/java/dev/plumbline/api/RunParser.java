package dev.plumbline.api;

import dev.plumbline.conversation.StoredText;
import dev.plumbline.http.Ids;
import dev.plumbline.http.JsonFields;
import dev.plumbline.http.PageParser;
import dev.plumbline.http.Refusal;
import dev.plumbline.recall.run.CellFilter;
import dev.plumbline.recall.run.NewRun;
import dev.plumbline.recall.run.Purpose;
import dev.plumbline.recall.run.RunFilter;
import dev.plumbline.recall.run.RunState;
import dev.plumbline.recall.suite.Suite;
import dev.plumbline.recall.suite.stored.SuiteRef;
import dev.plumbline.runconfig.RunConfigRef;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** What clients say of runs. */
final class RunParser {
    private static final int MOST_SEEDS = 100;
    private static final int MOST_HAYSTACK = 4 << 20;
    private static final String SEEDS = "an array of 1 to " + MOST_SEEDS + " different integers of 64 bits";
    private static final Pattern TARGET = Pattern.compile("[a-z0-9_-]{1,63}");
    private static final Pattern LENGTH = Pattern.compile("[1-9][0-9]{0,8}");
    private static final Pattern PHASE = Pattern.compile("[0-3]");
    /** Query parameters that choose cells. */
    static final Set<String> OF_CELLS =
            Set.of("stratum", "state", "length", "length_from", "length_to", "phase", "placement");

    private static final List<String> CELL_STATES =
            List.of("waiting", "claimed", "passed", "failed", "truncated", "error");

    private RunParser() {}

    /**
     * A wish for a run.
     *
     * @param suite name, perhaps with a version
     * @param target id or name of a stored target, or null
     */
    record Wish(
            SuiteRef suite, RunConfigRef runConfig, String target, List<Long> seeds, UUID promptsOf, String haystack) {

        NewRun by(String owner, Suite found) {
            return new NewRun(found, seeds, runConfig, target, promptsOf, haystack, owner, Purpose.MANUAL);
        }
    }

    private static String target(JsonFields fields) {
        String target = fields.string("target");
        if (target != null && !TARGET.matcher(target).matches()) {
            throw Refusal.value("target", fields.node("target"), "the id or name of a target");
        }
        return target;
    }

    static Wish wish(JsonFields fields) {
        SuiteRef suite = SuiteRef.parse("suite", JsonFields.text(fields.required("suite"), "suite"));
        String config = fields.string("run_config");
        String target = target(fields);
        if (config == null && target == null) {
            fields.required("run_config");
        }
        Wish wish = new Wish(
                suite,
                config == null ? null : RunConfigRef.parse("run_config", config),
                target,
                seeds(fields),
                run(fields),
                haystack(fields));
        fields.rejectUnread();
        return wish;
    }

    static List<Long> seeds(JsonFields fields) {
        JsonNode value = fields.node("seeds");
        if (value == null) {
            return List.of(1L);
        }
        if (!value.isArray()) {
            throw Refusal.type("seeds", value, SEEDS);
        }
        Set<Long> seeds = new LinkedHashSet<>();
        for (JsonNode seed : value) {
            if (!seed.isIntegralNumber()) {
                throw Refusal.type("seeds[" + seeds.size() + "]", seed, "an integer of 64 bits");
            }
            if (!seed.canConvertToLong()) {
                throw Refusal.value("seeds[" + seeds.size() + "]", seed, "an integer of 64 bits");
            }
            if (!seeds.add(seed.longValue())) {
                throw Refusal.value("seeds[" + seeds.size() + "]", seed, "every seed once");
            }
        }
        if (seeds.isEmpty() || seeds.size() > MOST_SEEDS) {
            throw Refusal.value("seeds", value, SEEDS);
        }
        return List.copyOf(seeds);
    }

    private static UUID run(JsonFields fields) {
        JsonNode value = fields.node("prompts_of");
        if (value == null) {
            return null;
        }
        return Ids.parse(JsonFields.text(value, "prompts_of"))
                .orElseThrow(() -> Refusal.value("prompts_of", value, "the id of a run"));
    }

    private static String haystack(JsonFields fields) {
        JsonNode value = fields.node("haystack");
        if (value == null) {
            return null;
        }
        String text = JsonFields.text(value, "haystack");
        if (text.isBlank() || text.indexOf('\0') >= 0 || bytes(text) > MOST_HAYSTACK) {
            throw Refusal.value(
                    "haystack",
                    value,
                    "text of at most " + MOST_HAYSTACK
                            + " bytes in UTF-8, not all blank, without the character U+0000");
        }
        return text;
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    static RunFilter runs(PageParser parser) {
        String suite = parser.text("suite");
        String config = parser.text("run_config");
        String state = parser.text("state");
        return new RunFilter(
                suite == null ? null : SuiteRef.parse("suite", suite),
                config == null ? null : RunConfigRef.parse("run_config", config),
                state == null
                        ? null
                        : RunState.of(state).orElseThrow(() -> PageParser.refused("state", state, states())));
    }

    private static String states() {
        return Arrays.stream(RunState.values()).map(RunState::text).collect(Collectors.joining(", "));
    }

    static CellFilter cells(PageParser parser) {
        String state = parser.text("state");
        if (state != null && !CELL_STATES.contains(state)) {
            throw PageParser.refused("state", state, String.join(", ", CELL_STATES));
        }
        Integer length = number(parser, "length", LENGTH, "tokens of a prompt, 1 and more");
        Integer from = number(parser, "length_from", LENGTH, "tokens of a prompt, 1 and more");
        Integer to = number(parser, "length_to", LENGTH, "tokens of a prompt, 1 and more");
        if (length != null && (from != null || to != null)) {
            throw PageParser.refused(
                    "length", length.toString(), "one length, or 'length_from' and 'length_to', not both");
        }
        return new CellFilter(
                encoded(parser.text("stratum")),
                state,
                length == null ? from : length,
                length == null ? to : length,
                number(parser, "phase", PHASE, "0, 1, 2, 3: the length mod 4"),
                encoded(parser.text("placement")));
    }

    private static Integer number(PageParser parser, String name, Pattern form, String allowed) {
        String text = parser.text(name);
        if (text != null && !form.matcher(text).matches()) {
            throw PageParser.refused(name, text, allowed);
        }
        return text == null ? null : Integer.valueOf(text);
    }

    /** As it could be stored; what cannot be stored is found nowhere. */
    private static String encoded(String text) {
        return text == null ? null : StoredText.encode(text);
    }
}
