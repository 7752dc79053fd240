package dev.plumbline.recall.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.plumbline.document.DocumentException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuiteYamlTest {
    private static final Edges EDGES = new Edges(128, 256);
    private static final String HEAD = "name: own\nversion: 3\nstrata:\n";
    private static final String STRATUM =
            "  - {name: a, task: multikey, lengths: [600], placements: [start, 0.25, end], haystacks: 2, questions: 6}\n";

    @Test
    void aSuiteIsAGridOfLengthsHaystacksAndQuestions() {
        Suite suite = read(HEAD + STRATUM);

        List<SuiteCell> cells = suite.cells(EDGES, List.of(5L));

        assertThat(suite.label()).isEqualTo("own/3");
        assertThat(cells).hasSize(12);
        // 600 tokens have room for three of the six needles, so that a haystack makes two texts.
        assertThat(cells)
                .extracting(SuiteCell::id)
                .startsWith(
                        "multikey/600/start/h00/q00/5",
                        "multikey/600/end/h00/q02/5",
                        "multikey/600/0.25/h00/q04/5",
                        "multikey/600/0.25/h00/q01/5");
        assertThat(cells)
                .extracting(SuiteCell::textId)
                .startsWith(
                        "multikey/600/start/h00/t00 of 3/5",
                        "multikey/600/start/h00/t00 of 3/5",
                        "multikey/600/start/h00/t00 of 3/5",
                        "multikey/600/0.25/h00/t01 of 3/5");
    }

    @ParameterizedTest
    @CsvSource({
        "4096, 4096",
        "4K, 4096",
        "1M, 1048576",
        "window, 128",
        "window-1, 127",
        "budget + 1, 257",
        "2*budget, 512",
        "3 * window - 20, 364"
    })
    void lengthsAreAbsoluteOrRelativeToTheModel(String length, int tokens) {
        assertThat(Length.of("lengths", length).at(EDGES)).isEqualTo(tokens);
        assertThat(Length.of("lengths", Length.of("lengths", length).document()).at(EDGES))
                .isEqualTo(tokens);
    }

    @ParameterizedTest
    @CsvSource({"160, 0, 160", "160, 3, 163", "338, 1, 341", "22597, 0, 22600", "4095, 3, 4095"})
    void aLengthIsMovedUpToTheNextOneOfThePhase(int length, int phase, int moved) {
        assertThat(Phase.moved(length, phase)).isEqualTo(moved);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "name: Own | name | 1 to 63 of a-z",
                "version: 0 | version | an integer from 1",
                "lenghts: 3 | lenghts | Unknown parameter",
                "strata: [] | strata | a list of 1 to 64",
                "strata: [7] | strata[0] | an object",
            })
    void wrongFieldsOfTheSuiteAreNamed(String line, String field, String allowed) {
        String key = line.substring(0, line.indexOf(':'));
        String rest = (HEAD + STRATUM).replaceAll("(?ms)^" + key + ":" + (key.equals("strata") ? ".*" : ".*?\n"), "");

        assertRefused(rest + line + "\n", field, allowed);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "task: guess | strata[0].task | single, multikey, multivalue, multiquery, variable-tracking, config-file",
                "lengths: [0] | strata[0].lengths | tokens from 1 to 4194304",
                "lengths: [edge] | strata[0].lengths | such as window-1 or 2*budget+1",
                "lengths: [99999999999] | strata[0].lengths | tokens from 1",
                "lengths: [] | strata[0].lengths | a list of 1 to 64",
                "placements: [1.5] | strata[0].placements | a depth from 0 to 1",
                "placements: [top] | strata[0].placements | start, middle, end, in-window, repeated",
                "placements: 1000 | strata[0].placements | at most 100",
                "phases: [4] | strata[0].phases | numbers from 0 to 3",
                "phases: [0, 1, 2] | haystacks | a multiple of the 3 phases",
                "phases: [0, 0] | phases | different numbers from 0 to 3",
                "haystacks: 0 | strata[0].haystacks | an integer from 1",
                "haystacks: 1000000 | strata[0].haystacks | at most 100000",
                "questions: 7 | questions | a multiple of the 3 placements",
                "required: maybe | strata[0].required | true or false",
                "required: false | strata | at least one",
                "depths: 3 | strata[0].depths | Unknown parameter",
            })
    void wrongFieldsOfAStratumAreNamed(String entry, String field, String allowed) {
        String key = entry.substring(0, entry.indexOf(':'));
        String stratum =
                STRATUM.replaceAll("(, )?" + key + ": (\\[[^]]*]|[^,}]*)", "").replace("}", ", " + entry + "}");

        assertRefused(HEAD + stratum, field, allowed);
    }

    @Test
    void whatIsMissingIsNamed() {
        assertRefused("name: own\nversion: 1\n", "strata", "a list of 1 to 64");
        assertRefused(HEAD + "  - {name: a}\n", "strata[0].task", "Missing required parameter");
        assertRefused("version: 1\n", "name", "Missing required parameter");
    }

    @Test
    void nothingIsAskedTwice() {
        Suite twice = read(HEAD + STRATUM + STRATUM.replace("name: a", "name: b"));

        assertThatThrownBy(() -> twice.cells(EDGES, List.of(1L)))
                .hasMessage("The cell multikey/600/start/h00/q00/1 comes twice, again in stratum 'b'.");
        assertThatThrownBy(() -> read(HEAD + STRATUM).cells(EDGES, List.of(1L, 1L)))
                .hasMessage("'seeds' is [1, 1]; allowed: at least one, all different.");
        assertRefused(HEAD + STRATUM + STRATUM, "strata", "the name 'a' twice");
    }

    @Test
    void hugeGridsAreRefusedBeforeTheyAreExpanded() {
        assertRefused(
                HEAD + STRATUM.replace("haystacks: 2", "haystacks: 100000"),
                "strata",
                "600000 cells; allowed: at most 100000");
        assertRefused(
                HEAD + STRATUM.replace("haystacks: 2", "haystacks: 99999").replace("questions: 6", "questions: 99999"),
                "strata",
                "allowed: at most");
    }

    @Test
    void aModelWithoutSelectionHasNoBudget() {
        Suite edges = BuiltInSuites.find("edges").orElseThrow();

        assertThatThrownBy(() -> edges.cells(new Edges(128, 0), List.of(1L)))
                .hasMessage("A length is budget-1, but the model has no selection and thus no budget.");
        assertThatThrownBy(() -> edges.cells(new Edges(1, 256), List.of(1L)))
                .hasMessage("A length is window-1, which is 0 tokens for this model; allowed: 1 to 4194304.");
    }

    @Test
    void someStrataCanBeAskedAlone() {
        Suite sweep = BuiltInSuites.find("sweep").orElseThrow();

        Suite some = sweep.only(Set.of("4K tokens"));

        assertThat(some.cells(EDGES, List.of(1L))).hasSize(128).isSubsetOf(sweep.cells(EDGES, List.of(1L)));
        assertThatThrownBy(() -> sweep.only(Set.of("5K tokens"))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theHashIsThatOfTheGrid() {
        Suite suite = read(HEAD + STRATUM);

        assertThat(suite.hash())
                .matches("[0-9a-f]{64}")
                .isEqualTo(read((HEAD + STRATUM).replace("own", "other").replace("version: 3", "version: 4"))
                        .hash())
                .isNotEqualTo(read(HEAD + STRATUM.replace("600", "601")).hash());
    }

    private static void assertRefused(String document, String field, String allowed) {
        assertThatThrownBy(() -> read(document))
                .as(document)
                .isInstanceOfSatisfying(DocumentException.class, refused -> assertThat(refused.field())
                        .isEqualTo(field))
                .hasMessageContaining(allowed);
    }

    private static Suite read(String document) {
        return SuiteYaml.read(document.getBytes(StandardCharsets.UTF_8));
    }
}
