package dev.plumbline.model;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * {@code overlay.json} of a model that consists of another one and a few tensors of its own, which lie beside this file
 * and take the place of the base's.
 *
 * @param base the base: an embedded model's name, or a folder relative to the overlay's
 * @param baseHash {@link Checkpoint#contentHash()} of the base that the tensors were made for
 * @param replaces patterns of original names, {@code *} standing for any characters: the overlay holds every tensor of
 *     the base that matches one of them, and no other
 * @param description for people: what the model is and why it exists
 */
public record Overlay(String base, String baseHash, List<String> replaces, String description) {
    /** Its name in a model's folder. */
    public static final String FILE = "overlay.json";

    private static final Set<String> FIELDS = Set.of("base", "base_sha256", "replaces", "description");
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

    /** Copies the list. */
    public Overlay {
        replaces = List.copyOf(replaces);
    }

    /**
     * Reads the file.
     *
     * @param folder the overlay's
     * @throws InvalidModelException listing every field that is missing, unknown or wrong
     */
    public static Overlay read(Path folder) {
        return of(Json.readObject(folder.resolve(FILE)));
    }

    /**
     * Reads the text of the file.
     *
     * @throws InvalidModelException listing every field that is missing, unknown or wrong
     */
    public static Overlay parse(byte[] utf8) {
        return of(Json.parseObject(FILE, ByteBuffer.wrap(utf8)));
    }

    private static Overlay of(JsonNode root) {
        List<String> problems = new ArrayList<>();
        for (String name : root.propertyNames()) {
            if (!FIELDS.contains(name)) {
                problems.add(name + " is unknown; allowed: "
                        + FIELDS.stream().sorted().collect(Collectors.joining(", ")));
            }
        }
        ConfigFields fields = new ConfigFields(root, "", problems);
        String base = text(fields, "base", "a model's name or a folder relative to this one");
        String hash = text(fields, "base_sha256", "the base's content hash");
        if (hash != null && !HASH.matcher(hash).matches()) {
            fields.invalid("base_sha256", hash, "64 hex digits in lower case");
        }
        String description = text(fields, "description", "what the model is");
        List<String> replaces = fields.strings("replaces");
        if (replaces == null ? problems.stream().noneMatch(p -> p.startsWith("replaces ")) : replaces.isEmpty()) {
            fields.missing("replaces", "patterns of tensor names, such as layers.*.attn.indexer.*");
        }
        InvalidModelException.throwIfAny(FILE, problems);
        return new Overlay(base, hash, replaces, description);
    }

    private static String text(ConfigFields fields, String name, String allowed) {
        if (!fields.has(name)) {
            fields.missing(name, allowed);
            return null;
        }
        String text = fields.text(name);
        if (text != null && text.isBlank()) {
            fields.invalid(name, "blank", allowed);
        }
        return text;
    }

    /**
     * Those of these tensors that the overlay holds.
     *
     * @throws InvalidModelException if a pattern matches none of them
     */
    Set<String> replacedOf(Collection<String> names) {
        List<Pattern> patterns = replaces.stream().map(Overlay::pattern).toList();
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < patterns.size(); i++) {
            if (names.stream().noneMatch(patterns.get(i).asMatchPredicate())) {
                problems.add("replaces " + replaces.get(i) + ", which is no tensor of the base " + base);
            }
        }
        InvalidModelException.throwIfAny(FILE, problems);
        return names.stream()
                .filter(name -> patterns.stream().anyMatch(p -> p.matcher(name).matches()))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static Pattern pattern(String glob) {
        return Pattern.compile(
                Arrays.stream(glob.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*")));
    }
}
