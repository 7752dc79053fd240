package dev.plumbline.cli;

import java.io.PrintWriter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a command end by itself when its process is told to: its thread is interrupted, and the process exits with the command's own
 * status instead of the signal's.
 */
final class Interruption implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 10;

    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread hook;

    private Interruption(Thread hook) {
        this.hook = hook;
    }

    /** Watches over the calling thread until this is closed. */
    static Interruption watch(int status, PrintWriter err) {
        Thread command = Thread.currentThread();
        Interruption[] self = new Interruption[1];
        self[0] = new Interruption(new Thread(() -> self[0].end(command, status, err), "interruption"));
        Runtime.getRuntime().addShutdownHook(self[0].hook);
        return self[0];
    }

    private void end(Thread command, int status, PrintWriter err) {
        err.println("\nplumbline: interrupted; there is no verdict");
        err.flush();
        command.interrupt();
        try {
            // The thread removes what it was writing.
            ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(status);
    }

    @Override
    public void close() {
        ended.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending already, and the hook with it.
            return;
        }
    }
}
