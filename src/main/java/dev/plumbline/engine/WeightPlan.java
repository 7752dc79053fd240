package dev.plumbline.engine;

import dev.plumbline.model.StoredTensor;
import dev.plumbline.model.StoredType;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** Notes which weights a lane would take, in order, without reading or making any. */
final class WeightPlan implements Weights {
    private final Function<String, StoredTensor> checkpoint;
    private final MeasuringKernels measuring;
    private final Map<WeightKey, Part<?>> parts = new LinkedHashMap<>();

    /** One weight, how it is made, and its bytes. */
    record Part<T extends AutoCloseable>(WeightKey key, Class<T> type, Maker<T> maker, long bytes) {
        void take(Weights weights) {
            weights.take(key, type, maker);
        }
    }

    WeightPlan(Function<String, StoredTensor> checkpoint, MeasuringKernels measuring) {
        this.checkpoint = checkpoint;
        this.measuring = measuring;
    }

    /** Everything that was taken. */
    Collection<Part<?>> parts() {
        return parts.values();
    }

    @Override
    public StoredTensor stored(String name) {
        return checkpoint.apply(name);
    }

    @Override
    public <T extends AutoCloseable> T take(WeightKey key, Class<T> type, Maker<T> maker) {
        long before = measuring.bytes();
        T made = maker.make(measuring.kernels(), name -> new Unread(checkpoint.apply(name)));
        parts.put(key, new Part<>(key, type, maker, measuring.bytes() - before));
        return made;
    }

    @Override
    public void close() {}

    /** A stored tensor whose elements nobody needs. */
    record Unread(StoredTensor tensor) implements StoredTensor {
        @Override
        public String name() {
            return tensor.name();
        }

        @Override
        public StoredType type() {
            return tensor.type();
        }

        @Override
        public long[] shape() {
            return tensor.shape();
        }

        @Override
        public void read(long from, float[] target, int offset, int length) {}

        @Override
        public void read(long from, int[] target, int offset, int length) {}
    }
}
