package dev.plumbline.recall.run;

import dev.plumbline.recall.remote.PromptMeasure;
import java.sql.Types;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of {@code run_worker} and {@code run_refusal}: which servers are there, and what they cannot ask. */
final class WorkerTable {
    private WorkerTable() {}

    /** Says that a server is there; {@code model} is the hash of what it hosts, null while that loads. */
    static void touch(JdbcClient client, String instance, String model) {
        client.sql("INSERT INTO run_worker (instance, model_hash) VALUES (:instance, :model)"
                        + " ON CONFLICT (instance) DO UPDATE SET touched_at = clock_timestamp(), model_hash = :model")
                .param("instance", instance)
                .param("model", model, Types.VARCHAR)
                .update();
    }

    static void leave(JdbcClient client, String instance) {
        client.sql("DELETE FROM run_worker WHERE instance = :instance")
                .param("instance", instance)
                .update();
    }

    static void forget(JdbcClient client, Duration age) {
        client.sql("DELETE FROM run_worker WHERE touched_at < clock_timestamp() - make_interval(secs => :age)")
                .param("age", age.toSeconds())
                .update();
    }

    /**
     * What servers host that are there.
     *
     * @param models their hashes
     * @param loading whether one of the servers still loads its model
     */
    record Hosted(List<String> models, boolean loading) {}

    /** {@code seconds}: a server that was not seen for so long is gone. */
    static Hosted hosted(JdbcClient client, double seconds) {
        List<Optional<String>> found = client.sql("SELECT model_hash FROM run_worker"
                        + " WHERE touched_at > clock_timestamp() - make_interval(secs => :age)")
                .param("age", seconds)
                .query((row, number) -> Optional.ofNullable(row.getString("model_hash")))
                .list();
        return new Hosted(
                found.stream().flatMap(Optional::stream).toList(),
                found.stream().anyMatch(Optional::isEmpty));
    }

    /** Notes that a server cannot ask a run now. */
    static void refuse(JdbcClient client, UUID run, String instance) {
        client.sql("INSERT INTO run_refusal (run_id, instance) SELECT :run, instance FROM run_worker"
                        + " WHERE instance = :instance ON CONFLICT DO NOTHING")
                .param("run", run)
                .param("instance", instance)
                .update();
    }

    /** Notes that a server can ask a run. */
    static void accept(JdbcClient client, UUID run, String instance) {
        client.sql("DELETE FROM run_refusal WHERE run_id = :run AND instance = :instance")
                .param("run", run)
                .param("instance", instance)
                .update();
    }

    /**
     * Whether some other server is there that may ask a run: it has not refused, and hosts the model that the run needs, or
     * still loads one.
     *
     * @param seconds a server that was not seen for so long is gone
     */
    static boolean others(JdbcClient client, StoredRun run, String instance, double seconds) {
        return client.sql("SELECT EXISTS (SELECT 1 FROM run_worker w WHERE w.instance <> :instance"
                        + " AND w.touched_at > clock_timestamp() - make_interval(secs => :age)"
                        + " AND (w.model_hash IS NULL OR CASE WHEN :native THEN w.model_hash = :model"
                        + " ELSE NOT starts_with(:measure, :tokenizer) OR :tokenizer || w.model_hash = :measure END)"
                        + " AND NOT EXISTS (SELECT 1 FROM run_refusal f WHERE f.run_id = :run"
                        + " AND f.instance = w.instance))")
                .param("instance", instance)
                .param("age", seconds)
                .param("native", run.isNative())
                .param("model", run.target().modelHash())
                .param("measure", run.measure())
                .param("tokenizer", PromptMeasure.TOKENIZER)
                .param("run", run.id())
                .query(Boolean.class)
                .single();
    }
}
