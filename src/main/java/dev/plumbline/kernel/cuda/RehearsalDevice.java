package dev.plumbline.kernel.cuda;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/** Stands for a device: has every kernel variant that is asked for compiled there, and does nothing else. */
final class RehearsalDevice implements Device {
    private static final long ALIGNMENT = 256;

    private final Device real;
    private final AtomicLong next = new AtomicLong(ALIGNMENT);

    RehearsalDevice(Device real) {
        this.real = real;
    }

    @Override
    public String description() {
        return real.description();
    }

    @Override
    public String architecture() {
        return real.architecture();
    }

    @Override
    public int sharedLimit() {
        return real.sharedLimit();
    }

    @Override
    public long totalBytes() {
        return Long.MAX_VALUE;
    }

    @Override
    public long freeBytes() {
        return Long.MAX_VALUE;
    }

    /** Addresses that nobody has: they are only counted with. */
    @Override
    public long allocate(long bytes) {
        return next.getAndAdd((bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    }

    @Override
    public void free(long address, long bytes) {}

    @Override
    public DeviceFunction function(String source, String expression) {
        real.compile(source, expression);
        return new Function(expression);
    }

    @Override
    public DeviceStream openStream() {
        return new Stream();
    }

    private record Function(String expression) implements DeviceFunction {}

    private static final class Stream implements DeviceStream {
        @Override
        public void zero(long address, long bytes) {}

        @Override
        public void toDevice(long target, ByteBuffer source, int bytes) {}

        @Override
        public void toHost(ByteBuffer target, long source, int bytes) {}

        @Override
        public void launch(
                DeviceFunction function, Shape shape, int dynamicShared, ByteBuffer slots, int[] offsets, int count) {}

        @Override
        public void synchronize() {}

        @Override
        public void beginCapture() {}

        @Override
        public void abandonCapture() {}

        @Override
        public DeviceGraph endCapture() {
            return new DeviceGraph() {
                @Override
                public void launch() {}

                @Override
                public void close() {}
            };
        }

        @Override
        public void close() {}
    }
}
