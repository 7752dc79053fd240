package dev.plumbline.engine;

import dev.plumbline.kernel.Kernels;
import dev.plumbline.model.StoredTensor;
import java.util.function.Function;

/** Where one lane's weights come from. */
interface Weights extends AutoCloseable {

    /** Brings a stored tensor to a backend. */
    @FunctionalInterface
    interface Maker<T> {
        T make(Kernels kernels, Function<String, StoredTensor> checkpoint);
    }

    /** A stored tensor by name. */
    StoredTensor stored(String name);

    /** A weight, made unless it is there. */
    <T extends AutoCloseable> T take(WeightKey key, Class<T> type, Maker<T> maker);

    /** Gives back everything that was taken. */
    @Override
    void close();
}
