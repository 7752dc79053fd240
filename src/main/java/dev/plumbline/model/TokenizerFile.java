package dev.plumbline.model;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What {@code tokenizer.json} says of its tokens.
 *
 * @param ordinary the file as JSON without added tokens and post-processing: a tokenizer that knows no special token
 * @param cuttable whether normalisation looks at no more than neighbouring characters
 * @param vocabulary spelling by id, null where an id is not used or belongs to an added token
 * @param added ids of the added tokens by their text
 */
record TokenizerFile(String ordinary, boolean cuttable, List<String> vocabulary, Map<String, Integer> added) {
    private static final int MAX_ID = 1 << 24;

    static TokenizerFile read(Path file) {
        ObjectNode json = (ObjectNode) Json.readObject(file);
        List<String> problems = new ArrayList<>();
        JsonNode model = json.path("model");
        JsonNode type = model.path("type");
        boolean bpe =
                type.isMissingNode() ? model.has("merges") : type.asString("").equals("BPE");
        if (!bpe) {
            problems.add("model.type is " + type + "; allowed: BPE");
        }
        if (!mentionsByteLevel(json.path("pre_tokenizer"))) {
            problems.add("pre_tokenizer has no ByteLevel step; allowed: byte-level tokenizers");
        }
        Map<String, Integer> added = new HashMap<>();
        for (JsonNode token : json.path("added_tokens")) {
            String content = token.path("content").asString("");
            if (content.isEmpty()) {
                problems.add("an added token has no content: " + token);
            } else {
                put(added, content, token.path("id"), problems);
            }
        }
        Map<String, Integer> ids = new HashMap<>();
        for (Map.Entry<String, JsonNode> entry : model.path("vocab").properties()) {
            put(ids, entry.getKey(), entry.getValue(), problems);
        }
        InvalidModelException.throwIfAny(String.valueOf(file.getFileName()), problems);
        json.putArray("added_tokens");
        json.putNull("post_processor");
        json.putNull("truncation");
        json.putNull("padding");
        return new TokenizerFile(json.toString(), isCuttable(json.path("normalizer")), byId(ids, added), added);
    }

    private static void put(Map<String, Integer> ids, String text, JsonNode id, List<String> problems) {
        if (!id.isIntegralNumber() || !id.canConvertToInt() || id.intValue() < 0 || id.intValue() > MAX_ID) {
            problems.add("id of token '" + text + "' is " + id + "; allowed: an integer from 0 to " + MAX_ID);
        } else {
            ids.put(text, id.intValue());
        }
    }

    private static List<String> byId(Map<String, Integer> ids, Map<String, Integer> added) {
        int size = 1;
        for (int id : ids.values()) {
            size = Math.max(size, id + 1);
        }
        for (int id : added.values()) {
            size = Math.max(size, id + 1);
        }
        String[] vocabulary = new String[size];
        ids.forEach((text, id) -> vocabulary[id] = text);
        added.values().forEach(id -> vocabulary[id] = null);
        return Arrays.asList(vocabulary);
    }

    private static boolean isCuttable(JsonNode normalizer) {
        String type = normalizer.path("type").asString("");
        if (type.equals("Sequence")) {
            for (JsonNode inner : normalizer.path("normalizers")) {
                if (!isCuttable(inner)) {
                    return false;
                }
            }
            return true;
        }
        return normalizer.isMissingNode()
                || normalizer.isNull()
                || List.of("NFC", "NFD", "NFKC", "NFKD").contains(type);
    }

    private static boolean mentionsByteLevel(JsonNode step) {
        if (step.path("type").asString("").equals("ByteLevel")) {
            return true;
        }
        for (JsonNode inner : step.path("pretokenizers")) {
            if (mentionsByteLevel(inner)) {
                return true;
            }
        }
        return false;
    }
}
