package dev.plumbline.cli;

import java.io.PrintStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A progress bar on standard error; silent unless the launcher said that a person watches it. */
final class Progress implements AutoCloseable {
    private static final String WATCHED = "plumbline.terminal";

    private final ProgressBar bar;

    private Progress(ProgressBar bar) {
        this.bar = bar;
    }

    /** A bar that is full after {@code total} tokens. */
    static Progress of(String task, long total, PrintStream err) {
        if (!Boolean.getBoolean(WATCHED)) {
            return new Progress(null);
        }
        return new Progress(new ProgressBarBuilder()
                .setTaskName(task)
                .setInitialMax(total)
                .setUnit(" tokens", 1)
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
