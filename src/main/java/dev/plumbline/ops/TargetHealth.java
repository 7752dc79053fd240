package dev.plumbline.ops;

import dev.plumbline.engine.EngineStatus;
import dev.plumbline.target.TargetSlot;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** DOWN until the model is loaded and from the moment the server drains. */
@Component
final class TargetHealth implements HealthIndicator {
    private final TargetSlot slot;
    private final Drain drain;

    TargetHealth(TargetSlot slot, Drain drain) {
        this.slot = slot;
        this.drain = drain;
    }

    @Override
    public Health health() {
        if (drain.draining()) {
            return Health.down().withDetail("reason", "shutting down").build();
        }
        if (slot.target().map(target -> !target.running()).orElse(false)) {
            return Health.down()
                    .withDetail("reason", "the engine has failed; see the log")
                    .build();
        }
        return slot.target().map(target -> up(target.name(), target.status())).orElseGet(() -> Health.down()
                .withDetail("reason", "the model is loading")
                .build());
    }

    private static Health up(String model, EngineStatus status) {
        return Health.up()
                .withDetail("model", model)
                .withDetail("backend", status.backend())
                .withDetail("running", status.running())
                .withDetail("waiting", status.waiting())
                .build();
    }
}
