package dev.plumbline.schedule;

import dev.plumbline.database.Database;
import dev.plumbline.recall.run.RunStore;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Deletes runs that are too old or too many. Verdicts stay; and so do the runs of what a schedule has found last, of
 * comparisons that are going on, and every run that has not ended.
 */
@Component
final class Retention implements Recurring {
    private static final Logger LOG = LoggerFactory.getLogger(Retention.class);
    private static final int AT_ONCE = 50;

    private final Database database;
    private final RunStore runs;
    private final int days;
    private final int most;
    private final Duration period;

    /** 0 days, or 0 runs, stand for no limit. */
    Retention(
            Database database,
            RunStore runs,
            @Value("${plumbline.retention-days:90}") int days,
            @Value("${plumbline.retention-runs:1000}") int most,
            @Value("${plumbline.retention-period:10m}") Duration period) {
        if (days < 0 || most < 0) {
            throw new IllegalArgumentException("plumbline.retention-days is " + days + ", plumbline.retention-runs is "
                    + most + "; allowed: 0 (no limit) and more");
        }
        this.database = database;
        this.runs = runs;
        this.days = days;
        this.most = most;
        this.period = period;
    }

    @Override
    public String name() {
        return "run-retention";
    }

    @Override
    public Duration period() {
        return period;
    }

    @Override
    public void run() {
        List<UUID> old = database.now(this::old);
        for (UUID id : old) {
            runs.delete(id).block();
        }
        if (!old.isEmpty()) {
            LOG.info("{} runs were deleted: older than {} days, or more than {}", old.size(), days, most);
        }
    }

    private List<UUID> old(JdbcClient client) {
        return client.sql("SELECT r.id FROM run r WHERE r.ended_at IS NOT NULL AND ("
                        + " (:days > 0 AND r.ended_at < clock_timestamp() - make_interval(days => :days))"
                        // Ids grow with time.
                        + " OR (:most > 0 AND r.id NOT IN (SELECT id FROM run ORDER BY id DESC LIMIT :most)))"
                        + " AND NOT EXISTS (SELECT 1 FROM run w WHERE w.prompts_of = r.id AND w.ended_at IS NULL)"
                        + " AND NOT EXISTS (SELECT 1 FROM recall_comparison c WHERE r.id IN (c.baseline_run,"
                        + " c.candidate_run, c.again_run, c.fresh_baseline_run, c.fresh_candidate_run)"
                        + " AND (c.ended_at IS NULL OR c.id IN (SELECT f.comparison FROM schedule s"
                        + " JOIN schedule_firing f ON f.id = s.verdict_firing)))"
                        + " ORDER BY r.id LIMIT " + AT_ONCE)
                .param("days", days)
                .param("most", most)
                .query(UUID.class)
                .list();
    }
}
