package dev.plumbline.engine;

import java.util.Collection;

/** Frees several things, whatever becomes of each. */
final class Resources {
    private Resources() {}

    /**
     * Closes all in order.
     *
     * @throws IllegalStateException after the last one, with every failure attached
     */
    static void closeAll(Collection<? extends AutoCloseable> resources) {
        IllegalStateException failed = null;
        for (AutoCloseable resource : resources) {
            try {
                resource.close();
            } catch (Exception e) {
                failed = failed == null ? new IllegalStateException("memory could not be freed") : failed;
                failed.addSuppressed(e);
            }
        }
        if (failed != null) {
            throw failed;
        }
    }
}
