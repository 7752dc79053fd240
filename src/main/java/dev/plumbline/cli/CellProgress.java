package dev.plumbline.cli;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/** How far the cells of a command are: a bar for a person at a terminal, else a line now and then. */
final class CellProgress implements AutoCloseable {
    private static final String WATCHED = "plumbline.terminal";
    private static final long LINE_NANOS = Duration.ofSeconds(10).toNanos();
    /** Before so much is done the first prompts and a cold engine would foretell hours. */
    private static final double TELLING_SHARE = 0.02;

    private static final double NANOS = 1e9;

    private final String task;
    private final long total;
    private final PrintStream err;
    private final Progress bar;
    private final long started = System.nanoTime();
    private long lastLine = started;
    private long done;

    private CellProgress(String task, long total, PrintStream err, Progress bar) {
        this.task = task;
        this.total = total;
        this.err = err;
        this.bar = bar;
    }

    /** Complete after {@code total} of whatever {@link #done} counts. */
    static CellProgress of(String task, long total, PrintStream err) {
        boolean watched = Boolean.getBoolean(WATCHED);
        return new CellProgress(task, total, err, watched ? Progress.ofPercent(task, err) : null);
    }

    /** So much more is done; {@code state} says what and how. */
    void done(long more, String state) {
        long before = steps();
        done += more;
        if (bar != null) {
            bar.done(steps() - before, state);
            return;
        }
        long now = System.nanoTime();
        if (now - lastLine >= LINE_NANOS) {
            lastLine = now;
            err.println(line(task, (double) done / Math.max(1, total), (now - started) / NANOS, state));
            err.flush();
        }
    }

    private long steps() {
        return Progress.PERMILLE * done / Math.max(1, total);
    }

    /** How far it is, and how long the rest takes if it goes on like that. */
    static String line(String task, double share, double seconds, String state) {
        String done = String.format(Locale.ROOT, "%s: %.0f %%, %s", task, share * 100, state);
        if (share < TELLING_SHARE) {
            return done;
        }
        long left = Math.round(seconds * (1 - share) / share);
        return done + String.format(Locale.ROOT, ", about %d:%02d left", left / 60, left % 60);
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }
}
