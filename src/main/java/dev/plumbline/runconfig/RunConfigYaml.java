package dev.plumbline.runconfig;

import dev.plumbline.document.DocumentException;
import dev.plumbline.document.YamlDocument;
import java.util.LinkedHashMap;
import java.util.Map;

/** Run configs as YAML. */
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
        Map<?, ?> document;
        try {
            document = YamlDocument.read(utf8, LIMIT);
        } catch (DocumentException e) {
            throw RunConfigException.of(e);
        }
        return NewRunConfig.of(document);
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
        return "# " + config.id() + ", by " + config.author() + ", " + config.created() + "\n"
                + YamlDocument.write(document);
    }
}
