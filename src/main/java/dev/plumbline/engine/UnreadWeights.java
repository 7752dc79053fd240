package dev.plumbline.engine;

import dev.plumbline.kernel.Kernels;
import dev.plumbline.model.Checkpoint;
import dev.plumbline.model.StoredTensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Weights of the right shapes and forms whose elements nobody has read. */
final class UnreadWeights implements Weights {
    private final Kernels kernels;
    private final Checkpoint checkpoint;
    private final Map<WeightKey, AutoCloseable> made = new HashMap<>();

    UnreadWeights(Kernels kernels, Checkpoint checkpoint) {
        this.kernels = kernels;
        this.checkpoint = checkpoint;
    }

    @Override
    public StoredTensor stored(String name) {
        return checkpoint.tensor(name);
    }

    @Override
    public <T extends AutoCloseable> T take(WeightKey key, Class<T> type, Maker<T> maker) {
        return type.cast(made.computeIfAbsent(
                key, missing -> maker.make(kernels, name -> new WeightPlan.Unread(checkpoint.tensor(name)))));
    }

    @Override
    public void close() {
        List<AutoCloseable> all = new ArrayList<>(made.values());
        made.clear();
        Resources.closeAll(all);
    }
}
