package dev.plumbline.kernel.cuda;

/** A device that tells what it is asked to compile and to load. */
record WatchedDevice(Device real, EmulatedCuda.Watch watch) implements Device {
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
        return real.totalBytes();
    }

    @Override
    public long freeBytes() {
        return real.freeBytes();
    }

    @Override
    public long allocate(long bytes) {
        return real.allocate(bytes);
    }

    @Override
    public void free(long address, long bytes) {
        real.free(address, bytes);
    }

    @Override
    public void compile(String source, String expression) {
        watch.compiled(expression);
        real.compile(source, expression);
    }

    @Override
    public DeviceFunction function(String source, String expression) {
        watch.loaded(expression);
        return real.function(source, expression);
    }

    @Override
    public DeviceStream openStream() {
        return real.openStream();
    }
}
