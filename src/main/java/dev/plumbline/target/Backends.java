package dev.plumbline.target;

import dev.plumbline.kernel.KernelException;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.cpu.CpuKernels;
import dev.plumbline.kernel.reference.ReferenceKernels;
import java.util.Optional;
import java.util.function.Consumer;

/** Opens the kernels a user asked for. A backend that was named is had or refused, never replaced. */
public final class Backends {
    /** Names a backend can be asked for by. */
    public static final String ALLOWED = "auto, cpu, reference";

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
        Optional<String> reason = CpuKernels.unavailableReason();
        if (reason.isPresent()) {
            notices.accept("Running on the slow backend 'reference', because " + reason.get() + ".");
            return new ReferenceKernels(threads);
        }
        try {
            return CpuKernels.create(threads);
        } catch (KernelException e) {
            // An instruction set that was asked for by name: not to be replaced either.
            throw new TargetException(e.getMessage(), e);
        }
    }

    /** Refuses what {@link #open} would refuse, except an instruction set that this machine lacks. */
    static void check(String name, int threads) {
        if (threads < 1) {
            throw new TargetException("threads is " + threads + "; allowed: at least 1");
        }
        switch (name) {
            case "auto", "reference" -> {}
            case "cpu" ->
                CpuKernels.unavailableReason().ifPresent(reason -> {
                    throw new TargetException(reason);
                });
            case "cuda" ->
                throw new TargetException("backend is cuda, which is not part of this version; allowed: " + ALLOWED);
            default -> throw new TargetException("backend is " + name + "; allowed: " + ALLOWED);
        }
    }
}
