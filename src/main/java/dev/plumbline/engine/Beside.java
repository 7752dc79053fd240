package dev.plumbline.engine;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Work beside the step loop, which goes on meanwhile. */
final class Beside {
    private Beside() {}

    /** Runs it on a thread of its own; the future ends with what it gave or threw. */
    static <T> CompletableFuture<T> run(String name, Supplier<T> work) {
        CompletableFuture<T> done = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        done.complete(work.get());
                    } catch (RuntimeException | Error e) {
                        done.completeExceptionally(e);
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
        return done;
    }
}
