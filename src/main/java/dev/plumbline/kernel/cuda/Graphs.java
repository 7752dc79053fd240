package dev.plumbline.kernel.cuda;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Captured steps by key. The first time a step runs as it is, which compiles its kernels and sizes its scratch memory;
 * the second time it is captured, and from then on repeated. When scratch memory moved, its captures are made again.
 */
final class Graphs implements AutoCloseable {
    private final CudaContext context;
    private final Map<Object, Captured> steps = new HashMap<>();

    /** A step that has run ({@code graph} null) or was captured, while scratch memory was of that generation. */
    private record Captured(DeviceGraph graph, long generation) {}

    Graphs(CudaContext context) {
        this.context = context;
    }

    void repeat(Object key, Runnable calls) {
        Captured known = steps.get(key);
        if (known == null || known.generation() != context.scratchGeneration()) {
            if (known != null && known.graph() != null) {
                context.synchronize();
                known.graph().close();
            }
            steps.remove(key);
            calls.run();
            steps.put(key, new Captured(null, context.scratchGeneration()));
            return;
        }
        if (known.graph() == null) {
            known = new Captured(capture(calls), known.generation());
            steps.put(key, known);
        }
        known.graph().launch();
    }

    private DeviceGraph capture(Runnable calls) {
        DeviceStream stream = context.stream();
        stream.beginCapture();
        try {
            calls.run();
        } catch (RuntimeException | Error failure) {
            stream.abandonCapture();
            throw failure;
        }
        return stream.endCapture();
    }

    /** Drops the steps whose keys {@code which} accepts, once none of them runs. */
    void forget(Predicate<Object> which) {
        List<Object> dropped = steps.keySet().stream().filter(which).toList();
        if (!dropped.isEmpty()) {
            context.synchronize();
        }
        for (Object key : dropped) {
            DeviceGraph graph = steps.remove(key).graph();
            if (graph != null) {
                graph.close();
            }
        }
    }

    @Override
    public void close() {
        for (Captured step : steps.values()) {
            if (step.graph() != null) {
                step.graph().close();
            }
        }
        steps.clear();
    }
}
