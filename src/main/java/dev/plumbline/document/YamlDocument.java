package dev.plumbline.document;

import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.representer.Representer;

/**
 * YAML as a plain tree of one document: no anchors, no aliases, no tags, no objects; and {@code on} stays the word it is.
 */
public final class YamlDocument {
    private YamlDocument() {}

    /**
     * Reads a map of strings, numbers, booleans, maps and lists.
     *
     * @param utf8 the document
     * @param limit most bytes that are taken
     * @throws DocumentException with code {@code invalid_yaml}
     */
    public static Map<?, ?> read(byte[] utf8, int limit) {
        if (utf8.length > limit) {
            throw DocumentException.noYaml("it has " + utf8.length + " bytes; allowed: at most " + limit);
        }
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8))
                    .toString();
        } catch (CharacterCodingException e) {
            throw DocumentException.noYaml("it is not UTF-8");
        }
        try {
            return new YamlTree(yaml(limit).parse(new StringReader(text)).iterator()).document();
        } catch (MarkedYAMLException e) {
            String where = e.getProblemMark() == null
                    ? ""
                    : " at line " + (e.getProblemMark().getLine() + 1) + ", column "
                            + (e.getProblemMark().getColumn() + 1);
            // The parser's own words may quote the document; the position is enough.
            throw DocumentException.noYaml("it cannot be read" + where);
        } catch (YAMLException e) {
            throw DocumentException.noYaml("it has characters that YAML does not allow");
        }
    }

    /** Writes maps, lists, strings, numbers and booleans in their order. */
    public static String write(Map<String, Object> document) {
        return yaml(Integer.MAX_VALUE).dump(document);
    }

    private static Yaml yaml(int limit) {
        LoaderOptions loading = new LoaderOptions();
        loading.setCodePointLimit(limit);
        DumperOptions dumping = new DumperOptions();
        dumping.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
        // Characters beyond ASCII stay readable; what YAML cannot carry is escaped.
        dumping.setAllowUnicode(true);
        return new Yaml(new SafeConstructor(loading), new Representer(dumping), dumping, loading);
    }
}
