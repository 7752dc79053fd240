package dev.plumbline.engine;

import dev.plumbline.kernel.Kernels;
import dev.plumbline.model.Checkpoint;
import dev.plumbline.model.ModelConfig;
import dev.plumbline.precision.PrecisionProfile;
import java.util.ArrayList;
import java.util.List;

/** Weights, caches and working memory of one profile on one loaded model. Not thread-safe. */
final class Lane implements AutoCloseable {
    final ModelConfig config;
    final PrecisionProfile profile;
    final Kernels kernels;
    final CachePools pools;
    final ForwardPass forward;
    final BatchBuilder batch;
    final HeadActivations head;
    private final Activations activations;
    private final List<AutoCloseable> owned = new ArrayList<>();
    private Activations lastView;

    /**
     * @param maxRows most rows of a step
     * @param maxHeadRows most rows of a step that get logits
     */
    Lane(
            Checkpoint checkpoint,
            PrecisionProfile profile,
            Kernels kernels,
            EngineLimits limits,
            int maxRows,
            int maxHeadRows) {
        this.config = checkpoint.config();
        this.profile = profile;
        this.kernels = kernels;
        ProfileCheck.require(profile, kernels);
        try {
            ModelWeights weights = own(new ModelWeights(config, checkpoint::tensor, profile, kernels));
            pools = own(new CachePools(config, profile, kernels, limits));
            forward = new ForwardPass(config, profile, kernels, weights, pools);
            activations = own(new Activations(config, profile, kernels, maxRows, limits.maxContext()));
            batch = own(new BatchBuilder(kernels, pools, maxRows, limits.maxSequences(), limits.maxContext()));
            head = own(HeadActivations.allocate(config, kernels, maxHeadRows));
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Working memory of a step of {@code rows} rows; decode asks for the same number again and again. */
    Activations activations(int rows) {
        if (lastView == null || lastView.rows() != rows) {
            lastView = activations.view(rows);
        }
        return lastView;
    }

    private <T extends AutoCloseable> T own(T resource) {
        owned.add(0, resource);
        return resource;
    }

    @Override
    public void close() {
        List<AutoCloseable> all = List.copyOf(owned);
        owned.clear();
        Resources.closeAll(all);
    }
}
