package dev.plumbline.gpucheck;

import dev.plumbline.engine.EngineLimits;
import dev.plumbline.engine.GenerationRequest;
import dev.plumbline.engine.NativeEngine;
import dev.plumbline.engine.PromptRun;
import dev.plumbline.engine.SamplingParameters;
import dev.plumbline.engine.Tap;
import dev.plumbline.engine.TapListener;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.Tensor;
import dev.plumbline.kernel.cuda.CudaKernels;
import dev.plumbline.model.Checkpoint;
import dev.plumbline.precision.Flag;
import dev.plumbline.precision.PartialProfile;
import dev.plumbline.precision.PrecisionProfile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * A little of every kernel, for a checker that makes each launch slow: {@code Smoke PART SECONDS}. Prints what it did as
 * its last line; nothing new is begun once the seconds have passed.
 */
final class Smoke {
    static final String DONE = "smoke done: ";
    static final String LEFT_OUT = "smoke left out: ";

    static final Path GOLDEN = Path.of("src/test/resources/golden");
    private static final int TOKENS = 150;
    private static final int ANSWER = 10;
    private static final long NANOS = 1_000_000_000;

    /** What is run, and for how long something new is begun. */
    enum Part {
        /** The forward pass of both golden models under profiles that have every kernel variant between them. */
        FORWARD(60),
        /** Sampled generations side by side, with penalties, biases and log-probabilities; no step is captured. */
        SAMPLING(10),
        /** The same generations with decode steps that are captured, then repeated. */
        GRAPHS(10);

        private final int seconds;

        Part(int seconds) {
            this.seconds = seconds;
        }

        int seconds() {
            return seconds;
        }
    }

    /** A golden model and a profile that it allows. */
    record Setting(String model, PrecisionProfile profile) {
        static Setting of(String model, PrecisionProfile base, Map<String, String> flags) {
            return new Setting(model, base.with(PartialProfile.parse(flags)));
        }
    }

    private Smoke() {}

    public static void main(String[] args) {
        long end = System.nanoTime() + Long.parseLong(args[1]) * NANOS;
        switch (Part.valueOf(args[0])) {
            case FORWARD -> forward(end);
            case SAMPLING -> generate(false);
            case GRAPHS -> generate(true);
        }
    }

    /** The settings with most variants come first. */
    static List<Setting> settings() {
        PrecisionProfile fp32 = PrecisionProfile.fp32(8);
        PrecisionProfile bf16 = PrecisionProfile.baseline(8);
        Map<String, String> mxfp4 = Map.of(
                "index_key_dtype", "mxfp4",
                "index_score_dtype", "bf16",
                "index_logits", "gathered",
                "kv_dtype", "fp8",
                "hyper_connection_dtype", "bf16",
                "routed_scaling", "separate");
        return List.of(
                Setting.of("v4-tiny", bf16.with(PartialProfile.of(Flag.INDEX_ROTATION, "hadamard")), mxfp4),
                Setting.of("v4-odd", fp32, Map.of()),
                Setting.of("v4-tiny", bf16, Map.of("topk_backend", "sort", "index_key_dtype", "fp8")),
                Setting.of("v4-odd", bf16, Map.of()),
                Setting.of("v4-tiny", fp32, Map.of("numerics", "qat")),
                // Its index keys have 14 dims, which no Hadamard matrix has.
                Setting.of("v4-odd", bf16, mxfp4));
    }

    private static void forward(long end) {
        List<String> done = new ArrayList<>();
        try (CudaKernels kernels = CudaKernels.create()) {
            for (Setting setting : settings()) {
                String name = setting.model() + " with "
                        + setting.profile().flags().values().stream().limit(13).toList();
                if (System.nanoTime() > end) {
                    System.out.println(LEFT_OUT + name + ", for want of time");
                    continue;
                }
                try (Checkpoint checkpoint = Checkpoint.open(GOLDEN.resolve(setting.model()))) {
                    run(checkpoint, setting.profile(), kernels);
                }
                done.add(name);
            }
            kernels.synchronize();
            System.out.println(DONE + String.join("; ", done) + "; kernels: "
                    + String.join(", ", kernels.code().keySet()));
        }
    }

    private static void run(Checkpoint checkpoint, PrecisionProfile profile, Kernels kernels) {
        int vocabulary = checkpoint.config().vocabSize();
        int[] ids = new Random(1).ints(TOKENS, 2, vocabulary).toArray();
        try (PromptRun run = new PromptRun(checkpoint, profile, kernels, TOKENS).decodeFrom(70)) {
            run.run(ids, List.of(70, 1, 1, TOKENS - 72), new Everything(), (position, rows, logits) -> {});
        }
    }

    private static void generate(boolean graphs) {
        PrecisionProfile profile =
                PrecisionProfile.baseline(8).withPrefillChunk(32).withGraphs(graphs);
        CudaKernels kernels = CudaKernels.create();
        List<Generated> running = new ArrayList<>();
        try (Checkpoint checkpoint = Checkpoint.open(GOLDEN.resolve("v4-tiny"));
                NativeEngine engine = NativeEngine.load(checkpoint, profile, kernels, new EngineLimits(64, 3, 8))) {
            for (int i = 0; i < 3; i++) {
                int[] prompt = new Random(i).ints(40 + i, 2, 128).toArray();
                SamplingParameters sampling = i == 0
                        ? SamplingParameters.greedy()
                        : new SamplingParameters(0.8f, 0.9f, i, 0.5f, 0.25f, Map.of(3, -2f));
                Generated generated = new Generated();
                running.add(generated);
                engine.submit(new GenerationRequest(prompt, ANSWER, sampling, Set.of(), 0, 5, null), generated);
            }
            int tokens = 0;
            for (Generated generated : running) {
                tokens += generated.end().join().size();
            }
            System.out.println(DONE + tokens + " tokens of " + running.size() + " generations, graphs "
                    + (graphs ? "on" : "off") + "; kernels: "
                    + String.join(", ", kernels.code().keySet()));
        }
    }

    /** Asks for the outputs that are free when nobody asks. */
    private static final class Everything implements TapListener {
        @Override
        public boolean wants(Tap tap, int layer) {
            return true;
        }

        @Override
        public void onTap(Tap tap, int layer, int firstRow, Tensor value) {
            if (value.elements() == 0) {
                throw new IllegalStateException(tap + " of layer " + layer + " is empty");
            }
        }
    }
}
