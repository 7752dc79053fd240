package dev.plumbline.recall.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.plumbline.chat.Api;
import dev.plumbline.database.Database;
import dev.plumbline.target.NativeTarget;
import dev.plumbline.testing.TestDatabase;
import dev.plumbline.testing.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Two servers of one database: they share the cells of a run, and readers of either hear the same. */
class RunEventsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private static Database database;
    private static TestServer here;
    private static TestServer there;
    private static Api api;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        String name = TestDatabase.create();
        here = TestServer.loading(TestDatabase.named(name), TestServer.KEY);
        here.load(Files.createDirectory(folder.resolve("one")), 4, 8);
        there = TestServer.loading(TestDatabase.named(name), TestServer.KEY);
        there.load(Files.createDirectory(folder.resolve("two")), 4, 8);
        database = TestDatabase.named(name);
        api = new Api(here);
    }

    @AfterAll
    static void stop() {
        database.close();
        there.close();
        here.close();
    }

    private static String run(int haystacks) {
        return "/api/runs/" + TestRuns.create(database, here.target(), TestRuns.suite(haystacks));
    }

    @Test
    void bothServersAskCellsAndEachCellIsAskedOnce() throws Exception {
        String path = run(6);
        Followed followed = Followed.from(there, path, 0L);
        assertThat(followed.status()).isEqualTo(200);

        List<JsonNode> cells = followed.numbered().stream()
                .filter(event -> event.name().equals("cell"))
                .map(Followed.Event::data)
                .toList();
        assertThat(cells.stream().map(cell -> cell.path("ordinal").asInt()))
                .hasSize(24)
                .doesNotHaveDuplicates();
        Set<String> instances = new HashSet<>();
        cells.forEach(cell -> instances.add(cell.path("instance").asString()));
        assertThat(instances).hasSize(2);
        assertThat(api.get(path).text("/state")).isEqualTo("finished");
        // A text's cells are claimed together, so that one server computes what they share.
        assertThat(cells.stream()
                        .map(cell -> cell.path("haystack").asString() + " "
                                + cell.path("instance").asString())
                        .distinct())
                .hasSize(6);
    }

    @Test
    void twoReadersHearTheSameWithoutGapsAndGoOnWhereTheyWere() throws Exception {
        String path = run(4);
        Followed one = Followed.from(here, path, 0L);
        Followed other = Followed.from(there, path, 0L);
        assertThat(one.status()).isEqualTo(200);
        assertThat(other.status()).isEqualTo(200);

        List<Long> all = LongStream.rangeClosed(1, 16 + 3).boxed().toList();
        assertThat(one.numbers()).isEqualTo(all);
        assertThat(other.numbers()).isEqualTo(all);
        assertThat(one.numbered()).isEqualTo(other.numbered());
        assertThat(one.numbered().stream()
                        .filter(event -> event.name().equals("state"))
                        .map(event -> event.data().path("state").asString()))
                .containsExactly("waiting", "running", "finished");
        Followed.Event last = one.events().get(one.events().size() - 1);
        assertThat(last.name()).isEqualTo("progress");
        assertThat(last.data().path("truncated").asInt()).isEqualTo(16);
        assertThat(last.data().path("state").asString()).isEqualTo("finished");
        Followed resumed = Followed.from(there, path, 12L);
        assertThat(resumed.status()).isEqualTo(200);
        assertThat(resumed.numbers()).isEqualTo(all.subList(12, all.size()));
        assertThat(Followed.from(here, path, 19L).status()).isEqualTo(204);
        assertThat(api.get(path + "/events?after=x").text("/error/param")).isEqualTo("after");
    }

    @Test
    void aReaderHearsThatTheRunIsDeletedOnAnotherServer() throws Exception {
        String path = run(100);
        Followed followed = Followed.from(there, path, null);
        await().atMost(PATIENCE).until(() -> !followed.numbered().isEmpty());
        api.delete(path);

        assertThat(followed.status()).isEqualTo(200);
        List<Followed.Event> events = followed.events();
        assertThat(events.get(0).name()).isEqualTo("progress");
        assertThat(events.get(events.size() - 1).data().path("state").asString())
                .isEqualTo("deleted");
    }

    @Test
    void theEndIsToldToWhoeverWaitsWhicheverServerAsked() {
        UUID run = TestRuns.create(database, here.target(), TestRuns.suite(1));
        RunNotices notices = new RunNotices(database);
        notices.start();
        Runs runs = new Runs(null, new RunStore(database, new Plans()), notices);

        StoredRun ended = runs.whenFinished(run).block(PATIENCE);
        assertThat(ended.state()).isEqualTo(RunState.FINISHED);
        assertThat(ended.counts().done()).isEqualTo(4);
        assertThat(runs.whenFinished(UUID.randomUUID()).block(PATIENCE)).isNull();
        notices.stop();
    }

    @Test
    void cellsOfAServerThatIsGoneAreAskedByOthersAndItsLateResultIsRefused() throws Exception {
        NativeTarget target = here.target();
        UUID run = TestRuns.create(database, target, TestRuns.suite(3));
        // The run is another model's for as long as only the lost server is to see it.
        sql("UPDATE run SET model_hash = 'another' WHERE id = '" + run + "'");
        sql("UPDATE run SET state = 'running', started_at = clock_timestamp() WHERE id = '" + run + "'");
        RunWork lost = new RunWork(database, Duration.ofSeconds(20));
        lost.touch(null);
        List<Integer> claimed = lost.claim(run, TestRuns.plan(database, run), 64);
        assertThat(claimed).containsExactly(0, 1, 2, 3);
        sql("UPDATE run SET model_hash = '" + target.model().hash() + "' WHERE id = '" + run + "'");
        await().atMost(PATIENCE)
                .until(() ->
                        api.get("/api/runs/" + run).json().at("/cells/missing").asInt() == 4);
        assertThat(api.get("/api/runs/" + run + "/cells?state=claimed").json().path("data"))
                .hasSize(4);

        sql("UPDATE run_worker SET touched_at = touched_at - interval '1 minute' WHERE instance IN"
                + " (SELECT claimed_by FROM run_cell WHERE run_id = '" + run + "' AND state = 'claimed')");
        await().atMost(PATIENCE)
                .until(() -> api.get("/api/runs/" + run).text("/state").equals("finished"));
        StoredCell asked = new RunStore(database, new Plans())
                .cell(run, api.get("/api/runs/" + run + "/cells").text("/first_id"))
                .block();
        assertThat(lost.commit(run, 0, asked.record())).isEqualTo(RunWork.Commit.NOT_WANTED);
        assertThat(api.get("/api/runs/" + run).json().at("/cells/truncated").asInt())
                .isEqualTo(12);
    }

    private static void sql(String statement) {
        database.now(client -> client.sql(statement).update());
    }
}
