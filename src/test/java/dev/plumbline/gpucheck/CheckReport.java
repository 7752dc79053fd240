package dev.plumbline.gpucheck;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** The rows of a check, written to disk after each one, so that a check that is cut off leaves what it found. */
final class CheckReport {
    private final Path file;
    private final PrintStream out;
    private final Map<String, Object> about;
    private final List<Map<String, Object>> rows = new ArrayList<>();
    private final long start = System.nanoTime();

    CheckReport(Path folder, Map<String, Object> about, PrintStream out) {
        this.file = folder.resolve("gpu-check.json");
        this.about = about;
        this.out = out;
    }

    /** A row that decides: {@code target} says what passes. */
    void row(String name, Object value, String unit, String target, boolean pass) {
        add(name, value, unit, target, pass);
    }

    /** A row that only tells. */
    void tell(String name, Object value, String unit) {
        add(name, value, unit, null, null);
    }

    private void add(String name, Object value, String unit, String target, Boolean pass) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("name", name);
        row.put("value", value);
        row.put("unit", unit);
        row.put("target", target);
        row.put("pass", pass);
        rows.add(row);
        say((pass == null ? "    " : pass ? "ok  " : "FAIL") + " " + name + " = " + value + " " + unit
                + (target == null ? "" : " (target " + target + ")"));
        write();
    }

    /** A line for whoever watches. */
    void say(String line) {
        out.println(String.format(Locale.ROOT, "[%5.1f s] ", (System.nanoTime() - start) / 1e9) + line);
        out.flush();
    }

    boolean passed() {
        return rows.stream().noneMatch(row -> Boolean.FALSE.equals(row.get("pass")));
    }

    private void write() {
        Map<String, Object> all = new LinkedHashMap<>(about);
        all.put("rows", rows);
        try {
            Files.writeString(
                    file,
                    JsonMapper.builder()
                                    .build()
                                    .writerWithDefaultPrettyPrinter()
                                    .writeValueAsString(all) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
