package dev.plumbline.engine;

import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.cpu.CpuKernels;
import dev.plumbline.model.Checkpoint;
import dev.plumbline.precision.PrecisionProfile;
import java.nio.file.Path;
import java.util.Random;
import java.util.Set;

/**
 * Prefill and decode speed of a model on the backend {@code cpu}, run by hand: arguments are the folder of a checkpoint,
 * threads, prompt tokens and tokens to decode.
 */
final class EngineBenchmark {
    private EngineBenchmark() {}

    public static void main(String[] args) throws Exception {
        int threads = Integer.parseInt(args[1]);
        int prompt = Integer.parseInt(args[2]);
        int decode = Integer.parseInt(args[3]);
        boolean fp32 = args.length > 4 && args[4].equals("fp32");
        Kernels kernels = CpuKernels.create(threads);
        System.out.println(kernels.description());
        try (Checkpoint checkpoint = Checkpoint.open(Path.of(args[0]))) {
            int budget = checkpoint.config().indexTopk();
            PrecisionProfile profile = fp32 ? PrecisionProfile.fp32(budget) : PrecisionProfile.baseline(budget);
            try (NativeEngine engine =
                    NativeEngine.load(checkpoint, profile, kernels, new EngineLimits(prompt + decode + 1, 1, 4))) {
                int vocabulary = checkpoint.config().vocabSize();
                for (int i = 0; i < 4; i++) {
                    run(engine, new Random(i).ints(prompt, 2, vocabulary).toArray(), decode);
                }
            }
        }
    }

    private static void run(NativeEngine engine, int[] prompt, int decode) throws Exception {
        Timed timed = new Timed();
        timed.start = System.nanoTime();
        Collected collected = new Collected(token -> timed.token());
        engine.submit(new GenerationRequest(prompt, decode, SamplingParameters.greedy(), Set.of(), 0), collected);
        collected.reason();
        System.out.printf(
                "prefill %d tokens %.3f s, decode %.1f tokens/s%n",
                prompt.length, (timed.first - timed.start) / 1e9, (timed.count - 1) * 1e9 / (timed.last - timed.first));
    }

    private static final class Timed {
        long start;
        long first;
        long last;
        int count;

        void token() {
            last = System.nanoTime();
            first = count++ == 0 ? last : first;
        }
    }
}
