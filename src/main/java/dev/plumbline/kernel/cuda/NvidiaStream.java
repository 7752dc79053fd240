package dev.plumbline.kernel.cuda;

import static org.bytedeco.cuda.global.cudart.CUDA_SUCCESS;
import static org.bytedeco.cuda.global.cudart.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
import static org.bytedeco.cuda.global.cudart.CU_STREAM_NON_BLOCKING;
import static org.bytedeco.cuda.global.cudart.cuGraphDestroy;
import static org.bytedeco.cuda.global.cudart.cuGraphExecDestroy;
import static org.bytedeco.cuda.global.cudart.cuGraphInstantiate;
import static org.bytedeco.cuda.global.cudart.cuGraphLaunch;
import static org.bytedeco.cuda.global.cudart.cuLaunchKernel;
import static org.bytedeco.cuda.global.cudart.cuMemcpyDtoHAsync;
import static org.bytedeco.cuda.global.cudart.cuMemcpyHtoDAsync;
import static org.bytedeco.cuda.global.cudart.cuMemsetD8Async;
import static org.bytedeco.cuda.global.cudart.cuStreamBeginCapture;
import static org.bytedeco.cuda.global.cudart.cuStreamCreate;
import static org.bytedeco.cuda.global.cudart.cuStreamDestroy;
import static org.bytedeco.cuda.global.cudart.cuStreamEndCapture;
import static org.bytedeco.cuda.global.cudart.cuStreamSynchronize;

import dev.plumbline.kernel.KernelException;
import dev.plumbline.kernel.cuda.NvidiaDevice.NvidiaFunction;
import java.nio.ByteBuffer;
import java.util.IdentityHashMap;
import java.util.Map;
import org.bytedeco.cuda.cudart.CUgraphExec_st;
import org.bytedeco.cuda.cudart.CUgraph_st;
import org.bytedeco.cuda.cudart.CUstream_st;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;

/**
 * A stream of a GPU. An asynchronous failure is reported at the next wait, with the launches it may come from; the
 * environment variable {@value #SYNC_VARIABLE} set to 1 waits after every launch, so that the one is named.
 */
final class NvidiaStream implements DeviceStream {
    static final String SYNC_VARIABLE = "PLUMBLINE_CUDA_SYNC";
    private static final int MOST_ARGUMENTS = 64;

    private final NvidiaDevice device;
    private final CUstream_st stream = new CUstream_st();
    private final LongPointer argumentAddresses = new LongPointer(MOST_ARGUMENTS);
    private final PointerPointer<Pointer> arguments = new PointerPointer<>(argumentAddresses);
    private final PointerPointer<Pointer> noExtra = new PointerPointer<>((Pointer) null);
    private final Map<ByteBuffer, BytePointer> buffers = new IdentityHashMap<>();
    private final boolean waitAlways = "1".equals(System.getenv(SYNC_VARIABLE));
    private boolean capturing;
    private String firstSinceWait;
    private String lastSinceWait;
    private long launchesSinceWait;

    NvidiaStream(NvidiaDevice device) {
        this.device = device;
        Cuda.check(cuStreamCreate(stream, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
    }

    private Pointer pointer(ByteBuffer buffer) {
        return buffers.computeIfAbsent(buffer, BytePointer::new);
    }

    @Override
    public void zero(long address, long bytes) {
        device.bind();
        if (bytes > 0) {
            Cuda.check(cuMemsetD8Async(address, (byte) 0, bytes, stream), "cuMemsetD8Async");
        }
    }

    @Override
    public void toDevice(long target, ByteBuffer source, int bytes) {
        device.bind();
        // From pageable memory the copy is staged before the call returns: the buffer is free again.
        Cuda.check(cuMemcpyHtoDAsync(target, pointer(source), bytes, stream), "cuMemcpyHtoDAsync");
    }

    @Override
    public void toHost(ByteBuffer target, long source, int bytes) {
        device.bind();
        failed(cuMemcpyDtoHAsync(pointer(target), source, bytes, stream));
    }

    @Override
    public void launch(
            DeviceFunction function, Shape shape, int dynamicShared, ByteBuffer slots, int[] offsets, int count) {
        device.bind();
        NvidiaFunction own = (NvidiaFunction) function;
        long start = pointer(slots).address();
        for (int i = 0; i < count; i++) {
            argumentAddresses.put(i, start + (long) Long.BYTES * offsets[i]);
        }
        int result = cuLaunchKernel(
                own.handle(),
                shape.x(),
                shape.y(),
                shape.z(),
                shape.threads(),
                1,
                1,
                dynamicShared,
                stream,
                arguments,
                noExtra);
        if (result != CUDA_SUCCESS) {
            throw new KernelException("launch of " + own.expression() + " as " + shape + " with " + dynamicShared
                    + " bytes of shared memory: " + Cuda.describe(result));
        }
        if (launchesSinceWait++ == 0) {
            firstSinceWait = own.expression();
        }
        lastSinceWait = own.expression();
        if (waitAlways && !capturing) {
            synchronize();
        }
    }

    @Override
    public void synchronize() {
        device.bind();
        failed(cuStreamSynchronize(stream));
        launchesSinceWait = 0;
    }

    private void failed(int result) {
        if (result == CUDA_SUCCESS) {
            return;
        }
        String where = launchesSinceWait == 1
                ? "in the launch of " + lastSinceWait
                : "in one of the " + launchesSinceWait + " launches from " + firstSinceWait + " to " + lastSinceWait
                        + " (" + SYNC_VARIABLE + "=1 tells which)";
        throw new KernelException("the GPU failed " + where + ": " + Cuda.describe(result));
    }

    @Override
    public void beginCapture() {
        device.bind();
        Cuda.check(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL), "cuStreamBeginCapture");
        capturing = true;
    }

    @Override
    public void abandonCapture() {
        capturing = false;
        CUgraph_st graph = new CUgraph_st();
        if (cuStreamEndCapture(stream, graph) == CUDA_SUCCESS && !graph.isNull()) {
            cuGraphDestroy(graph);
        }
    }

    @Override
    public DeviceGraph endCapture() {
        capturing = false;
        CUgraph_st graph = new CUgraph_st();
        Cuda.check(cuStreamEndCapture(stream, graph), "cuStreamEndCapture");
        CUgraphExec_st executable = new CUgraphExec_st();
        try {
            Cuda.check(cuGraphInstantiate(executable, graph, 0), "cuGraphInstantiate");
        } finally {
            cuGraphDestroy(graph);
        }
        return new Graph(executable);
    }

    private final class Graph implements DeviceGraph {
        private final CUgraphExec_st executable;

        Graph(CUgraphExec_st executable) {
            this.executable = executable;
        }

        @Override
        public void launch() {
            device.bind();
            Cuda.check(cuGraphLaunch(executable, stream), "cuGraphLaunch");
            if (launchesSinceWait++ == 0) {
                firstSinceWait = "a captured step";
            }
            lastSinceWait = "a captured step";
        }

        @Override
        public void close() {
            cuGraphExecDestroy(executable);
        }
    }

    @Override
    public void close() {
        device.bind();
        cuStreamDestroy(stream);
        argumentAddresses.close();
    }
}
