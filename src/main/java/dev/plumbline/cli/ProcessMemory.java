package dev.plumbline.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Highest proportional set size of this process and all its descendants while open; sampled, so short peaks may be missed. */
final class ProcessMemory implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final long KIB_PER_MIB = 1024;

    private final AtomicLong peakKib = new AtomicLong(-1);
    private final Thread sampler = new Thread(this::sample, "memory-sampler");

    /** Starts sampling. */
    ProcessMemory() {
        sampler.setDaemon(true);
        sampler.start();
    }

    /** The highest sum so far, in MiB; empty where the system does not tell. */
    OptionalLong peakMib() {
        peakKib.accumulateAndGet(treeKib(), Math::max);
        long kib = peakKib.get();
        return kib < 0 ? OptionalLong.empty() : OptionalLong.of((kib + KIB_PER_MIB - 1) / KIB_PER_MIB);
    }

    @Override
    public void close() {
        sampler.interrupt();
    }

    private void sample() {
        while (!Thread.currentThread().isInterrupted()) {
            peakKib.accumulateAndGet(treeKib(), Math::max);
            try {
                Thread.sleep(PAUSE.toMillis());
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private static long treeKib() {
        ProcessHandle self = ProcessHandle.current();
        long own = pssKib(self.pid());
        LongStream others = self.descendants().mapToLong(ProcessHandle::pid).map(ProcessMemory::pssKib);
        return own < 0 ? -1 : own + others.filter(kib -> kib > 0).sum();
    }

    /** Proportional set size of a process; −1 if it has ended or the system does not tell. */
    static long pssKib(long pid) {
        try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/smaps_rollup"))) {
            return lines.filter(line -> line.startsWith("Pss:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElse(-1);
        } catch (IOException | UncheckedIOException e) {
            return -1;
        }
    }
}
