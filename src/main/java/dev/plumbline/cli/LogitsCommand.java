package dev.plumbline.cli;

import dev.plumbline.engine.PromptRun;
import dev.plumbline.engine.Tap;
import dev.plumbline.engine.TapListener;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.Tensor;
import dev.plumbline.model.AttentionKind;
import dev.plumbline.model.Checkpoint;
import dev.plumbline.model.ModelConfig;
import dev.plumbline.model.SafetensorsWriter;
import dev.plumbline.precision.Flag;
import dev.plumbline.precision.PartialProfile;
import dev.plumbline.precision.PrecisionProfile;
import dev.plumbline.target.Backends;
import dev.plumbline.target.ModelLocator;
import dev.plumbline.target.TargetOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Writes the logits of every position of a prompt, and each CSA layer's selection, to a safetensors file. */
@Command(
        name = "logits",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Writes the logits and selections of a prompt to a safetensors file:",
            "fp32 'logits' [n, vocab] and int32 'topk.layer{L}' [n, budget] (-1 = none).",
            "Every precision flag defaults to fp32 here: this command is for parity."
        })
final class LogitsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--model", paramLabel = "NAME|DIR", description = "embedded model or folder (default: needle-mini)")
    private String model = TargetOptions.DEFAULT_MODEL;

    @ArgGroup(multiplicity = "1")
    private TokenIds ids;

    @Option(names = "--backend", paramLabel = "B", description = "one of " + Backends.ALLOWED + " (default: auto)")
    private String backend = "auto";

    @Option(names = "--threads", paramLabel = "N", description = "kernel threads (default: all cores)")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--chunk",
            split = ",",
            paramLabel = "N",
            description = "sizes of the steps; the last one repeats until the prompt ends (default: 512)")
    private int[] chunk = {PrecisionProfile.DEFAULT_PREFILL_CHUNK};

    @Mixin
    private FlagOptions flags;

    @Option(names = "--out", required = true, paramLabel = "F", description = "safetensors file to write")
    private Path out;

    @Override
    public Integer call() throws IOException {
        int[] prompt = ids.read(spec.commandLine());
        int largest = Arrays.stream(chunk).max().orElseThrow();
        ModelLocator.Location location = ModelLocator.standard().locate(model);
        try (Checkpoint checkpoint = location.open()) {
            ModelConfig config = checkpoint.config();
            if (prompt.length > config.maxPositions()) {
                throw invalid("the prompt has " + prompt.length + " ids; allowed: up to the model's context, "
                        + config.maxPositions());
            }
            List<Integer> chunks = Chunks.of(chunk, prompt.length, spec.commandLine());
            PrecisionProfile profile = profile(config.indexTopk(), largest);
            Recording recording = new Recording(config, profile.indexTopk(), prompt.length);
            try (Kernels kernels = Backends.open(backend, threads, this::notice)) {
                recording.kernels = kernels;
                try (PromptRun run = new PromptRun(checkpoint, profile, kernels, prompt.length)) {
                    run.run(prompt, chunks, recording, recording);
                } catch (IllegalArgumentException e) {
                    throw invalid(e.getMessage());
                }
                recording.write(out, location.name(), kernels.description(), profile);
            }
        }
        spec.commandLine().getOut().println("wrote " + prompt.length + " rows of logits to " + out);
        return 0;
    }

    private PrecisionProfile profile(int checkpointTopk, int largestStep) {
        PartialProfile given = flags.given();
        if (given.values().containsKey(Flag.PREFILL_CHUNK)) {
            throw invalid("prefill_chunk cannot be set here; --chunk takes the sizes of the steps");
        }
        return PrecisionProfile.fp32(checkpointTopk).with(given).withPrefillChunk(largestStep);
    }

    private void notice(String sentence) {
        spec.commandLine().getErr().println(sentence);
    }

    private ParameterException invalid(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** Keeps logits and selections in the order of positions. */
    private static final class Recording implements TapListener, PromptRun.LogitsListener {
        private final ModelConfig config;
        private final int budget;
        private final float[] logits;
        private final Map<Integer, int[]> selections = new TreeMap<>();
        private Kernels kernels;
        private int position;

        Recording(ModelConfig config, int budget, int tokens) {
            this.config = config;
            this.budget = budget;
            this.logits = new float[Math.multiplyExact(tokens, config.vocabSize())];
            for (int layer = 0; layer < config.layers().size(); layer++) {
                if (config.layers().get(layer).attention() == AttentionKind.CSA) {
                    selections.put(layer, new int[Math.multiplyExact(tokens, budget)]);
                }
            }
        }

        @Override
        public boolean wants(Tap tap, int layer) {
            return tap == Tap.SELECTION;
        }

        @Override
        public void onTap(Tap tap, int layer, int firstRow, Tensor value) {
            int rows = Math.toIntExact(value.dim(0));
            int width = Math.toIntExact(value.dim(1));
            int[] target = selections.get(layer);
            for (int row = 0; row < rows; row++) {
                int at = (position + firstRow + row) * budget;
                kernels.download(value, (long) row * width, target, at, width);
                // A budget beyond the entries that exist is computed in as many columns as there are entries.
                Arrays.fill(target, at + width, at + budget, -1);
            }
        }

        @Override
        public void onLogits(int from, int rows, float[] chunk) {
            System.arraycopy(chunk, 0, logits, from * config.vocabSize(), chunk.length);
            position = from + rows;
        }

        void write(Path file, String model, String description, PrecisionProfile profile) throws IOException {
            long tokens = logits.length / config.vocabSize();
            SafetensorsWriter writer = new SafetensorsWriter()
                    .metadata("model", model)
                    .metadata("backend", description)
                    .metadata("profile", profile.toString())
                    .float32("logits", new long[] {tokens, config.vocabSize()}, logits);
            selections.forEach((layer, ids) -> writer.int32("topk.layer" + layer, new long[] {tokens, budget}, ids));
            writer.write(file);
        }
    }
}
