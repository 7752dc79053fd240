package dev.plumbline.recall.suite;

import dev.plumbline.document.DocumentException;
import dev.plumbline.document.DocumentFields;
import dev.plumbline.document.YamlDocument;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Suites as YAML:
 *
 * <pre>
 * name: smoke
 * version: 1
 * description: ...
 * strata:
 *   - name: 4K tokens
 *     required: true            # the default
 *     task: multikey
 *     lengths: [4K]             # or window, budget+1, 2*budget-1
 *     placements: 8             # so many depths, or a list: [start, 0.25, middle, end, in-window, repeated]
 *     phases: [0, 1, 2, 3]      # lengths mod 4; left out, lengths stay as they are
 *     haystacks: 16
 *     questions: 8
 * </pre>
 */
public final class SuiteYaml {
    /** Most bytes of a document. */
    public static final int LIMIT = 64 << 10;

    private static final int MOST_STRATA = 64;
    private static final int MOST_LENGTHS = 64;
    private static final int MOST_PLACEMENTS = 100;
    private static final int LONGEST_NAME = 63;
    private static final int LONGEST_DESCRIPTION = 2000;

    private SuiteYaml() {}

    /**
     * Reads a document.
     *
     * @throws DocumentException naming field, value and what is allowed
     */
    public static Suite read(byte[] utf8) {
        return of(YamlDocument.read(utf8, LIMIT));
    }

    /**
     * Reads the fields of a document, whether they were written as YAML or as JSON.
     *
     * @param document strings, numbers, booleans, maps and lists
     * @throws DocumentException naming field, value and what is allowed
     */
    public static Suite of(Map<?, ?> document) {
        DocumentFields fields = new DocumentFields(document, "");
        String name = required(fields.text("name", LONGEST_NAME), "name");
        int version = required(fields.integer("version", 1), "version");
        String description = fields.text("description", LONGEST_DESCRIPTION);
        List<?> strata = bounded(fields, "strata", MOST_STRATA);
        fields.rejectUnread();
        List<SuiteStratum> read = new ArrayList<>();
        for (Object stratum : strata) {
            String path = "strata[" + read.size() + "]";
            if (!(stratum instanceof Map<?, ?> map)) {
                throw new DocumentException(path, "Invalid value for '" + path + "': allowed: an object.");
            }
            read.add(stratum(map, path));
        }
        return new Suite(name, version, description == null ? "" : description, read);
    }

    private static SuiteStratum stratum(Map<?, ?> map, String path) {
        DocumentFields fields = new DocumentFields(map, path);
        String name = required(fields.text("name", LONGEST_NAME), path + ".name");
        Boolean required = fields.flag("required");
        Task task = Task.of(path + ".task", required(fields.text("task", LONGEST_NAME), path + ".task"));
        List<Length> lengths = bounded(fields, "lengths", MOST_LENGTHS).stream()
                .map(value -> Length.of(path + ".lengths", value))
                .toList();
        List<Placement> placements = placements(fields, path);
        List<Integer> phases = new ArrayList<>();
        for (Object phase : fields.list("phases")) {
            if (!isWhole(phase) || ((Number) phase).longValue() < 0 || ((Number) phase).longValue() >= Phase.COUNT) {
                throw fields.refused("phases", "a list of numbers from 0 to 3");
            }
            phases.add(((Number) phase).intValue());
        }
        int haystacks = required(fields.integer("haystacks", 1), path + ".haystacks");
        int questions = required(fields.integer("questions", 1), path + ".questions");
        fields.rejectUnread();
        bound(fields, "haystacks", haystacks);
        bound(fields, "questions", questions);
        return new SuiteStratum(
                name, required == null || required, task, lengths, placements, phases, haystacks, questions);
    }

    private static List<Placement> placements(DocumentFields fields, String path) {
        List<?> values = bounded(fields, "placements", MOST_PLACEMENTS);
        if (values.size() == 1 && isWhole(values.get(0)) && ((Number) values.get(0)).longValue() > 1) {
            Number count = (Number) values.get(0);
            if (count.longValue() > MOST_PLACEMENTS) {
                throw fields.refused("placements", "at most " + MOST_PLACEMENTS);
            }
            return Placement.spread(count.intValue());
        }
        return values.stream()
                .map(value -> Placement.of(path + ".placements", value))
                .toList();
    }

    /** YAML's integers are Longs here, JSON's are Integers unless they are large. */
    private static boolean isWhole(Object value) {
        return value instanceof Long || value instanceof Integer;
    }

    private static List<?> bounded(DocumentFields fields, String field, int most) {
        List<?> values = fields.list(field);
        if (values.isEmpty() || values.size() > most) {
            throw fields.refused(field, "a list of 1 to " + most);
        }
        return values;
    }

    private static void bound(DocumentFields fields, String field, int value) {
        if (value > Suite.MOST_CELLS) {
            throw fields.refused(field, "at most " + Suite.MOST_CELLS);
        }
    }

    private static <T> T required(T value, String path) {
        if (value == null) {
            throw new DocumentException(
                    path, "missing_required_parameter", "Missing required parameter: '" + path + "'.");
        }
        return value;
    }

    /** A document from which an equal suite is read. */
    public static String write(Suite suite) {
        return YamlDocument.write(document(suite));
    }

    /** The fields of such a document. */
    public static Map<String, Object> document(Suite suite) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("name", suite.name());
        document.put("version", suite.version());
        document.put("description", suite.description());
        document.put("strata", suite.strata().stream().map(SuiteYaml::stratum).toList());
        return document;
    }

    private static Map<String, Object> stratum(SuiteStratum stratum) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("name", stratum.name());
        document.put("required", stratum.required());
        document.put("task", stratum.task().label());
        document.put("lengths", stratum.lengths().stream().map(Length::document).toList());
        document.put(
                "placements",
                stratum.placements().stream().map(Placement::document).toList());
        if (!stratum.phases().isEmpty()) {
            document.put("phases", stratum.phases());
        }
        document.put("haystacks", stratum.haystacks());
        document.put("questions", stratum.questions());
        return document;
    }
}
