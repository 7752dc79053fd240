package dev.plumbline.engine;

import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.LinearWeight;
import dev.plumbline.kernel.Tensor;
import dev.plumbline.model.StoredTensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The weights of a model on a backend, each in the compute forms that lanes need: shared by them, charged to the first
 * of them, freed with the last. Reads the checkpoint for as long as it lives. One thread at a time.
 */
final class WeightStore {
    private final Kernels kernels;
    private final Function<String, StoredTensor> checkpoint;
    private final Map<WeightKey, Held> held = new LinkedHashMap<>();
    private final Map<Object, Long> charged = new HashMap<>();
    private long bytes;
    private long tensorReads;

    /** A weight and the lanes that need it, the one that is charged first. */
    private record Held(AutoCloseable weight, long bytes, Set<Object> lanes) {}

    WeightStore(Kernels kernels, Function<String, StoredTensor> checkpoint) {
        this.kernels = kernels;
        this.checkpoint = checkpoint;
    }

    /** The weights of one more lane. */
    Weights forLane() {
        return new Weights() {
            @Override
            public StoredTensor stored(String name) {
                return checkpoint.apply(name);
            }

            @Override
            public <T extends AutoCloseable> T take(WeightKey key, Class<T> type, Maker<T> maker) {
                return WeightStore.this.take(this, key, type, maker);
            }

            @Override
            public void close() {
                release(this);
            }
        };
    }

    StoredTensor stored(String name) {
        return checkpoint.apply(name);
    }

    boolean has(WeightKey key) {
        return held.containsKey(key);
    }

    /** A weight for a lane, made unless it is there. */
    <T extends AutoCloseable> T take(Object lane, WeightKey key, Class<T> type, Weights.Maker<T> maker) {
        Held known = held.get(key);
        if (known == null) {
            T made = maker.make(kernels, checkpoint);
            known = new Held(made, size(made), new LinkedHashSet<>());
            held.put(key, known);
            bytes += known.bytes();
            tensorReads += key.reads();
        }
        if (known.lanes().isEmpty()) {
            charge(lane, known.bytes());
        }
        known.lanes().add(lane);
        return type.cast(known.weight());
    }

    private static long size(AutoCloseable weight) {
        return weight instanceof LinearWeight linear ? linear.bytes() : ((Tensor) weight).bytes();
    }

    /** Frees what only this lane needed. */
    void release(Object lane) {
        List<AutoCloseable> unused = new ArrayList<>();
        held.values().removeIf(weight -> {
            boolean first =
                    !weight.lanes().isEmpty() && weight.lanes().iterator().next() == lane;
            weight.lanes().remove(lane);
            if (first && !weight.lanes().isEmpty()) {
                charge(weight.lanes().iterator().next(), weight.bytes());
            }
            if (weight.lanes().isEmpty()) {
                unused.add(weight.weight());
                bytes -= weight.bytes();
                return true;
            }
            return false;
        });
        charged.remove(lane);
        Resources.closeAll(unused);
    }

    private void charge(Object lane, long more) {
        charged.merge(lane, more, Long::sum);
    }

    /** Bytes of everything here. */
    long bytes() {
        return bytes;
    }

    /** Bytes charged to a lane; the sum over all lanes is {@link #bytes}. */
    long charged(Object lane) {
        return charged.getOrDefault(lane, 0L);
    }

    /** Bytes that {@link #release} of this lane would free. */
    long exclusive(Object lane) {
        return held.values().stream()
                .filter(weight -> weight.lanes().size() == 1 && weight.lanes().contains(lane))
                .mapToLong(Held::bytes)
                .sum();
    }

    /** Stored tensors read so far. */
    long tensorReads() {
        return tensorReads;
    }
}
