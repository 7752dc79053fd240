package dev.plumbline.target;

import dev.plumbline.kernel.KernelException;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.cpu.CpuKernels;
import dev.plumbline.kernel.cuda.CudaKernels;
import dev.plumbline.kernel.reference.ReferenceKernels;
import java.util.Optional;
import java.util.function.Consumer;

/** Opens the kernels a user asked for. A backend that was named is had or refused, never replaced. */
public final class Backends {
    /** Names a backend can be asked for by. */
    public static final String ALLOWED = "auto, cpu, cuda, reference";

    private Backends() {}

    /**
     * Opens a backend.
     *
     * @param name one of {@link #ALLOWED}
     * @param threads kernel threads, at least 1
     * @param notices receives a sentence when {@code auto} could not take the GPU that is here, or the fast backend
     * @throws TargetException if the backend is unknown or cannot run here
     */
    public static Kernels open(String name, int threads, Consumer<String> notices) {
        check(name, threads);
        if (name.equals("reference")) {
            return new ReferenceKernels(threads);
        }
        if (name.equals("cuda") || name.equals("auto") && gpu(notices)) {
            return CudaKernels.create();
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

    /** Whether there is a GPU to use; a machine that never had one is not told so. */
    private static boolean gpu(Consumer<String> notices) {
        if (!CudaKernels.driverSeen()) {
            return false;
        }
        Optional<String> reason = CudaKernels.unavailableReason();
        reason.ifPresent(sentence -> notices.accept("Running without the GPU, because " + sentence + "."));
        return reason.isEmpty();
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
                CudaKernels.unavailableReason().ifPresent(reason -> {
                    throw new TargetException("backend is cuda, but " + reason);
                });
            default -> throw new TargetException("backend is " + name + "; allowed: " + ALLOWED);
        }
    }
}
