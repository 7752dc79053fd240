package dev.plumbline.recall.run;

import dev.plumbline.database.Database;
import dev.plumbline.recall.remote.PromptMeasure;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Fails runs that wait for a model which no server has hosted for long, and with them what waits for these runs. */
@Component
final class UnservedRuns {
    private static final Logger LOG = LoggerFactory.getLogger(UnservedRuns.class);
    private static final double MILLIS = 1000.0;

    /** The model that a run needs: its own, or the one whose tokenizer measures its prompts; null for any. */
    private static final String NEEDED = "CASE WHEN target_id IS NULL THEN model_hash"
            + " WHEN starts_with(measure, :tokenizer) THEN substr(measure, length(:tokenizer) + 1) END";

    private final Database database;
    private final UnservedModels models;

    UnservedRuns(Database database, UnservedModels models) {
        this.database = database;
        this.models = models;
    }

    /**
     * Looks once; called every few seconds.
     *
     * @param lease after so long without a sign a server is taken for lost
     */
    void look(Duration lease) {
        database.now(client -> {
            WorkerTable.Hosted hosted = WorkerTable.hosted(client, lease.toMillis() / MILLIS);
            models.seen(hosted.models(), hosted.loading());
            Set<String> unserved = models.of(needed(client));
            unserved.forEach(model -> waiting(client, model).forEach(run -> fail(client, run, model)));
            return true;
        });
    }

    private static List<String> needed(JdbcClient client) {
        return client.sql("SELECT DISTINCT needed FROM (SELECT " + NEEDED + " AS needed FROM run"
                        + " WHERE state IN ('waiting', 'running')) AS open WHERE needed IS NOT NULL")
                .param("tokenizer", PromptMeasure.TOKENIZER)
                .query(String.class)
                .list();
    }

    private List<UUID> waiting(JdbcClient client, String model) {
        return client.sql("SELECT id FROM run WHERE state IN ('waiting', 'running') AND " + NEEDED + " = :model"
                        + " AND created_at < clock_timestamp() - make_interval(secs => :patience) ORDER BY id")
                .param("tokenizer", PromptMeasure.TOKENIZER)
                .param("model", model)
                .param("patience", models.patience().toMillis() / MILLIS)
                .query(UUID.class)
                .list();
    }

    private void fail(JdbcClient client, UUID run, String model) {
        String failure = models.words(model);
        if (PromptsOf.end(client, run, RunState.FAILED, failure)) {
            LOG.warn("The run {} has failed: {}", run, failure);
        }
    }
}
