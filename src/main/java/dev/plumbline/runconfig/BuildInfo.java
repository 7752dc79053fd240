package dev.plumbline.runconfig;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What this program was built from, as the build wrote it down.
 *
 * @param release version of the jar, or {@code dev} outside one
 * @param commit commit of the sources, or {@code unknown}
 * @param modified SHA-256 or {@code deleted} by path of each source file that differs from the commit; null if the build
 *     did not know
 */
public record BuildInfo(String release, String commit, Map<String, String> modified) {
    private static final String UNKNOWN = "unknown";
    private static final String FILE = "/build-info.txt";

    /** This program. */
    public static BuildInfo current() {
        String release = BuildInfo.class.getPackage().getImplementationVersion();
        try (InputStream in = BuildInfo.class.getResourceAsStream(FILE)) {
            List<String> lines = in == null
                    ? List.of()
                    : new String(in.readAllBytes(), StandardCharsets.UTF_8)
                            .lines()
                            .toList();
            return of(release == null ? "dev" : release, lines);
        } catch (IOException e) {
            return of(release == null ? "dev" : release, List.of());
        }
    }

    static BuildInfo of(String release, List<String> lines) {
        String commit = UNKNOWN;
        Map<String, String> modified = null;
        for (String line : lines) {
            String[] words = line.split(" ", 3);
            if (words[0].equals("commit")) {
                commit = words[1];
            } else if (line.equals("modified known")) {
                modified = new LinkedHashMap<>();
            } else if (words[0].equals("file") && words.length == 3 && modified != null) {
                modified.put(words[2], words[1]);
            }
        }
        return new BuildInfo(release, commit, modified);
    }

    /** Writes it into an object; {@code modified_files} is null if it is not known. */
    public void describe(ObjectNode node) {
        node.put("release", release).put("commit", commit);
        if (modified == null) {
            node.putNull("modified_files");
            return;
        }
        ArrayNode files = node.putArray("modified_files");
        modified.forEach((path, hash) -> files.addObject().put("path", path).put("sha256", hash));
    }
}
