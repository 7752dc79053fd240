package dev.plumbline.ops;

import dev.plumbline.runconfig.Serving;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** DOWN while the run config that should be served is not: a balancer then asks other servers. */
@Component("runConfig")
final class RunConfigHealth implements HealthIndicator {
    private final Serving serving;

    RunConfigHealth(Serving serving) {
        this.serving = serving;
    }

    @Override
    public Health health() {
        return serving.trouble()
                .map(reason -> Health.down().withDetail("reason", reason))
                .orElseGet(() -> serving.served()
                        .map(served -> Health.up()
                                .withDetail("run_config", served.lane().label()))
                        .orElseGet(Health::up))
                .build();
    }
}
