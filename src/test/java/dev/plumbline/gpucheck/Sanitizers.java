package dev.plumbline.gpucheck;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** NVIDIA's checkers of memory accesses and races on short runs, each in a process of its own and bounded in time. */
final class Sanitizers {
    /** How long a run may take beyond the time after which it begins nothing new. */
    private static final int GRACE_SECONDS = 50;

    private final CheckReport report;
    private final Path folder;

    Sanitizers(CheckReport report, Path folder) {
        this.report = report;
        this.folder = folder;
    }

    /** Every part of {@link Smoke} under a tool. */
    void run(String tool) throws IOException {
        for (Smoke.Part part : Smoke.Part.values()) {
            run(tool, part);
        }
    }

    /** Whether the log is that of a tool that started the program: what the program then failed with is no refusal. */
    static boolean toolRan(String log) {
        return log.contains(" SUMMARY: ");
    }

    /** Why the program failed: its exception if it tells one, else the last it said. */
    static String failure(String output) {
        return output.lines()
                .filter(line -> line.startsWith("Exception in thread"))
                .findFirst()
                .orElseGet(() -> Outcome.lastLine(output));
    }

    private void run(String tool, Smoke.Part part) throws IOException {
        String name = "sanitizer." + tool + "." + part.name().toLowerCase(Locale.ROOT);
        Path log = folder.resolve(tool + "-" + part.name().toLowerCase(Locale.ROOT) + ".txt");
        List<String> command = new ArrayList<>(List.of(
                "compute-sanitizer", "--tool", tool, "--target-processes", "all", "--log-file", log.toString()));
        command.add(ProcessHandle.current().info().command().orElse("java"));
        command.addAll(List.of("-Xmx1g", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(Smoke.class.getName(), part.name(), String.valueOf(part.seconds())));
        Outcome outcome = Outcome.of(part.seconds() + GRACE_SECONDS, command);
        String text = Files.exists(log) ? Files.readString(log) : outcome.text();
        Optional<String> done = outcome.text()
                .lines()
                .filter(line -> line.startsWith(Smoke.DONE))
                .findFirst();
        if (done.isEmpty() && toolRan(text)) {
            report.row(name, "did not run to its end: " + failure(outcome.text()), "", "no errors", false);
            return;
        }
        if (done.isEmpty()) {
            report.tell(name, "refused, not run: " + Outcome.lastLine(outcome.text() + "\n" + text), "");
            return;
        }
        String last = Outcome.lastLine(text);
        boolean clean = last.contains("ERROR SUMMARY: 0 errors") || last.contains("0 hazards");
        report.row(name, last, "", "no errors", clean);
        report.tell(name + ".covers", done.get().substring(Smoke.DONE.length()), "");
        outcome.text()
                .lines()
                .filter(line -> line.startsWith(Smoke.LEFT_OUT))
                .forEach(line -> report.tell(name + ".left_out", line.substring(Smoke.LEFT_OUT.length()), ""));
    }
}
