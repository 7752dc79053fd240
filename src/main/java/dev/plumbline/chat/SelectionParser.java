package dev.plumbline.chat;

import dev.plumbline.http.ApiException;
import dev.plumbline.http.JsonFields;
import dev.plumbline.http.Refusal;
import dev.plumbline.target.SelectionOptions;
import dev.plumbline.target.SelectionOptions.Queries;
import dev.plumbline.trace.Stage;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** The field {@code selection}: what the answer is to tell of the indexer's selections. */
final class SelectionParser {
    /** Most watched texts. */
    static final int MAX_TEXTS = 16;

    /** Most characters of a watched text. */
    static final int MAX_TEXT_LENGTH = 1024;

    private static final String TEXTS = "an array of at most " + MAX_TEXTS + " strings";
    private static final String TEXT = "a string of 1 to " + MAX_TEXT_LENGTH + " characters";

    private SelectionParser() {}

    /** The options, or null if the field is absent. */
    static SelectionOptions parse(JsonFields fields) {
        JsonFields selection = fields.object("selection");
        if (selection == null) {
            return null;
        }
        Queries queries = constant(selection.required("queries"), selection.path("queries"), Queries.class);
        SelectionOptions options = new SelectionOptions(
                queries,
                stage(selection, queries),
                layers(selection),
                texts(selection),
                selection.bool("entries", false));
        selection.rejectUnread();
        return options;
    }

    private static Stage stage(JsonFields selection, Queries queries) {
        JsonNode value = selection.node("stage");
        if (value == null) {
            return null;
        }
        String path = selection.path("stage");
        Stage stage = constant(value, path, Stage.class);
        if (!queries.stages().contains(stage)) {
            throw Refusal.value(
                    path, value, names(queries.stages()) + " with \"queries\": \"" + name(queries) + "\", or nothing");
        }
        return stage;
    }

    private static Set<Integer> layers(JsonFields selection) {
        JsonNode value = selection.node("layers");
        Set<Integer> layers = new LinkedHashSet<>();
        if (value == null) {
            return layers;
        }
        String path = selection.path("layers");
        if (!value.isArray()) {
            throw Refusal.type(path, value, "an array of layers");
        }
        if (value.isEmpty()) {
            throw ApiException.badRequest(
                    path,
                    "empty_array",
                    "Invalid value for '" + path + "': []; allowed: at least one layer, or no such field for all.");
        }
        for (JsonNode item : value) {
            if (!item.isIntegralNumber() || !item.canConvertToInt()) {
                throw Refusal.type(path + "[" + layers.size() + "]", item, "the index of a layer");
            }
            if (!layers.add(item.intValue())) {
                throw Refusal.value(path + "[" + layers.size() + "]", item, "every layer once");
            }
        }
        return layers;
    }

    private static List<String> texts(JsonFields selection) {
        JsonNode value = selection.node("watch");
        List<String> texts = new ArrayList<>();
        if (value == null) {
            return texts;
        }
        String path = selection.path("watch");
        if (!value.isArray()) {
            throw Refusal.type(path, value, TEXTS);
        }
        if (value.size() > MAX_TEXTS) {
            throw ApiException.badRequest(
                    path,
                    "array_above_max_length",
                    "Invalid value for '" + path + "': an array of " + value.size() + "; allowed: " + TEXTS + ".");
        }
        for (JsonNode item : value) {
            String itemPath = path + "[" + texts.size() + "]";
            String text = JsonFields.text(item, itemPath);
            if (text.isEmpty() || text.length() > MAX_TEXT_LENGTH) {
                throw Refusal.value(itemPath, item, TEXT);
            }
            texts.add(text);
        }
        return texts;
    }

    private static <E extends Enum<E>> E constant(JsonNode value, String path, Class<E> type) {
        String text = JsonFields.text(value, path);
        for (E constant : type.getEnumConstants()) {
            if (name(constant).equals(text)) {
                return constant;
            }
        }
        throw Refusal.value(path, value, names(List.of(type.getEnumConstants())));
    }

    private static String names(Iterable<? extends Enum<?>> constants) {
        List<String> names = new ArrayList<>();
        constants.forEach(constant -> names.add(name(constant)));
        return String.join(", ", names);
    }

    private static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
