package dev.plumbline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
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
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The command from its arguments to its exit status. What it says of the embedded models is {@code NeedleMiniGateTest}'s. */
class GateCommandTest {
    @TempDir
    Path folder;

    private Path suite;

    @BeforeEach
    void writeSuite() throws IOException {
        suite = Files.writeString(folder.resolve("little.yaml"), """
                name: little
                version: 3
                strata:
                  - {name: short, task: multikey, lengths: [420], placements: [start], haystacks: 2, questions: 2}
                """);
    }

    @Test
    void tooFewCellsAreNotEnoughEvidenceAndTheReportsSayWhy() throws IOException {
        // given
        Path config = Files.writeString(folder.resolve("mine.yaml"), "name: mine\nprofile:\n  index_key_dtype: fp8\n");
        Path junit = folder.resolve("gate.xml");
        Path json = folder.resolve("gate.json");
        Path report = folder.resolve("gate.md");

        // when
        Invocation gate = gate(
                "--baseline",
                "baseline",
                "--candidate",
                config.toString(),
                "--junit",
                junit.toString(),
                "--json",
                json.toString(),
                "--report",
                report.toString());

        // then
        assertThat(gate.err()).isEmpty();
        assertThat(gate.status()).isEqualTo(2);
        assertThat(gate.out())
                .containsPattern("short +4 +100.0 % +\\S+ % +\\d +0 +.* 0/4 +no\n")
                .contains("\nNOT ENOUGH EVIDENCE: In short only 4 of 4 cells have an answer on both sides");
        assertThat(Files.readString(junit)).contains("<error ", "NOT ENOUGH EVIDENCE", "mine@file-");
        JsonNode document = JsonMapper.shared().readTree(Files.readString(json));
        assertThat(document.path("verdict").asString()).isEqualTo("NOT ENOUGH EVIDENCE");
        assertThat(document.path("notes")).as("noise was measured").isEmpty();
        assertThat(Files.readString(report)).contains("./plumbline gate --backend cpu", "--candidate " + config);
        assertThat(Files.list(folder)).containsExactlyInAnyOrder(suite, config, junit, json, report);
    }

    @Test
    void withADataFolderNamesAreThoseOfTheDatabase() {
        Path data = folder.resolve("data");

        Invocation unknown = gate("--data", data.toString(), "--baseline", "baseline", "--candidate", "basline");

        assertThat(unknown.err()).contains("No run config 'basline' exists; near it are: baseline");
        assertThat(unknown.status()).isEqualTo(3);
        assertThat(unknown.out()).isEmpty();
    }

    @Test
    void anInterruptionIsNoVerdictAndLeavesNoFiles() throws Exception {
        // given a gate of its own that has a minute to go
        Path report = folder.resolve("gate.md");
        Process gate = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "gate",
                        "--model",
                        "needle-mini-cone",
                        "--suite",
                        "sweep",
                        "--baseline",
                        "baseline",
                        "--candidate",
                        "fp8-index",
                        "--report",
                        report.toString())
                .redirectErrorStream(true)
                .start();
        try (BufferedReader said = gate.inputReader()) {
            // when it has loaded the model and is told to end. Ctrl-C does the same, but a shell that runs the tests in
            // the background lets every process below it ignore that signal.
            assertThat(said.readLine()).startsWith("needle-mini-cone: ");
            gate.toHandle().destroy();

            // then
            assertThat(said.lines()).anyMatch(line -> line.contains("interrupted; there is no verdict"));
            assertThat(gate.waitFor()).isEqualTo(3);
            assertThat(Files.list(folder)).containsExactly(suite);
        } finally {
            gate.destroyForcibly();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--baseline baseline | Missing required option: '--candidate=CONFIG'",
                "--baseline baseline --candidate fast | --candidate fast: no such run config; allowed are FILE.yaml",
                "--baseline index_topk=0 --candidate baseline | --baseline index_topk=0: index_topk is 0; allowed: ",
                "--baseline baseline --candidate baseline --margin 5 | --margin: margin is 5.0; allowed: 0.001 to 0.5",
                "--baseline baseline --candidate baseline --seeds 1,1 | --seeds [1, 1]: allowed are different ones",
                "--baseline baseline --candidate baseline --parallel 0 | --parallel 0: allowed are 1 and more",
                "--baseline baseline --candidate baseline --junit /no/x.xml | --junit /no/x.xml: folder /no does not exist",
                "--baseline baseline --candidate baseline --margin abc | --margin abc: cannot be read; allowed is SHARE: Loss that"
                        + " is still accepted, 0.001 to 0.5 (default: 0.05",
                "--baseline baseline --candidate baseline --seeds 1,x | --seeds x: cannot be read; allowed is N: Every seed",
                "--baseline no.yaml --candidate baseline | plumbline: --baseline: the file no.yaml cannot be read; allowed: a",
                "--baseline baseline --candidate baseline --junit /proc/x.xml | --junit /proc/x.xml: no file can be made in",
                "--baseline baseline --candidate baseline --what | Unknown option: '--what'",
                "--baseline baseline --candidate baseline --model nobody | nobody",
                "--baseline baseline --candidate kv_dtype=fp9 | kv_dtype is fp9; allowed: fp32, bf16, fp8",
                "--baseline baseline --candidate baseline --server http://127.0.0.1:1 | --backend and --server exclude each other"
            })
    void whatIsWrongIsNamedAndIsNoVerdict(String arguments, String message) {
        Invocation gate = gate(arguments.split(" "));

        assertThat(gate.err()).contains(message);
        assertThat(gate.status()).isEqualTo(3);
        assertThat(gate.out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--suite riddle | --suite riddle: no such suite comes with the program",
                "--suite smoke/99 | --suite smoke/99: no such suite",
                "--suite no.yaml | --suite no.yaml: cannot be read",
                "--suite smoke --server http://127.0.0.1:1 --key k | no server answers at http://127.0.0.1:1",
                "--suite x.yaml --server http://127.0.0.1:1 --key k | --suite x.yaml: cannot be read",
                "--suite smoke --server nonsense --key k | --server nonsense: allowed is a URL such as http://127.0.0.1:8000",
                "--suite smoke --server file:///x --key k | --server file:///x: allowed is a URL"
            })
    void aSuiteThatCannotBeAskedIsNoVerdict(String arguments, String message) {
        List<String> all = new ArrayList<>(List.of("gate", "--baseline", "baseline", "--candidate", "fp8-index"));
        all.addAll(List.of(arguments.split(" ")));

        Invocation gate = Invocation.of(all.toArray(String[]::new));

        assertThat(gate.err()).contains(message);
        assertThat(gate.status()).isEqualTo(3);
    }

    private Invocation gate(String... arguments) {
        List<String> all =
                new ArrayList<>(List.of("gate", "--backend", "cpu", "--threads", "2", "--suite", suite.toString()));
        if (!List.of(arguments).contains("--max-context")) {
            all.addAll(List.of("--max-context", "1024"));
        }
        all.addAll(List.of(arguments));
        return Invocation.of(all.toArray(String[]::new));
    }
}
