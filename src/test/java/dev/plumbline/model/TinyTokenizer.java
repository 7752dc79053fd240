package dev.plumbline.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A byte-level BPE tokenizer with the release's special tokens and a few merges, built in code. */
final class TinyTokenizer {
    static final List<String> SPECIALS = List.of(
            "<｜begin▁of▁sentence｜>",
            "<｜end▁of▁sentence｜>",
            "<｜User｜>",
            "<｜Assistant｜>",
            "<think>",
            "</think>",
            "｜DSML｜",
            "<｜latest_reminder｜>");

    private static final String SPLIT = "[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s+";

    private TinyTokenizer() {}

    static Tokenizer load(Path directory) throws IOException {
        return Tokenizer.load(write(directory, json()));
    }

    static Path write(Path directory, ObjectNode json) throws IOException {
        return Files.writeString(directory.resolve("tokenizer.json"), json.toString());
    }

    static ObjectNode json() {
        ObjectNode json = Json.MAPPER.createObjectNode();
        json.put("version", "1.0").putNull("truncation").putNull("padding");
        ArrayNode added = json.putArray("added_tokens");
        json.putNull("normalizer");
        ObjectNode pre = json.putObject("pre_tokenizer").put("type", "Sequence");
        ArrayNode steps = pre.putArray("pretokenizers");
        ObjectNode split = steps.addObject()
                .put("type", "Split")
                .put("behavior", "Isolated")
                .put("invert", false);
        split.putObject("pattern").put("Regex", SPLIT);
        steps.addObject()
                .put("type", "ByteLevel")
                .put("add_prefix_space", false)
                .put("trim_offsets", true)
                .put("use_regex", false);
        json.putNull("post_processor");
        json.putObject("decoder")
                .put("type", "ByteLevel")
                .put("add_prefix_space", true)
                .put("trim_offsets", true)
                .put("use_regex", true);
        ObjectNode model = json.putObject("model").put("type", "BPE");
        model.putNull("dropout").putNull("unk_token").put("fuse_unk", false).put("byte_fallback", false);
        ObjectNode vocab = model.putObject("vocab");
        ByteAlphabet alphabet = new ByteAlphabet();
        for (int i = 0; i < 256; i++) {
            // Ids 0 and 1 are begin and end of sentence, as in the release.
            vocab.put(String.valueOf(alphabet.character(i)), i + 2);
        }
        ArrayNode merges = model.putArray("merges");
        merge(vocab, merges, "t", "h");
        merge(vocab, merges, "th", "e");
        merge(vocab, merges, "Ġ", "the");
        merge(vocab, merges, "l", "l");
        merge(vocab, merges, "e", "ll");
        merge(vocab, merges, "ell", "o");
        merge(vocab, merges, "H", "ello");
        merge(vocab, merges, "ä", "½");
        merge(vocab, merges, "ä½", "ł");
        for (String text : SPECIALS) {
            int at = SPECIALS.indexOf(text);
            added(added, text, at < 2 ? at : 256 + 2 + 9 + at - 2);
        }
        return json;
    }

    static void added(ArrayNode added, String text, int id) {
        added.addObject()
                .put("id", id)
                .put("content", text)
                .put("single_word", false)
                .put("lstrip", false)
                .put("rstrip", false)
                .put("normalized", false)
                .put("special", !text.contains("think"));
    }

    static void merge(ObjectNode vocab, ArrayNode merges, String left, String right) {
        vocab.put(left + right, vocab.size() + 2);
        merges.add(left + " " + right);
    }
}
