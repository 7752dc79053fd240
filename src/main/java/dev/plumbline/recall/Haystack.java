package dev.plumbline.recall;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** The content of {@code recall/haystack.json}; the README beside it says what every field means. */
record Haystack(
        int schema,
        Answers answers,
        int minSecretTokens,
        Map<String, Split> words,
        Map<String, List<String>> keys,
        List<String> secrets,
        Map<String, List<Wording>> wordings,
        Map<String, Questions> questions,
        Prompts prompts,
        List<Filler> filler) {

    private static final int SCHEMA = 1;
    private static final String RESOURCE = "/recall/haystack.json";

    /** Fixed answers. */
    record Answers(String absent, String join, String acknowledge) {}

    /** Words for training, and words for measurement; the README says which of these the embedded model may have met. */
    record Split(List<String> train, List<String> heldOut) {}

    /** A needle's text with {@code {key}}, {@code {attribute}}, {@code {value}}, {@code {time}}. */
    record Wording(String style, String text) {}

    /** Questions after one value, and after all values of a key. */
    record Questions(List<String> one, List<String> all) {}

    /** How text and question join. */
    record Prompts(
            String textFirst,
            String questionFirst,
            List<String> system,
            List<String> acknowledge,
            List<String> remark) {}

    /** A text that needles are hidden in. */
    record Filler(String name, String kind, String source, String licence, boolean heldOut, String text) {}

    /** Reads the file this program was built with. */
    static Haystack load() {
        try (InputStream in = Haystack.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("this build lacks " + RESOURCE);
            }
            Haystack haystack = JsonMapper.builder().build().readValue(in, Haystack.class);
            if (haystack.schema != SCHEMA) {
                throw new IllegalStateException(
                        RESOURCE + " has schema " + haystack.schema + "; this build reads schema " + SCHEMA);
            }
            return haystack;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Words of a list that are kept for measurement. */
    List<String> heldOutWords(String list) {
        return words.get(list).heldOut();
    }

    /** Texts that no model met in training. */
    List<Filler> heldOutFiller() {
        return filler.stream().filter(Filler::heldOut).toList();
    }
}
