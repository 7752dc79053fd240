package dev.plumbline.recall.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.database.Database;
import dev.plumbline.recall.result.CellRecord;
import dev.plumbline.recall.result.RunRecord;
import dev.plumbline.recall.suite.SuiteYaml;
import dev.plumbline.recall.verdict.CellState;
import dev.plumbline.testing.TestDatabase;
import dev.plumbline.testing.TestServer;
import dev.plumbline.trace.Stage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A run of the embedded model, which finds what it is asked about. */
class EmbeddedRunTest {
    private static final Duration PATIENCE = Duration.ofSeconds(240);
    private static final String SUITE = """
            name: embedded
            version: 1
            strata:
              - name: 1K tokens
                task: multikey
                lengths: [1K]
                placements: 8
                haystacks: 2
                questions: 8
              - name: no room for a question
                required: false
                task: single
                lengths: [20]
                placements: [start]
                haystacks: 1
                questions: 1
            """;

    @Test
    void answersPassAndSayWhatTheIndexerDidAndAPromptThatCannotBeBuiltIsAnErrorOfItsCell() {
        try (TestServer server = TestServer.embedded();
                Database database = TestDatabase.open()) {
            UUID run =
                    TestRuns.create(database, server.target(), SuiteYaml.read(SUITE.getBytes(StandardCharsets.UTF_8)));
            RunNotices notices = new RunNotices(database);
            notices.start();
            RunStore store = new RunStore(database, new Plans());
            StoredRun ended = new Runs(null, store, notices)
                    .whenFinished(run)
                    .timeout(PATIENCE, store.find(run))
                    .block();
            notices.stop();

            assertThat(ended.state()).as(ended.toString()).isEqualTo(RunState.FINISHED);
            RunRecord record = new WholeRuns(database, new Plans()).record(run).orElseThrow();
            assertThat(record.counts().get(CellState.ERROR)).isEqualTo(1);
            assertThat(record.counts().get(CellState.PASSED)).isGreaterThanOrEqualTo(14);
            assertThat(record.cells().get(16).reason()).contains("too short");
            List<CellRecord> passed = record.cells().stream()
                    .filter(cell -> cell.state() == CellState.PASSED)
                    .toList();
            assertThat(passed).allSatisfy(cell -> {
                assertThat(cell.answer()).contains(cell.expected().get(0));
                assertThat(cell.distance()).isZero();
                assertThat(cell.finishReason()).isEqualTo("stop");
                assertThat(cell.firstTokenMillis()).isPositive().isLessThanOrEqualTo(cell.totalMillis());
                assertThat(cell.needle()).anyMatch(trace -> trace.stage() == Stage.DECODE && trace.selected() > 0);
                assertThat(cell.needle()).anyMatch(trace -> trace.stage() == Stage.PREFILL);
            });
        }
    }
}
