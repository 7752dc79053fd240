package dev.plumbline.kernel.cuda;

/** Launches captured once, to be repeated as one. */
interface DeviceGraph extends AutoCloseable {

    /** Enqueues the launches on the stream they were captured on. */
    void launch();

    @Override
    void close();
}
