package dev.plumbline.ops;

import dev.plumbline.engine.EngineStatus;
import dev.plumbline.engine.EngineStatus.PoolStatus;
import dev.plumbline.target.TargetSlot;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import org.springframework.stereotype.Component;

/**
 * Bytes of the cache pools. All values of one answer come from one snapshot of the engine, so that what is used and what
 * is free always add up to what is allocated; gauges that each ask for themselves would not while a request goes on.
 */
@Component
final class PoolMetrics implements MultiCollector {
    private final TargetSlot slot;

    PoolMetrics(TargetSlot slot, PrometheusRegistry registry) {
        this.slot = slot;
        registry.register(this);
    }

    @Override
    public MetricSnapshots collect() {
        return slot.target().map(target -> collect(target.status())).orElseGet(MetricSnapshots::new);
    }

    private static MetricSnapshots collect(EngineStatus status) {
        GaugeSnapshot.Builder pools = GaugeSnapshot.builder()
                .name("plumbline_pool_bytes")
                .help("Bytes of the cache pools of all lanes, by pool and state.");
        for (PoolStatus pool : status.pools()) {
            pools.dataPoint(point(Labels.of("pool", pool.name(), "state", "used"), pool.usedBytes()));
            pools.dataPoint(point(Labels.of("pool", pool.name(), "state", "free"), pool.freeBytes()));
        }
        long allocated =
                status.lanes().stream().mapToLong(lane -> lane.bytes().pools()).sum();
        return new MetricSnapshots(
                pools.build(),
                GaugeSnapshot.builder()
                        .name("plumbline_pools_allocated_bytes")
                        .help("Bytes that the backend holds for the cache pools of all lanes.")
                        .dataPoint(point(Labels.EMPTY, allocated))
                        .build());
    }

    private static GaugeDataPointSnapshot point(Labels labels, long bytes) {
        return GaugeDataPointSnapshot.builder().labels(labels).value(bytes).build();
    }
}
