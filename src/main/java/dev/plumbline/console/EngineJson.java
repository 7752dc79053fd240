package dev.plumbline.console;

import dev.plumbline.console.EngineReport.Loaded;
import dev.plumbline.engine.EngineStatus;
import dev.plumbline.engine.EngineStatus.PoolStatus;
import java.time.Duration;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The report as {@code GET /api/engine} gives it; docs/api.md has the fields. */
final class EngineJson {
    private EngineJson() {}

    static ObjectNode of(EngineReport report) {
        ObjectNode root = JsonNodeFactory.instance
                .objectNode()
                .put("object", "engine")
                .put("state", report.state().name().toLowerCase(Locale.ROOT))
                .put("release", report.build().release())
                .put("commit", report.build().commit())
                .put("started", report.started().getEpochSecond())
                .put(
                        "uptime_seconds",
                        Duration.between(report.started(), report.taken()).toSeconds());
        if (report.loaded().isEmpty()) {
            for (String part : new String[] {"system_fingerprint", "model", "backend", "flags", "queue", "pools"}) {
                root.putNull(part);
            }
        }
        report.loaded().ifPresent(loaded -> describe(root, loaded));
        return root;
    }

    private static void describe(ObjectNode root, Loaded loaded) {
        EngineStatus status = loaded.status();
        root.put("system_fingerprint", loaded.fingerprint());
        root.putObject("model")
                .put("name", loaded.model().name())
                .put("description", loaded.model().description())
                .put("sha256", loaded.model().hash())
                .put("parameters", loaded.model().parameters())
                .put("max_context", status.maxContext())
                .put("max_positions", loaded.model().maxPositions());
        ArrayNode kernels = root.putObject("backend")
                .put("name", status.backend())
                .put("runs_on", status.description())
                .putArray("kernels");
        status.variants().forEach(kernels::add);
        ArrayNode flags = root.putArray("flags");
        status.profile()
                .flags()
                .forEach((name, value) -> flags.addObject().put("name", name).put("value", value));
        root.putObject("queue")
                .put("running", status.running())
                .put("waiting", status.waiting())
                .put("max_running", status.maxSequences())
                .put("max_waiting", loaded.maxWaiting());
        ArrayNode pools = root.putArray("pools");
        status.pools().forEach(pool -> pool(pools.addObject(), pool));
    }

    private static void pool(ObjectNode node, PoolStatus pool) {
        node.put("name", pool.name())
                .put("total_bytes", pool.allocatedBytes())
                .put("used_bytes", pool.usedBytes())
                .put("free_bytes", pool.freeBytes());
    }
}
