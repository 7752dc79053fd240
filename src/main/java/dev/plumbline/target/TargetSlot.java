package dev.plumbline.target;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** Where the loaded target stands once it is loaded; until then requests are told to wait. Owns what it holds. */
public final class TargetSlot implements AutoCloseable {
    private final AtomicReference<NativeTarget> target = new AtomicReference<>();
    private final CompletableFuture<NativeTarget> filled = new CompletableFuture<>();

    /** Makes a loaded target available. */
    public void fill(NativeTarget loaded) {
        if (!target.compareAndSet(null, loaded)) {
            throw new IllegalStateException("a target is loaded already");
        }
        filled.complete(loaded);
    }

    /** Calls back once the target is there, at once if it is. */
    public void whenFilled(Consumer<NativeTarget> callback) {
        filled.thenAccept(callback);
    }

    /** The target, or empty while it is loading. */
    public Optional<NativeTarget> target() {
        return Optional.ofNullable(target.get());
    }

    @Override
    public void close() {
        NativeTarget loaded = target.getAndSet(null);
        if (loaded != null) {
            loaded.close();
        }
    }
}
