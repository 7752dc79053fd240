package dev.plumbline.cli;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/** How far the cells of a command are: a bar for a person at a terminal, else a line now and then. */
final class CellProgress implements AutoCloseable {
    private static final String WATCHED = "plumbline.terminal";
    private static final long LINE_NANOS = Duration.ofSeconds(10).toNanos();

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

    /** Complete after {@code total} tokens of prompts. */
    static CellProgress of(String task, long total, PrintStream err) {
        boolean watched = Boolean.getBoolean(WATCHED);
        return new CellProgress(task, total, err, watched ? Progress.of(task, total, err) : null);
    }

    /** So many tokens more are done; {@code state} says what and how. */
    void done(long tokens, String state) {
        done += tokens;
        if (bar != null) {
            bar.done(tokens, state);
            return;
        }
        long now = System.nanoTime();
        if (now - lastLine >= LINE_NANOS) {
            lastLine = now;
            err.println(line(now, state));
            err.flush();
        }
    }

    private String line(long now, String state) {
        double share = total == 0 ? 1 : (double) done / total;
        long left = Math.round((now - started) / 1e9 * (1 - share) / Math.max(share, 1e-9));
        return String.format(
                Locale.ROOT, "%s: %.0f %%, %s, about %d:%02d left", task, share * 100, state, left / 60, left % 60);
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }
}
