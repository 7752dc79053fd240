package dev.plumbline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.precision.PartialProfile;
import dev.plumbline.target.TargetOptions;
import dev.plumbline.testing.TestDatabase;
import dev.plumbline.testing.TestServer;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The gate that lets a server ask. */
class ServerGateTest {
    private static final String SUITE = """
            {"name": "little", "strata": [{"name": "short", "task": "multikey", "lengths": [420], "placements": ["start"],
             "haystacks": 2, "questions": 2}]}
            """;

    private static TestServer server;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() throws Exception {
        server = TestServer.loading(TestDatabase.named(TestDatabase.create()), TestServer.KEY);
        server.load(new TargetOptions("needle-mini", "cpu", 2, 1024, 4, 16, PartialProfile.empty()));
        assertThat(server.send(server.request("/api/suites")
                                .header("Content-Type", "application/json")
                                .POST(BodyPublishers.ofString(SUITE)))
                        .statusCode())
                .isEqualTo(200);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void tellsTheServersVerdictAndBringsItsReports() throws Exception {
        // given
        Path junit = folder.resolve("gate.xml");
        Path json = folder.resolve("gate.json");
        Path report = folder.resolve("gate.md");

        // when
        Invocation gate = gate(
                "--suite",
                "little",
                "--candidate",
                "fp8-index",
                "--margin",
                "0.1",
                "--junit",
                junit.toString(),
                "--json",
                json.toString(),
                "--report",
                report.toString());

        // then
        assertThat(gate.err())
                .contains("The server compares as /api/comparisons/")
                .doesNotContain("plumbline:");
        assertThat(gate.status()).isEqualTo(2);
        assertThat(gate.out()).startsWith("NOT ENOUGH EVIDENCE: In short only 4 of 4 cells");
        assertThat(Files.readString(junit)).contains("<testsuites", "NOT ENOUGH EVIDENCE");
        assertThat(Files.readString(json)).contains("\"margin\" : 0.1");
        assertThat(Files.readString(report)).startsWith("# NOT ENOUGH EVIDENCE");
        assertThat(Files.list(folder)).containsExactlyInAnyOrder(junit, json, report);
    }

    @Test
    void filesAreSavedOnTheServerAsVersionsOfTheirNamesAndCompared() throws Exception {
        // given
        Path suite = Files.writeString(folder.resolve("mine.yaml"), """
                name: mine
                version: 1
                strata:
                  - {name: short, task: multikey, lengths: [420], placements: [start], haystacks: 1, questions: 2}
                """);
        Path config =
                Files.writeString(folder.resolve("c.yaml"), "name: of-a-file\nprofile:\n  index_key_dtype: fp8\n");

        // when
        Invocation gate = gate("--suite", suite.toString(), "--candidate", config.toString());

        // then
        assertThat(gate.err())
                .contains(suite + " is mine/1 on the server", config + " is of-a-file@1 on the server")
                .doesNotContain("plumbline:");
        assertThat(gate.status()).isEqualTo(2);

        // when it is done again, then nothing new is saved
        assertThat(gate("--suite", suite.toString(), "--candidate", config.toString(), "--key", "wrong")
                        .status())
                .isEqualTo(3);
        assertThat(gate("--suite", suite.toString(), "--candidate", config.toString())
                        .err())
                .contains("is mine/1 on", "is of-a-file@1 on");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--suite nobodys --candidate fp8-index | the server answered 404: ",
                "--suite little --candidate nobodys | the server answered 404: ",
                "--suite little --candidate fp8-index --key wrong | the server answered 401: "
            })
    void whatTheServerRefusesIsNoVerdict(String arguments, String message) {
        Invocation gate = gate(arguments.split(" "));

        assertThat(gate.err()).contains(message);
        assertThat(gate.status()).isEqualTo(3);
        assertThat(gate.out()).isEmpty();
    }

    private static Invocation gate(String... arguments) {
        List<String> all = new ArrayList<>(List.of("gate", "--server", server.url(), "--baseline", "baseline"));
        if (!List.of(arguments).contains("--key")) {
            all.addAll(List.of("--key", TestServer.KEY));
        }
        all.addAll(List.of(arguments));
        return Invocation.of(all.toArray(String[]::new));
    }
}
