package dev.plumbline.cli;

import java.io.PrintStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A progress bar on standard error; silent unless the launcher said that a person watches it. */
final class Progress implements AutoCloseable {
    static final long PERMILLE = 1000;

    private static final String WATCHED = "plumbline.terminal";

    private final ProgressBar bar;

    private Progress(ProgressBar bar) {
        this.bar = bar;
    }

    /** A bar that is full after {@code total} tokens. */
    static Progress of(String task, long total, PrintStream err) {
        return of(task, total, err, " tokens", 1);
    }

    /** A bar in percent, full after {@code PERMILLE} steps. */
    static Progress ofPercent(String task, PrintStream err) {
        return of(task, PERMILLE, err, " %", PERMILLE / 100);
    }

    private static Progress of(String task, long total, PrintStream err, String unit, long size) {
        if (!Boolean.getBoolean(WATCHED)) {
            return new Progress(null);
        }
        return new Progress(new ProgressBarBuilder()
                .setTaskName(task)
                .setInitialMax(total)
                .setUnit(unit, size)
                .setStyle(ProgressBarStyle.ASCII)
                .setConsumer(new ConsoleProgressBarConsumer(err))
                .build());
    }

    /** So many tokens more are done; {@code state} says what comes next. */
    void done(long tokens, String state) {
        if (bar != null) {
            bar.stepBy(tokens);
            bar.setExtraMessage(" " + state);
        }
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }
}
