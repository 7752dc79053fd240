package dev.plumbline.gpucheck;

import dev.plumbline.engine.PromptRun;
import dev.plumbline.engine.Tap;
import dev.plumbline.engine.TapListener;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.Tensor;
import dev.plumbline.kernel.cuda.CudaKernels;
import dev.plumbline.model.Checkpoint;
import dev.plumbline.precision.PrecisionProfile;
import dev.plumbline.precision.TopkAlgorithm;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/** A little of every kernel of the forward pass, for a checker that makes each launch slow. */
final class Smoke {
    private static final Path GOLDEN = Path.of("src/test/resources/golden");
    private static final int TOKENS = 150;

    private Smoke() {}

    public static void main(String[] args) {
        try (Kernels kernels = CudaKernels.create()) {
            for (String model : new String[] {"v4-tiny", "v4-odd"}) {
                try (Checkpoint checkpoint = Checkpoint.open(GOLDEN.resolve(model))) {
                    PrecisionProfile bf16 = PrecisionProfile.baseline(8).withTopk(TopkAlgorithm.SORT);
                    for (PrecisionProfile profile : List.of(PrecisionProfile.fp32(8), bf16)) {
                        run(checkpoint, profile, kernels);
                    }
                }
            }
            kernels.synchronize();
        }
        System.out.println("smoke done");
    }

    private static void run(Checkpoint checkpoint, PrecisionProfile profile, Kernels kernels) {
        int vocabulary = checkpoint.config().vocabSize();
        int[] ids = new Random(1).ints(TOKENS, 2, vocabulary).toArray();
        try (PromptRun run = new PromptRun(checkpoint, profile, kernels, TOKENS)) {
            run.run(ids, List.of(70, 1, 1, TOKENS - 72), new Everything(), (position, rows, logits) -> {});
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
