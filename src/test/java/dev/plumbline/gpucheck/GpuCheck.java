package dev.plumbline.gpucheck;

import dev.plumbline.engine.CudaFlagParityTest;
import dev.plumbline.engine.CudaForwardParityTest;
import dev.plumbline.engine.CudaNeedleMiniParityTest;
import dev.plumbline.engine.CudaTraceTest;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.cpu.CpuKernels;
import dev.plumbline.kernel.cuda.CudaKernels;
import dev.plumbline.kernel.cuda.CudaKernelsTest;
import dev.plumbline.model.Checkpoint;
import dev.plumbline.model.Tokenizer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Checks the backend cuda on this machine: {@code GpuCheck --out DIR [SECTION ...]}; the sections are those of {@link #ALL}.
 * Exits with 1 if a row that decides failed.
 */
final class GpuCheck {
    private static final List<String> ALL = List.of(
            "kit",
            "parity",
            "flags",
            "steps",
            "memory",
            "model",
            "recall",
            "storages",
            "twin",
            "speed",
            "product",
            "memcheck",
            "racecheck",
            "peer");

    private static final Path NEEDLE_MINI = Path.of("src/main/resources/models/needle-mini");
    private static final Path V4_TINY = Path.of("src/test/resources/golden/v4-tiny");
    private static final int PEER_SECONDS = 60;
    private static final int TEXT_TOKENS = 1100;
    private static final int DECODED = 24;

    private final Path folder;
    private final CheckReport report;
    private final RecallCheck recall;

    private GpuCheck(Path folder, CheckReport report) {
        this.folder = folder;
        this.report = report;
        this.recall = new RecallCheck(report, "cuda");
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
                Outcome.of(
                                20,
                                List.of(
                                        "nvidia-smi",
                                        "--query-gpu=name,driver_version,memory.total",
                                        "--format=csv,noheader"))
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
            case "parity" -> {
                kits.run("parity.v4_tiny", CudaForwardParityTest.class);
                kits.run("parity.v4_tiny.flags", CudaFlagParityTest.class);
                kits.run("parity.v4_tiny.traces", CudaTraceTest.class);
            }
            case "flags" -> flags();
            case "model" -> kits.run("parity.needle_mini", CudaNeedleMiniParityTest.class);
            case "steps" -> {
                new StepCheck(report).graphs();
                new StepCheck(report).prefixes();
            }
            case "memory" -> new StepCheck(report).memory();
            case "recall" -> recall.families();
            case "storages" -> recall.storages();
            case "twin" -> recall.twin();
            case "speed" -> new SpeedCheck(report).run();
            case "product" -> new ProductCheck(report).run();
            case "peer" -> peer();
            case "memcheck", "racecheck" -> new Sanitizers(report, folder).run(name);
            default -> throw new IllegalArgumentException("no section " + name + "; allowed: " + ALL);
        }
    }

    /** Every flag value, on a random model and on the trained one with real text. */
    private void flags() throws IOException {
        try (Kernels tested = CudaKernels.create();
                Kernels cpu = CpuKernels.create(Runtime.getRuntime().availableProcessors())) {
            FlagRows rows = new FlagRows(report, tested, cpu);
            try (Checkpoint tiny = Checkpoint.open(V4_TINY)) {
                rows.run("v4_tiny", tiny, new Random(1).ints(300, 2, 128).toArray(), DECODED);
            }
            try (Checkpoint mini = Checkpoint.open(NEEDLE_MINI);
                    Tokenizer tokenizer = Tokenizer.load(NEEDLE_MINI.resolve("tokenizer.json"))) {
                int[] text = tokenizer.encode(Files.readString(Path.of("LICENSE")));
                int[] ids = IntStream.range(0, TEXT_TOKENS)
                        .map(i -> text[i % text.length])
                        .toArray();
                rows.run("needle_mini", mini, ids, DECODED);
            }
        }
    }

    /** Hugging Face's implementation on the same card; whatever it prints is kept. */
    private void peer() throws IOException {
        Outcome outcome = Outcome.of(PEER_SECONDS, List.of("python3", "src/pack/peer.py", NEEDLE_MINI.toString()));
        Files.writeString(folder.resolve("peer.txt"), outcome.text());
        for (String line : outcome.text().lines().toList()) {
            if (line.startsWith("row ")) {
                String[] parts = line.split(" ");
                report.tell("peer.transformers." + parts[1], parts[2], parts[3]);
            }
        }
        if (outcome.status() != 0) {
            report.tell("peer.transformers", "not run: " + outcome.lastLine(), "");
        }
    }
}
