package dev.plumbline.target;

import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.reference.ReferenceKernels;
import java.util.function.Consumer;

/** Opens the kernels a user asked for. A backend that was named is had or refused, never replaced. */
public final class Backends {
    /** Names a backend can be asked for by. */
    public static final String ALLOWED = "auto, reference";

    private Backends() {}

    /**
     * Opens a backend.
     *
     * @param name one of {@link #ALLOWED}
     * @param threads kernel threads, at least 1
     * @param notices receives a sentence when {@code auto} had to take the slow backend
     * @throws TargetException if the backend is unknown or cannot run here
     */
    public static Kernels open(String name, int threads, Consumer<String> notices) {
        check(name, threads);
        if (name.equals("reference")) {
            return new ReferenceKernels(threads);
        }
        notices.accept("Running on the slow reference backend: the fast one is not part of this version yet.");
        return new ReferenceKernels(threads);
    }

    /** Refuses what {@link #open} would refuse. */
    static void check(String name, int threads) {
        if (threads < 1) {
            throw new TargetException("threads is " + threads + "; allowed: at least 1");
        }
        switch (name) {
            case "auto", "reference" -> {}
            case "cpu", "cuda" ->
                throw new TargetException(
                        "backend is " + name + ", which is not part of this version; allowed: " + ALLOWED);
            default -> throw new TargetException("backend is " + name + "; allowed: " + ALLOWED);
        }
    }
}
