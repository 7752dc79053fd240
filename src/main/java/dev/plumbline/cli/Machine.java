package dev.plumbline.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** What a measurement ran on. */
final class Machine {
    private static final Path CPU = Path.of("/proc/cpuinfo");
    private static final Path MEMORY = Path.of("/proc/meminfo");

    private Machine() {}

    /** Processor, cores, memory, system and Java, by name. */
    static Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("cpu_model", field(CPU, "model name", System.getProperty("os.arch")));
        facts.put("cores", String.valueOf(Runtime.getRuntime().availableProcessors()));
        facts.put("memory", field(MEMORY, "MemTotal", "unknown"));
        facts.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put("java", System.getProperty("java.version"));
        return facts;
    }

    /** The commit this program was built from, as the launcher knows it. */
    static String commit() {
        return System.getProperty("plumbline.commit", "unknown");
    }

    /** The time to the second, as reports write it. */
    static String now() {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static String field(Path file, String name, String otherwise) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(name))
                    .findFirst()
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .orElse(otherwise);
        } catch (IOException e) {
            return otherwise;
        }
    }
}
