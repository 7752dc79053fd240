package dev.plumbline.recall.run;

import dev.plumbline.recall.result.CellRecord;
import dev.plumbline.recall.result.RunRecord;
import dev.plumbline.recall.result.TargetRecord;
import dev.plumbline.recall.suite.Edges;
import dev.plumbline.recall.suite.Suite;
import dev.plumbline.runconfig.RunConfigRef;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A run without its cells.
 *
 * @param id names it; ids grow with time
 * @param owner name of the user who asked for it
 * @param purpose what it is for
 * @param suite what is asked, as it was when the run was made
 * @param edges of the model, which lengths may be relative to
 * @param seeds of the cells
 * @param runConfig with its version; null on a target whose flags are its own
 * @param targetId a stored target; null is the engine of the servers
 * @param promptsOf the run whose prompts are asked; null if they are its own
 * @param target what answers; facts that only an open target knows come when the run begins
 * @param flags every flag in force, by key; empty until the run begins
 * @param measure how the lengths of prompts are measured
 * @param scorer name and version of the scorer
 * @param state how far it has come
 * @param failure why it failed, or null
 * @param counts its cells by state
 * @param events number of its last event
 * @param createdAt when it was asked for
 * @param startedAt when the first server took it up, or null
 * @param endedAt when it ended, or null
 */
public record StoredRun(
        UUID id,
        String owner,
        Purpose purpose,
        Suite suite,
        Edges edges,
        List<Long> seeds,
        RunConfigRef runConfig,
        UUID targetId,
        UUID promptsOf,
        TargetRecord target,
        Map<String, String> flags,
        String measure,
        String scorer,
        RunState state,
        String failure,
        RunCounts counts,
        long events,
        Instant createdAt,
        Instant startedAt,
        Instant endedAt) {

    /** Copies the collections. */
    public StoredRun {
        seeds = List.copyOf(seeds);
        flags = Collections.unmodifiableMap(new LinkedHashMap<>(flags));
    }

    /** Whether the engine of the servers answers. */
    public boolean isNative() {
        return targetId == null;
    }

    /** What reports call the flags: {@code name@version}, or the target's name where its flags are its own. */
    public String configLabel() {
        return runConfig == null ? target.name() : runConfig.toString();
    }

    /** The same with prompts measured so. */
    StoredRun measured(String how) {
        return new StoredRun(
                id, owner, purpose, suite, edges, seeds, runConfig, targetId, promptsOf, target, flags, how, scorer,
                state, failure, counts, events, createdAt, startedAt, endedAt);
    }

    /** The run with its cells, as reports and verdicts take it. */
    RunRecord with(List<CellRecord> cells) {
        return new RunRecord(
                id.toString(),
                suite,
                edges,
                seeds,
                configLabel(),
                flags,
                target,
                measure,
                scorer,
                createdAt,
                startedAt,
                endedAt,
                cells);
    }
}
