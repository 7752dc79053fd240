package dev.plumbline.runconfig;

import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.representer.Representer;

/**
 * Run configs as YAML. What is read is a plain tree of one document: no anchors, no aliases, no tags, no objects; and
 * {@code on} stays the word it is.
 */
public final class RunConfigYaml {
    /** Most bytes of a document. */
    public static final int LIMIT = 64 << 10;

    private RunConfigYaml() {}

    /**
     * Reads a document.
     *
     * @throws RunConfigException if it is no YAML, or YAML beyond what is taken; or by {@link NewRunConfig#of}
     */
    public static NewRunConfig read(byte[] utf8) {
        if (utf8.length > LIMIT) {
            throw refused("it has " + utf8.length + " bytes; allowed: at most " + LIMIT);
        }
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8))
                    .toString();
        } catch (CharacterCodingException e) {
            throw refused("it is not UTF-8");
        }
        try {
            return NewRunConfig.of(
                    new YamlTree(yaml().parse(new StringReader(text)).iterator()).document());
        } catch (MarkedYAMLException e) {
            String where = e.getProblemMark() == null
                    ? ""
                    : " at line " + (e.getProblemMark().getLine() + 1) + ", column "
                            + (e.getProblemMark().getColumn() + 1);
            // The parser's own words may quote the document; the position is enough.
            throw refused("it cannot be read" + where);
        } catch (YAMLException e) {
            throw refused("it has characters that YAML does not allow");
        }
    }

    /** A document from which the same version can be made again. */
    public static String write(RunConfig config) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("name", config.name());
        document.put("description", config.description());
        Map<String, Object> profile = new LinkedHashMap<>();
        config.profile()
                .flags()
                .forEach((flag, value) -> profile.put(flag, value.matches("[0-9]+") ? Long.valueOf(value) : value));
        document.put("profile", profile);
        document.put("sampling", new LinkedHashMap<>(config.sampling().fields()));
        return "# " + config.id() + ", by " + config.author() + ", " + config.created() + "\n" + yaml().dump(document);
    }

    private static Yaml yaml() {
        LoaderOptions loading = new LoaderOptions();
        loading.setCodePointLimit(LIMIT);
        DumperOptions dumping = new DumperOptions();
        dumping.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
        // Characters beyond ASCII stay readable; what YAML cannot carry is escaped.
        dumping.setAllowUnicode(true);
        return new Yaml(new SafeConstructor(loading), new Representer(dumping), dumping, loading);
    }

    private static RunConfigException refused(String reason) {
        return new RunConfigException(null, "invalid_yaml", "The YAML document is refused: " + reason + ".");
    }
}
