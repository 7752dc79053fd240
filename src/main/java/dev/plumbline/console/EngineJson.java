package dev.plumbline.console;

import dev.plumbline.console.EngineReport.Loaded;
import dev.plumbline.engine.EngineStatus;
import dev.plumbline.engine.EngineStatus.PoolStatus;
import dev.plumbline.engine.LaneStatus;
import dev.plumbline.runconfig.Served;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The report as {@code GET /api/engine} gives it; docs/api.md has the fields. */
final class EngineJson {
    private static final List<String> NULL_WHILE_LOADING = List.of(
            "system_fingerprint",
            "model",
            "backend",
            "flags",
            "run_config",
            "queue",
            "pools",
            "lanes",
            "opening",
            "lane_memory");

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
            NULL_WHILE_LOADING.forEach(root::putNull);
        }
        report.loaded().ifPresent(loaded -> describe(root, report, loaded));
        return root;
    }

    private static void describe(ObjectNode root, EngineReport report, Loaded loaded) {
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
        report.flags().forEach(flag -> flags.addObject()
                .put("name", flag.name())
                .put("value", flag.value())
                .put("origin", flag.origin()));
        runConfig(root, report);
        root.putObject("queue")
                .put("running", status.running())
                .put("waiting", status.waiting())
                .put("max_running", status.maxSequences())
                .put("max_waiting", loaded.maxWaiting());
        ArrayNode pools = root.putArray("pools");
        status.pools().forEach(pool -> pool(pools.addObject(), pool));
        ArrayNode lanes = root.putArray("lanes");
        status.lanes().forEach(lane -> lane(lanes.addObject(), lane));
        ArrayNode opening = root.putArray("opening");
        status.opening().forEach(lane -> opening.addObject()
                .put("run_config", lane.key().label())
                .put("progress_percent", lane.percent()));
        root.putObject("lane_memory")
                .put("budget_bytes", status.memory().budgetBytes())
                .put("held_bytes", status.memory().heldBytes())
                .put("weight_bytes", status.memory().weightBytes())
                .put("tensors_read", status.memory().tensorReads());
    }

    private static void runConfig(ObjectNode root, EngineReport report) {
        ObjectNode node =
                root.putObject("run_config").put("trouble", report.trouble().orElse(null));
        Served served = report.served().orElse(null);
        if (served == null) {
            node.putNull("name").putNull("source").putNull("activation").putNull("overridden");
            return;
        }
        UUID activation = served.activation();
        node.put("name", served.config())
                .put("source", served.source().text())
                .put("activation", activation == null ? null : activation.toString());
        ObjectNode overridden = node.putObject("overridden");
        served.overridden().forEach(overridden::put);
    }

    private static void lane(ObjectNode node, LaneStatus lane) {
        node.put("run_config", lane.key().label())
                .put("state", lane.state().name().toLowerCase(Locale.ROOT))
                .put("running", lane.running())
                .put("waiting", lane.waiting())
                .put("max_sequences", lane.maxSequences())
                .put("weight_bytes", lane.bytes().weights())
                .put("pool_bytes", lane.bytes().pools())
                .put("working_bytes", lane.bytes().working());
        ObjectNode flags = node.putObject("flags");
        lane.flags().forEach(flags::put);
        ArrayNode kernels = node.putArray("kernels");
        lane.variants().forEach(kernels::add);
    }

    private static void pool(ObjectNode node, PoolStatus pool) {
        node.put("name", pool.name())
                .put("total_bytes", pool.allocatedBytes())
                .put("used_bytes", pool.usedBytes())
                .put("free_bytes", pool.freeBytes());
    }
}
