package dev.plumbline.engine;

import dev.plumbline.engine.MeasuringKernels.Allocation;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.Tensor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/** Tensors that were allocated one at a time beforehand, for a lane that asks for all of them at once. */
final class PreparedMemory implements InvocationHandler, AutoCloseable {
    private final Queue<Piece> pieces = new ArrayDeque<>();

    private record Piece(Allocation allocation, Tensor tensor) {}

    /** Allocates the next tensor. */
    void add(Allocation allocation, Kernels kernels) {
        pieces.add(new Piece(allocation, allocation.on(kernels)));
    }

    /**
     * Touches them all, on a thread of its own: a lane's first step touches every tensor, and waiting for all of their
     * pages would take that step as long as twenty others. Nothing may use or close them until it is done.
     */
    CompletableFuture<Void> touch(Kernels kernels) {
        List<Tensor> all = pieces.stream().map(Piece::tensor).toList();
        return Beside.run("plumbline-touch", () -> {
            all.forEach(kernels::touch);
            return null;
        });
    }

    /** A backend that hands out the tensors in their order and does nothing else. */
    Kernels kernels() {
        return (Kernels) Proxy.newProxyInstance(Kernels.class.getClassLoader(), new Class<?>[] {Kernels.class}, this);
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
        if (!method.getName().equals("allocate")) {
            throw new IllegalStateException(method.getName() + " was called where only memory is allocated");
        }
        Allocation wanted = Allocation.of(arguments);
        Piece next = pieces.peek();
        if (next == null || !next.allocation().equals(wanted)) {
            throw new IllegalStateException(wanted + " was not prepared; next is " + next);
        }
        return pieces.remove().tensor();
    }

    /** Frees what nobody took. */
    @Override
    public void close() {
        List<Tensor> left = pieces.stream().map(Piece::tensor).toList();
        pieces.clear();
        Resources.closeAll(left);
    }
}
