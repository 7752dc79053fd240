package dev.plumbline.recall.run;

import dev.plumbline.conversation.TimeOrderedId;
import dev.plumbline.database.Database;
import dev.plumbline.recall.NativeCells;
import dev.plumbline.recall.Scorer;
import dev.plumbline.recall.result.TargetRecord;
import dev.plumbline.recall.suite.Edges;
import dev.plumbline.recall.suite.Suite;
import dev.plumbline.recall.suite.SuiteCell;
import dev.plumbline.recall.suite.SuiteYaml;
import dev.plumbline.runconfig.RunConfigRef;
import dev.plumbline.target.NativeTarget;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Runs as a server stores them, of suites that no server needs to know. */
public final class TestRuns {
    private TestRuns() {}

    /** The runs of a database. */
    public static RunStore store(Database database) {
        return new RunStore(database, new Plans());
    }

    /** The same with their cells. */
    public static WholeRuns whole(Database database) {
        return new WholeRuns(database, new Plans());
    }

    /** What a server has seen that is alone and hosts nothing. */
    public static UnservedModels unserved(Duration patience) {
        UnservedModels models = new UnservedModels(patience);
        models.seen(List.of(), false);
        return models;
    }

    /** A suite for a tokenizer of bytes: prompts of 1,000 tokens, four questions about each text. */
    public static Suite suite(int haystacks) {
        return SuiteYaml.read("""
                name: tiny
                version: 1
                strata:
                  - name: short
                    task: multikey
                    lengths: [1000]
                    placements: 4
                    haystacks: %d
                    questions: 4
                """.replace("%d", String.valueOf(haystacks)).getBytes(StandardCharsets.UTF_8));
    }

    /** A run of the suite on whatever server has the target's model. */
    public static UUID create(Database database, NativeTarget target, Suite suite) {
        return create(
                database,
                NativeCells.edges(target.status().config()),
                target.model().hash(),
                suite,
                "baseline");
    }

    /** A run for a model that is known by its hash. */
    public static UUID create(Database database, Edges edges, String modelHash, Suite suite, String config) {
        return create(database, edges, modelHash, suite, config, List.of(1L));
    }

    /** The same with seeds. */
    public static UUID create(
            Database database, Edges edges, String modelHash, Suite suite, String config, List<Long> seeds) {
        return store(database, planned(edges, modelHash, suite, config, seeds, null, "tokenizer of " + modelHash));
    }

    /** Stores a run as a server does that has planned it. */
    static UUID store(Database database, StoredRun planned) {
        return store(database)
                .create(new PlannedRun(planned, planned.suite().cells(planned.edges(), planned.seeds()), null))
                .block()
                .id();
    }

    /** The cells of a run. */
    static List<SuiteCell> plan(Database database, UUID run) {
        return new Plans().of(store(database).find(run).block());
    }

    /** A run that is not stored yet; it asks prompts of another one unless that is null. */
    static StoredRun planned(
            Edges edges, String modelHash, Suite suite, String config, UUID promptsOf, String measure) {
        return planned(edges, modelHash, suite, config, List.of(1L), promptsOf, measure);
    }

    private static StoredRun planned(
            Edges edges,
            String modelHash,
            Suite suite,
            String config,
            List<Long> seeds,
            UUID promptsOf,
            String measure) {
        return new StoredRun(
                TimeOrderedId.at(Instant.now()),
                "test",
                Purpose.MANUAL,
                suite,
                edges,
                seeds,
                new RunConfigRef(config, 1),
                null,
                promptsOf,
                new TargetRecord(TargetRecord.NATIVE, TargetRecord.NATIVE, "tiny", modelHash, Map.of()),
                Map.of(),
                measure,
                Scorer.containing().version(),
                RunState.WAITING,
                null,
                new RunCounts(suite.cells(edges, seeds).size(), 0, 0, 0, 0),
                0,
                null,
                null,
                null);
    }
}
