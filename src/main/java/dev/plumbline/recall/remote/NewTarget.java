package dev.plumbline.recall.remote;

import dev.plumbline.document.DocumentException;
import dev.plumbline.document.DocumentFields;
import dev.plumbline.document.Words;
import dev.plumbline.recall.suite.Edges;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.databind.json.JsonMapper;

/**
 * What somebody wants a target to be.
 *
 * @param name names it
 * @param kind what it speaks
 * @param url where it is, not yet looked at
 * @param key sent with every request; null leaves what there is, empty means none
 * @param model what it calls the model
 * @param weights names the checkpoint; may be empty
 * @param extraBody fields that every chat request gets
 * @param edges of its model
 * @param parallel how many cells it may be asked at once
 * @param patience how long it may take
 */
public record NewTarget(
        String name,
        TargetKind kind,
        String url,
        String key,
        String model,
        String weights,
        Map<String, Object> extraBody,
        Edges edges,
        int parallel,
        Patience patience) {
    static final String NAME_ALLOWED = "1 to 63 of a-z, 0-9, _ and -, the first a letter or digit; not native";
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9_-]{0,62}");
    private static final Pattern KEY = Pattern.compile("[!-~]{0,1000}");
    private static final int LONGEST = 200;
    private static final int MOST_EXTRA = 16_384;
    private static final int MOST_TOKENS = 4 << 20;
    private static final int PARALLEL = 4;
    private static final int MOST_PARALLEL = 256;

    /** What cells and measuring depend on. */
    private static final List<String> OWN = List.of(
            "messages", "stream", "stream_options", "model", "temperature", "max_tokens", "max_completion_tokens", "n");

    /**
     * Reads the fields of an object.
     *
     * @throws DocumentException naming the field, its value and what is allowed
     */
    public static NewTarget of(Map<?, ?> document) {
        DocumentFields fields = new DocumentFields(document, "");
        String name = required(fields, "name", 63);
        if (!NAME.matcher(name).matches() || name.equals("native")) {
            throw fields.refused("name", NAME_ALLOWED);
        }
        TargetKind kind = TargetKind.of(required(fields, "kind", LONGEST))
                .orElseThrow(() -> fields.refused("kind", TargetKind.allowed()));
        NewTarget wanted = new NewTarget(
                name,
                kind,
                required(fields, "url", TargetUrl.LONGEST),
                key(fields),
                required(fields, "model", LONGEST),
                or(fields.text("weights", LONGEST), "").strip(),
                extra(fields.object("extra_body")),
                edges(fields),
                ranged(fields, "parallel", MOST_PARALLEL, PARALLEL),
                patience(new DocumentFields(fields.object("timeouts"), "timeouts")));
        fields.rejectUnread();
        return wanted;
    }

    private static String required(DocumentFields fields, String field, int longest) {
        String text = fields.text(field, longest);
        if (text == null) {
            throw new DocumentException(
                    field, "missing_required_parameter", "Missing required parameter: '" + field + "'.");
        }
        if (text.isBlank() || text.indexOf('\n') >= 0) {
            throw fields.refused(field, "one line of 1 to " + longest + " characters");
        }
        return text.strip();
    }

    /** Never repeated in a refusal. */
    private static String key(DocumentFields fields) {
        String key;
        try {
            key = fields.text("key", 1000);
        } catch (DocumentException e) {
            throw wrongKey();
        }
        if (key != null && !KEY.matcher(key).matches()) {
            throw wrongKey();
        }
        return key;
    }

    private static DocumentException wrongKey() {
        return new DocumentException(
                "key", "Invalid value for 'key'; allowed: up to 1000 visible characters of ASCII, or \"\" for no key.");
    }

    private static Map<String, Object> extra(Map<?, ?> raw) {
        Map<String, Object> extra = new LinkedHashMap<>();
        raw.forEach((key, value) -> extra.put(String.valueOf(key), value));
        for (String own : OWN) {
            if (extra.containsKey(own)) {
                throw new DocumentException(
                        "extra_body." + own,
                        "Invalid value for 'extra_body': it has '" + own
                                + "', which every cell sets itself; allowed: any other field.");
            }
        }
        if (JsonMapper.shared().writeValueAsString(extra).length() > MOST_EXTRA) {
            throw new DocumentException(
                    "extra_body",
                    "'extra_body' is longer than " + MOST_EXTRA + " characters; allowed: at most that as JSON.");
        }
        return extra;
    }

    private static Edges edges(DocumentFields fields) {
        DocumentFields edges = new DocumentFields(fields.object("edges"), "edges");
        Integer window = edges.integer("window", 1, MOST_TOKENS);
        Integer budget = edges.integer("budget", 0, MOST_TOKENS);
        if (window == null || budget == null) {
            String missing = window == null ? "edges.window" : "edges.budget";
            throw new DocumentException(
                    missing,
                    "missing_required_parameter",
                    "Missing required parameter: '" + missing
                            + "'; 'edges' has the model's 'window' and 'budget' in tokens, such as 128 and 2048.");
        }
        edges.rejectUnread();
        return new Edges(window, budget);
    }

    private static Patience patience(DocumentFields fields) {
        Patience read = new Patience(
                ranged(fields, "connect_seconds", Patience.MOST_CONNECT, Patience.DEFAULT.connectSeconds()),
                ranged(fields, "silence_seconds", Patience.MOST_SILENCE, Patience.DEFAULT.silenceSeconds()),
                ranged(fields, "answer_seconds", Patience.MOST_ANSWER, Patience.DEFAULT.answerSeconds()));
        fields.rejectUnread();
        return read;
    }

    private static int ranged(DocumentFields fields, String field, int most, int absent) {
        Integer value = fields.integer(field, 1, most);
        return value == null ? absent : value;
    }

    private static String or(String text, String absent) {
        return text == null ? absent : text;
    }

    /** Whether a key is given that is one. */
    boolean hasKey() {
        return key != null && !key.isEmpty();
    }

    /** Without the key. */
    @Override
    public String toString() {
        return "target " + Words.shown(name) + " at " + Words.shown(url);
    }
}
