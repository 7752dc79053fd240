package dev.plumbline.recall.suite.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.plumbline.conversation.PageRequest;
import dev.plumbline.database.Database;
import dev.plumbline.document.DocumentException;
import dev.plumbline.recall.suite.BuiltInSuites;
import dev.plumbline.recall.suite.Length;
import dev.plumbline.recall.suite.Suite;
import dev.plumbline.recall.suite.SuiteStratum;
import dev.plumbline.recall.suite.SuiteYaml;
import dev.plumbline.testing.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;

/** Suites in a real database. */
class SuiteStoreTest {
    private static Database database;
    private static SuiteStore store;

    private final String name = "t" + UUID.randomUUID().toString().substring(0, 8);

    @BeforeAll
    static void open() {
        database = TestDatabase.empty();
        store = new SuiteStore(database);
    }

    @AfterAll
    static void close() {
        database.close();
    }

    /** A suite of one cell, that of so many tokens. */
    private static Suite suite(String name, int version, int tokens) {
        return SuiteYaml.read(
                ("name: " + name + "\nversion: " + version + "\nstrata: [{name: s, task: single, lengths: [" + tokens
                                + "], placements: [start], haystacks: 1, questions: 1}]")
                        .getBytes(StandardCharsets.UTF_8));
    }

    private SuiteStore.Saved save(int version, int tokens) {
        return store.save(suite(name, version, tokens), "ann").block();
    }

    @Test
    void builtInSuitesKeepTheirNamesAndVersionsAndStartingAgainAddsNone() {
        for (int start = 0; start < 2; start++) {
            for (Suite suite : BuiltInSuites.all()) {
                assertThat(store.keep(suite)).isTrue();
            }
        }

        for (Suite suite : BuiltInSuites.all()) {
            assertThat(store.find(suite.label())).contains(suite);
            assertThat(store.find(suite.name())).contains(suite);
            assertThat(store.versions(suite.name(), new PageRequest(9, null, true))
                            .block()
                            .items())
                    .singleElement()
                    .satisfies(stored -> {
                        assertThat(stored.builtIn()).isTrue();
                        assertThat(stored.hash()).isEqualTo(suite.hash());
                    });
        }
    }

    @Test
    void aChangedBuiltInSuiteIsTheNextVersionWhateverProgramStartsLast() {
        store.keep(suite(name, 1, 300));
        store.keep(suite(name, 1, 400));
        store.keep(suite(name, 1, 300));

        assertThat(store.find(name)).contains(suite(name, 2, 400));
        assertThat(store.find(name + "/1")).contains(suite(name, 1, 300));
        assertThat(store.find(name + "@3")).isEmpty();
    }

    @Test
    void aUsersSuiteIsNeverOverwrittenByABuiltInOne() {
        save(1, 300);

        assertThat(store.keep(suite(name, 5, 400))).isFalse();

        assertThat(store.find(name)).contains(suite(name, 1, 300));
        assertThat(store.find(name + "/5")).isEmpty();
    }

    @Test
    void aUserMayGoOnFromABuiltInOne() {
        store.keep(suite(name, 1, 300));

        SuiteStore.Saved saved = save(1, 301);

        assertThat(saved.created()).isTrue();
        assertThat(saved.suite().id()).isEqualTo(name + "/2");
        assertThat(saved.suite().builtIn()).isFalse();
        assertThat(saved.suite().author()).isEqualTo("ann");
        assertThat(store.keep(suite(name, 1, 300)))
                .as("it is there, as version 1")
                .isTrue();
        assertThat(store.find(name)).contains(suite(name, 2, 301));
    }

    @Test
    void theNumberOfADocumentIsKeptAboveTheLatestOneAndReplacedOtherwise() {
        assertThat(save(4, 300).suite().id()).isEqualTo(name + "/4");
        assertThat(save(2, 301).suite().id()).isEqualTo(name + "/5");
        assertThat(save(9, 302).suite().id()).isEqualTo(name + "/9");
        SuiteStore.Saved old = save(4, 300);
        assertThat(old.created()).as("exported before and imported again").isFalse();
        assertThat(old.suite().id()).isEqualTo(name + "/4");
        SuiteStore.Saved latest = save(1, 302);
        assertThat(latest.created()).isFalse();
        assertThat(latest.suite().id()).isEqualTo(name + "/9");
        assertThatThrownBy(() -> save(SuiteStore.MOST_VERSION + 1, 300))
                .isInstanceOf(DocumentException.class)
                .hasMessageContaining("allowed: 1 to 1000000");
    }

    @Test
    void aVersionCanNeitherBeChangedNorDeleted() {
        save(1, 300);

        for (String sql : List.of(
                "UPDATE suite SET hash = repeat('0', 64) WHERE name = :name", "DELETE FROM suite WHERE name = :name")) {
            assertThatThrownBy(() -> database.now(
                            client -> client.sql(sql).param("name", name).update()))
                    .isInstanceOf(DataAccessException.class)
                    .hasMessageContaining("never changed");
        }
    }

    @Test
    void whatDoesNotExistIsRefusedWithWhatDoes() {
        save(3, 300);

        assertThatThrownBy(() -> store.require("suite", name + "/1"))
                .isInstanceOf(UnknownSuiteException.class)
                .hasMessage("The suite '" + name + "' has no version 1; it has: 3.");
        assertThatThrownBy(() -> store.require("suite", name + "x"))
                .isInstanceOf(UnknownSuiteException.class)
                .hasMessageContaining("near it are: " + name)
                .hasMessageContaining("there are: ");
        assertThatThrownBy(() -> store.require("suite", "Smoke Test"))
                .isInstanceOf(DocumentException.class)
                .hasMessageContaining("'suite': 'Smoke Test'; allowed: NAME");
        assertThat(store.find("Smoke Test")).isEmpty();
    }

    @Test
    void whatWouldBeTooLargeToReadIsNotStored() {
        SuiteStratum small = suite(name, 1, 300).strata().get(0);
        List<Length> lengths = IntStream.range(0, 64)
                .mapToObj(i -> new Length(100, "budget", 10_000 + i))
                .toList();
        List<SuiteStratum> strata = IntStream.range(0, 64)
                .mapToObj(i -> new SuiteStratum(
                        i + "x".repeat(60), true, small.task(), lengths, small.placements(), List.of(), 1, 1))
                .toList();

        assertThatThrownBy(
                        () -> store.save(new Suite(name, 1, "", strata), "ann").block())
                .isInstanceOf(DocumentException.class)
                .hasMessageContaining("allowed: at most 65536");
        assertThat(store.find(name)).isEmpty();
    }
}
