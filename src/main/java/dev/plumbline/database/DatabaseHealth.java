package dev.plumbline.database;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** DOWN while the database does not answer. */
@Component("database")
final class DatabaseHealth implements HealthIndicator {
    private final Database database;

    DatabaseHealth(Database database) {
        this.database = database;
    }

    @Override
    public Health health() {
        return database.up()
                ? Health.up().build()
                : Health.down().withDetail("reason", database.reason()).build();
    }
}
