package dev.plumbline.gpucheck;

import dev.plumbline.engine.CudaForwardParityTest;
import dev.plumbline.engine.CudaNeedleMiniParityTest;
import dev.plumbline.kernel.cuda.CudaKernels;
import dev.plumbline.kernel.cuda.CudaKernelsTest;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Checks the backend cuda on this machine: {@code GpuCheck --out DIR [SECTION ...]}. Sections: kit, parity, model, steps,
 * memory, recall, speed, peer, memcheck, racecheck. Exits with 1 if a row that decides failed.
 */
final class GpuCheck {
    private static final List<String> ALL =
            List.of("kit", "parity", "steps", "memory", "model", "recall", "speed", "peer", "memcheck", "racecheck");
    private static final int SANITIZER_SECONDS = 100;
    private static final int PEER_SECONDS = 120;

    private final Path folder;
    private final CheckReport report;

    private GpuCheck(Path folder, CheckReport report) {
        this.folder = folder;
        this.report = report;
    }

    public static void main(String[] args) throws IOException {
        if (args.length < 2 || !args[0].equals("--out")) {
            System.err.println("gpu-check takes --out DIR [" + String.join("|", ALL) + " ...]");
            System.exit(2);
        }
        Path folder = Path.of(args[1]);
        Files.createDirectories(folder);
        List<String> sections = args.length == 2 ? ALL : List.of(args).subList(2, args.length);
        String missing = CudaKernels.unavailableReason().orElse(null);
        if (missing != null) {
            System.err.println("plumbline: gpu-check needs a GPU, but " + missing);
            System.exit(1);
        }
        CheckReport report = new CheckReport(folder, about(), System.out);
        GpuCheck check = new GpuCheck(folder, report);
        for (String section : sections) {
            report.say("section " + section);
            try {
                check.section(section);
            } catch (Throwable failure) {
                failure.printStackTrace(System.out);
                report.row(section + ".ran", String.valueOf(failure), "", "runs to its end", false);
            }
        }
        System.exit(report.passed() ? 0 : 1);
    }

    private static Map<String, Object> about() {
        Map<String, Object> about = new LinkedHashMap<>();
        try (CudaKernels kernels = CudaKernels.create()) {
            about.put("backend", kernels.description());
        }
        about.put(
                "card",
                run(20, "nvidia-smi", "--query-gpu=name,driver_version,memory.total", "--format=csv,noheader")
                        .text()
                        .strip());
        about.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        about.put("commit", System.getProperty("plumbline.commit", "unknown"));
        return about;
    }

    private void section(String name) throws IOException {
        Kits kits = new Kits(report, folder);
        switch (name) {
            case "kit" -> kits.run("kit", CudaKernelsTest.class);
            case "parity" -> kits.run("parity.v4_tiny", CudaForwardParityTest.class);
            case "model" -> kits.run("parity.needle_mini", CudaNeedleMiniParityTest.class);
            case "steps" -> new StepCheck(report).graphs();
            case "memory" -> new StepCheck(report).memory();
            case "recall" -> new RecallCheck(report).run();
            case "speed" -> new SpeedCheck(report).run();
            case "peer" -> peer();
            case "memcheck", "racecheck" -> sanitizer(name);
            default -> throw new IllegalArgumentException("no section " + name + "; allowed: " + ALL);
        }
    }

    /** Hugging Face's implementation on the same card; whatever it prints is kept. */
    private void peer() throws IOException {
        Outcome outcome = run(PEER_SECONDS, "python3", "src/pack/peer.py", "src/main/resources/models/needle-mini");
        Files.writeString(folder.resolve("peer.txt"), outcome.text());
        for (String line : outcome.text().lines().toList()) {
            if (line.startsWith("row ")) {
                String[] parts = line.split(" ");
                report.tell("peer.transformers." + parts[1], parts[2], parts[3]);
            }
        }
        if (outcome.status() != 0) {
            report.tell("peer.transformers", "not run: " + lastLine(outcome.text()), "");
        }
    }

    private void sanitizer(String tool) throws IOException {
        Path log = folder.resolve(tool + ".txt");
        List<String> command = new ArrayList<>(List.of(
                "compute-sanitizer", "--tool", tool, "--target-processes", "all", "--log-file", log.toString()));
        command.add(ProcessHandle.current().info().command().orElse("java"));
        command.addAll(List.of("-Xmx1g", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path")));
        command.add(Smoke.class.getName());
        Outcome outcome = run(SANITIZER_SECONDS, command.toArray(String[]::new));
        String text = Files.exists(log) ? Files.readString(log) : outcome.text();
        boolean ran = outcome.text().contains("smoke done");
        String last = lastLine(text);
        if (!ran) {
            report.tell("sanitizer." + tool, "refused, not run: " + lastLine(outcome.text() + "\n" + text), "");
            return;
        }
        boolean clean = last.contains("ERROR SUMMARY: 0 errors") || last.contains("0 hazards");
        report.row("sanitizer." + tool, last, "", "no errors", clean);
    }

    private record Outcome(int status, String text) {}

    private static Outcome run(int seconds, String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            StringWriter text = new StringWriter();
            Thread reader = new Thread(() -> {
                try (Reader in = new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)) {
                    in.transferTo(text);
                } catch (IOException e) {
                    text.append(e.toString());
                }
            });
            reader.start();
            boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
            if (!ended) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                process.waitFor();
            }
            reader.join(TimeUnit.SECONDS.toMillis(5));
            return new Outcome(
                    ended ? process.exitValue() : 124, text + (ended ? "" : "\nstopped after " + seconds + " s"));
        } catch (IOException e) {
            return new Outcome(127, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Outcome(130, "interrupted");
        }
    }

    private static String lastLine(String text) {
        return text.lines().filter(line -> !line.isBlank()).reduce("", (earlier, later) -> later);
    }
}
