package dev.plumbline.recall.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BuiltInSuitesTest {
    private static final Edges EDGES = new Edges(128, 256);
    private static final int MINIMUM = 73;

    @Test
    void smokeHasThreeRequiredStrataOf128Cells() {
        Suite smoke = suite("smoke");

        assertThat(perStratum(smoke))
                .isEqualTo(Map.of("160 tokens, needle in the window", 128L, "1K tokens", 128L, "4K tokens", 128L));
        assertThat(smoke.requiredStrata()).hasSize(3);
        assertThat(cells(smoke)).allSatisfy(cell -> assertThat(cell.task()).isEqualTo(Task.MULTIKEY));
        for (String stratum : List.of("1K tokens", "4K tokens")) {
            List<SuiteCell> cells = of(smoke, stratum);
            assertThat(cells.stream().collect(Collectors.groupingBy(SuiteCell::haystackId, Collectors.counting())))
                    .hasSize(16)
                    .allSatisfy((haystack, count) -> assertThat(count).isEqualTo(8));
            assertThat(cells.stream().collect(Collectors.groupingBy(SuiteCell::placement, Collectors.counting())))
                    .hasSize(8)
                    .allSatisfy((depth, count) -> assertThat(count).isEqualTo(16));
            // The eight questions of a haystack are about eight look-alikes of one text.
            assertThat(cells.stream().map(SuiteCell::textId).distinct()).hasSize(16);
            assertThat(cells.get(0).needles()).hasSize(8);
        }
        assertThat(of(smoke, "160 tokens, needle in the window")).allSatisfy(cell -> {
            assertThat(cell.placement().kind()).isEqualTo(Placement.Kind.IN_WINDOW);
            assertThat(cell.length()).isBetween(160, 163);
        });
        assertThat(of(smoke, "160 tokens, needle in the window").stream()
                        .collect(Collectors.groupingBy(SuiteCell::haystackId, Collectors.counting())))
                .hasSize(16)
                .allSatisfy((haystack, count) -> assertThat(count).isEqualTo(8));
    }

    @Test
    void sweepHasEightLengthsOf128CellsInEightHaystacks() {
        Suite sweep = suite("sweep");

        assertThat(sweep.strata())
                .extracting(SuiteStratum::name)
                .containsExactly(
                        "338 tokens",
                        "512 tokens",
                        "1K tokens",
                        "2K tokens",
                        "4K tokens",
                        "8K tokens",
                        "16K tokens",
                        "22,597 tokens");
        assertThat(sweep.strata().stream()
                        .map(stratum -> stratum.lengths().get(0).at(EDGES)))
                .containsExactly(338, 512, 1024, 2048, 4096, 8192, 16_384, 22_597);
        assertThat(perStratum(sweep)).hasSize(8).allSatisfy((name, count) -> assertThat(count)
                .isEqualTo(128));
        assertThat(cells(sweep).stream().map(SuiteCell::haystackId).distinct()).hasSize(8);
        for (SuiteStratum stratum : sweep.strata()) {
            assertThat(of(sweep, stratum.name()).stream()
                            .collect(Collectors.groupingBy(SuiteCell::haystackId, Collectors.counting())))
                    .as(stratum.name())
                    .hasSize(8)
                    .allSatisfy((haystack, count) -> assertThat(count).isEqualTo(16));
        }
        assertThat(sweep.requiredStrata()).hasSize(8);
    }

    @Test
    void edgesLieOnBothSidesOfWhatTheModelAttendsTo() {
        Suite edges = suite("edges");

        assertThat(cells(edges).stream().map(SuiteCell::length).distinct())
                .containsExactly(127, 128, 129, 255, 256, 257, 511, 512, 513);
        assertThat(edges.cells(new Edges(128, 2048), List.of(1L)).stream()
                        .map(SuiteCell::length)
                        .distinct())
                .containsExactly(127, 128, 129, 2047, 2048, 2049, 4095, 4096, 4097);
        assertThat(perStratum(edges)).hasSize(3).allSatisfy((name, count) -> assertThat(count)
                .isEqualTo(96));
    }

    @Test
    void storyTellsTheCasesThatPeopleReport() {
        Suite story = suite("story");

        assertThat(perStratum(story)).hasSize(7);
        assertThat(of(story, "5,200 tokens, needle at the start"))
                .allSatisfy(cell -> assertThat(cell.placement().depth()).isZero());
        assertThat(of(story, "340 lines, needle eight times"))
                .allSatisfy(cell -> assertThat(cell.placement().kind()).isEqualTo(Placement.Kind.REPEATED));
        assertThat(of(story, "5,200 tokens, needle in the last 30"))
                .allSatisfy(cell -> assertThat(cell.placement().kind()).isEqualTo(Placement.Kind.IN_WINDOW));
        assertThat(story.strata().stream()
                        .map(stratum -> stratum.lengths().get(0).at(EDGES)))
                .containsExactly(5200, 5200, 6450, 900, 5200, 8192, 12_288);
        assertThat(story.strata()).extracting(SuiteStratum::task).contains(Task.MULTI_TURN, Task.CONFIG_FILE);
    }

    @Test
    void nightlyAsksEveryTaskAndRequiresWhatTheEmbeddedModelsLearned() {
        Suite nightly = suite("nightly");

        assertThat(nightly.strata()).extracting(SuiteStratum::task).contains(Task.values());
        assertThat(nightly.strata().stream().filter(stratum -> !stratum.required()))
                .extracting(SuiteStratum::task)
                .containsExactlyInAnyOrder(Task.MULTIQUERY, Task.VARIABLE_TRACKING);
        assertThat(perStratum(nightly)).hasSize(14).allSatisfy((name, count) -> assertThat(count)
                .isEqualTo(128));
    }

    @ParameterizedTest
    @MethodSource("suites")
    void everyRequiredStratumHasEnoughCellsToBeSafe(Suite suite) {
        assertThat(suite.strata()).filteredOn(SuiteStratum::required).allSatisfy(stratum -> assertThat(stratum.cells())
                .isGreaterThanOrEqualTo(MINIMUM));
        assertThat(cells(suite))
                .hasSize(suite.strata().stream()
                        .mapToInt(stratum -> (int) stratum.cells())
                        .sum());
    }

    @ParameterizedTest
    @MethodSource("suites")
    void everyPhaseHasAsManyCellsAsTheOthersInEveryStratumAndDepth(Suite suite) {
        for (SuiteStratum stratum : suite.strata()) {
            if (!stratum.phases().isEmpty()) {
                assertThat(of(suite, stratum.name()).stream()
                                .collect(Collectors.groupingBy(
                                        SuiteCell::placement,
                                        Collectors.groupingBy(SuiteCell::phase, Collectors.counting()))))
                        .as(stratum.name())
                        .allSatisfy((placement, phases) -> {
                            assertThat(phases.keySet()).isEqualTo(Set.of(0, 1, 2, 3));
                            assertThat(Set.copyOf(phases.values())).hasSize(1);
                        });
            }
        }
    }

    @ParameterizedTest
    @MethodSource("suites")
    void whatIsExportedIsTheSameSuite(Suite suite) {
        Suite again = SuiteYaml.read(SuiteYaml.write(suite).getBytes(StandardCharsets.UTF_8));

        assertThat(again).isEqualTo(suite);
        assertThat(again.hash()).isEqualTo(suite.hash());
        assertThat(again.cells(EDGES, List.of(7L))).isEqualTo(suite.cells(EDGES, List.of(7L)));
    }

    @ParameterizedTest
    @MethodSource("suites")
    void anotherSeedSharesNoCellNoTextAndNoHaystack(Suite suite) {
        List<SuiteCell> first = suite.cells(EDGES, List.of(1L));
        List<SuiteCell> fresh = suite.cells(EDGES, List.of(2L, 3L));

        assertThat(fresh).hasSize(2 * first.size());
        assertThat(fresh)
                .extracting(SuiteCell::id)
                .doesNotHaveDuplicates()
                .doesNotContainAnyElementsOf(first.stream().map(SuiteCell::id).toList());
        assertThat(fresh)
                .extracting(SuiteCell::textId)
                .doesNotContainAnyElementsOf(
                        first.stream().map(SuiteCell::textId).toList());
        assertThat(fresh)
                .extracting(SuiteCell::haystackId)
                .doesNotContainAnyElementsOf(
                        first.stream().map(SuiteCell::haystackId).toList());
    }

    @Test
    void anUnknownNameIsNoSuite() {
        assertThat(BuiltInSuites.find("smoke ")).isEmpty();
        assertThat(BuiltInSuites.find("../smoke")).isEmpty();
        assertThat(BuiltInSuites.all()).extracting(Suite::name).isEqualTo(BuiltInSuites.names());
    }

    static List<Suite> suites() {
        return BuiltInSuites.all();
    }

    private static Suite suite(String name) {
        return BuiltInSuites.find(name).orElseThrow();
    }

    private static List<SuiteCell> cells(Suite suite) {
        return suite.cells(EDGES, List.of(1L));
    }

    private static List<SuiteCell> of(Suite suite, String stratum) {
        return cells(suite).stream()
                .filter(cell -> cell.stratum().equals(stratum))
                .toList();
    }

    private static Map<String, Long> perStratum(Suite suite) {
        return cells(suite).stream().collect(Collectors.groupingBy(SuiteCell::stratum, Collectors.counting()));
    }
}
