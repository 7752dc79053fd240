package dev.plumbline.engine;

import dev.plumbline.kernel.Batch;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.model.Checkpoint;
import dev.plumbline.precision.PrecisionProfile;
import dev.plumbline.trace.Stage;

/**
 * Goes through the steps of a lane to be on {@link Kernels#rehearsal}: where kernels are compiled they are compiled here
 * rather than by the step loop.
 */
final class LaneRehearsal {
    private final Checkpoint checkpoint;
    private final PrecisionProfile profile;
    private final Kernels kernels;
    private final int context;

    private LaneRehearsal(Checkpoint checkpoint, PrecisionProfile profile, Kernels kernels, int context) {
        this.checkpoint = checkpoint;
        this.profile = profile;
        this.kernels = kernels;
        this.context = context;
    }

    /** Goes through them once, on the calling thread, if the backend has anything to make ready. */
    static void run(Checkpoint checkpoint, LaneKey lane, Kernels kernels, EngineLimits limits) {
        kernels.rehearsal().ifPresent(rehearsal -> {
            try (Kernels own = rehearsal) {
                new LaneRehearsal(checkpoint, lane.profile(), own, limits.maxContext()).run();
            }
        });
    }

    private void run() {
        EngineLimits alone = new EngineLimits(context, 1, 1);
        try (SubBatch built = LanePlan.assemble(
                checkpoint.config(), profile, kernels, kernels, new UnreadWeights(kernels, checkpoint), alone)) {
            Lane lane = built.lane();
            SequenceCache cache = lane.pools.lease(context);
            int prompt = Math.min(profile.prefillChunk(), context - 1);
            step(lane, cache, Stage.PREFILL, 0, prompt);
            // At the end of the context there are more candidates than any budget below them takes.
            step(lane, cache, Stage.PREFILL, context - prompt, prompt);
            step(lane, cache, Stage.DECODE, context - 1, 1);
            if (lane.prefixes != null) {
                lane.prefixes.keep(cache, new int[prompt]);
            }
        }
    }

    private void step(Lane lane, SequenceCache cache, Stage stage, int position, int rows) {
        lane.batch.clear();
        lane.batch.add(cache, stage, new int[rows], 0, rows, position);
        Batch batch = lane.batch.build();
        Activations a = lane.activations(rows);
        lane.forward.run(batch, a, TapListener.NONE);
        HeadActivations head = lane.head.view(1);
        kernels.upload(new int[1], 0, 1, head.rows(), 0);
        lane.forward.logits(a, head);
        try (SamplingBuffers sampling = new SamplingBuffers(kernels, 1);
                LogProbabilityReader scores = new LogProbabilityReader(kernels, 1, lane.config.vocabSize())) {
            sampling.add(SamplingParameters.greedy(), new Adjustments(SamplingParameters.greedy()), 0, position);
            kernels.sample(head.logits(), sampling.build(), head.sampled());
            scores.read(head, 1);
        }
    }
}
