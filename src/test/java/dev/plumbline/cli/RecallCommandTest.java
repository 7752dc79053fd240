package dev.plumbline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command from its arguments to its page. */
class RecallCommandTest {
    private static final String SUITE = """
            name: little
            version: 3
            strata:
              - {name: short, task: multikey, lengths: [420], placements: [start], haystacks: 2, questions: 2}
              - {name: in the window, required: false, task: single, lengths: [338], placements: [in-window], haystacks: 1, questions: 1}
            """;

    @TempDir
    Path folder;

    private Path suite;

    @BeforeEach
    void writeSuite() throws IOException {
        suite = Files.writeString(folder.resolve("little.yaml"), SUITE);
    }

    @Test
    void asksEveryConfigAndGoesOnWhereACallBeforeEnded() throws IOException {
        Path json = folder.resolve("recall.json");

        // when a call has no time, and the next one has
        Invocation first =
                recall("--configs", "baseline,index_topk=1", "--json", json.toString(), "--limit-seconds", "0");
        Invocation second = recall("--configs", "baseline,index_topk=1", "--json", json.toString());
        Invocation third = recall("--configs", "baseline,index_topk=1", "--json", json.toString());

        // then
        assertThat(first.err()).isEmpty();
        assertThat(first.status()).isEqualTo(4);
        assertThat(first.out()).contains("0 of 15 cells are done.");
        assertThat(second.status()).isZero();
        assertThat(second.out())
                .containsPattern("baseline@1 +100.0 % +100.0 % +\\d+\\.\\d s\n")
                .containsPattern("baseline@1 again +short +100.0 % +51.0 % to 100.0 % +4 +0 +0 +0 ")
                .containsPattern("index_topk=1 +in the window \\(shown only\\) ")
                .contains("15 of 15 cells are done.");
        assertThat(third.out()).as("nothing is asked twice").isEqualTo(second.out());
        assertThat(Files.list(folder)).containsExactlyInAnyOrder(json, suite);
    }

    @Test
    void printsThePageOfWhatWasKept() throws IOException {
        Path json = folder.resolve("recall.json");
        Path page = folder.resolve("recall.md");
        recall("--configs", "baseline", "--json", json.toString());

        Invocation rendered =
                Invocation.of("recall", "--render", json.toString(), json.toString(), "--out", page.toString());

        assertThat(rendered.err()).isEmpty();
        assertThat(rendered.status()).isZero();
        assertThat(Files.readString(page))
                .startsWith("# Recall by length and run config\n")
                .contains("- backend: cpu", "- suite: little/3, seeds 1", "| baseline@1 again | short | 100.0 % |");
    }

    @Test
    void aFileOfSomethingElseIsNotGoneOnWith() throws IOException {
        Path json = folder.resolve("recall.json");
        recall("--configs", "baseline", "--json", json.toString(), "--limit-seconds", "0");
        Files.writeString(folder.resolve("other.json"), "{}");
        recall("--configs", "baseline", "--json", json.toString());

        Invocation seeds = recall("--configs", "baseline", "--json", json.toString(), "--seeds", "2");
        Invocation other = recall(
                "--configs", "baseline", "--json", folder.resolve("other.json").toString());

        assertThat(seeds.err()).contains("recall.json is of other cells (little/3, seeds [1]); give another file");
        assertThat(other.err()).contains("other.json: it is no measurement");
        assertThat(seeds.status()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--suite riddle | --suite riddle: no such suite comes with the program; allowed are smoke/1, sweep/1",
                "--suite no.yaml | --suite no.yaml: cannot be read (NoSuchFileException)",
                "--configs fast | --configs fast: no such run config; allowed are FILE.yaml, FLAG=VALUE",
                "--configs index_topk=0 | --configs index_topk=0: index_topk is 0; allowed: ",
                "--configs baseline,baseline | --configs names one run config twice",
                "--parallel 0 | --parallel 0: allowed are 1 and more",
                "--lengths 0 | --lengths: 0 is no length; allowed are 1 and more",
                "--json /no/x.json | --json /no/x.json: folder /no does not exist",
                "--out /no/x.md | --out /no/x.md: folder /no does not exist"
            })
    void aWrongArgumentIsRefusedByNameWithWhatIsAllowed(String arguments, String message) {
        Invocation recall = Invocation.of(("recall " + arguments).split(" "));

        assertThat(recall.err()).startsWith("plumbline: ").contains(message);
        assertThat(recall.status()).isEqualTo(2);
        assertThat(recall.out()).isEmpty();
    }

    private Invocation recall(String... arguments) {
        List<String> all = new ArrayList<>(List.of(
                "recall", "--backend", "cpu", "--threads", "2", "--max-context", "1024", "--suite", suite.toString()));
        all.addAll(List.of(arguments));
        return Invocation.of(all.toArray(String[]::new));
    }
}
