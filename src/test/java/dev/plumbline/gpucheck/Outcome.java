package dev.plumbline.gpucheck;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What became of a command: its exit status, and everything that it printed. */
record Outcome(int status, String text) {
    private static final int STOPPED = 124;
    private static final int NOT_FOUND = 127;
    private static final int INTERRUPTED = 130;

    /** Runs a command for that many seconds at most. */
    static Outcome of(int seconds, List<String> command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            StringWriter text = new StringWriter();
            Thread reader = new Thread(() -> {
                try (Reader in = new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)) {
                    in.transferTo(text);
                } catch (IOException e) {
                    text.append(e.toString());
                }
            });
            reader.start();
            boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
            if (!ended) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                process.waitFor();
            }
            reader.join(TimeUnit.SECONDS.toMillis(5));
            return new Outcome(
                    ended ? process.exitValue() : STOPPED, text + (ended ? "" : "\nstopped after " + seconds + " s"));
        } catch (IOException e) {
            return new Outcome(NOT_FOUND, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Outcome(INTERRUPTED, "interrupted");
        }
    }

    /** The last line that is not blank. */
    String lastLine() {
        return lastLine(text);
    }

    static String lastLine(String text) {
        return text.lines().filter(line -> !line.isBlank()).reduce("", (earlier, later) -> later);
    }
}
