package dev.plumbline.console;

import dev.plumbline.console.EngineReport.Loaded;
import dev.plumbline.console.EngineReport.State;
import dev.plumbline.engine.EngineStatus;
import dev.plumbline.engine.EngineStatus.PoolStatus;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The report as a person reads it.
 *
 * @param state one word
 * @param healthy whether it answers
 * @param release version of the program
 * @param commit its commit
 * @param uptime how long the server runs
 * @param model the engine's model; null while it is loading
 */
record EngineCard(String state, boolean healthy, String release, String commit, String uptime, Model model) {

    /** The part that needs a model. */
    record Model(
            String name,
            String description,
            String hash,
            String parameters,
            String context,
            String fingerprint,
            String backend,
            String runsOn,
            List<String> kernels,
            Map<String, String> flags,
            String running,
            String waiting,
            List<Pool> pools) {}

    /** A pool with its bytes, and the used part as a number from 0 to 100. */
    record Pool(String name, String used, String free, String total, int percent) {}

    static EngineCard of(EngineReport report) {
        return new EngineCard(
                report.state().name().toLowerCase(Locale.ROOT),
                report.state() == State.RUNNING,
                report.build().release(),
                report.build().commit(),
                Readable.duration(Duration.between(report.started(), report.taken())),
                report.loaded().map(loaded -> model(report, loaded)).orElse(null));
    }

    private static Model model(EngineReport report, Loaded loaded) {
        Map<String, String> flags = new LinkedHashMap<>();
        report.flags().forEach(flag -> flags.put(flag.name(), flag.value()));
        EngineStatus status = loaded.status();
        return new Model(
                loaded.model().name(),
                loaded.model().description(),
                loaded.model().hash(),
                Readable.count(loaded.model().parameters()),
                context(status.maxContext(), loaded.model().maxPositions()),
                loaded.fingerprint(),
                status.backend(),
                status.description(),
                status.variants(),
                flags,
                status.running() + " of " + Readable.count(status.maxSequences()),
                status.waiting() + " of " + Readable.count(loaded.maxWaiting()),
                status.pools().stream().map(EngineCard::pool).toList());
    }

    private static String context(int served, int allowed) {
        String tokens = Readable.count(served) + " tokens";
        return served == allowed ? tokens : tokens + " of the model's " + Readable.count(allowed);
    }

    private static Pool pool(PoolStatus pool) {
        long total = pool.allocatedBytes();
        // A pool that is in use at all shows a bar.
        int percent = total == 0 ? 0 : (int) Math.ceil(100.0 * pool.usedBytes() / total);
        return new Pool(
                pool.name(),
                Readable.bytes(pool.usedBytes()),
                Readable.bytes(pool.freeBytes()),
                Readable.bytes(total),
                percent);
    }
}
