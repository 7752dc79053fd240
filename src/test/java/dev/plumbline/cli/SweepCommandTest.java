package dev.plumbline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.model.TinyModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The command from its arguments to its report, on a model with random weights: every cell fails, but all are asked. */
class SweepCommandTest {
    @TempDir
    static Path model;

    @TempDir
    Path folder;

    @BeforeAll
    static void writeModel() throws IOException {
        TinyModel.write(model);
    }

    @Test
    void printsRecallByLengthAndDepthWithItsUncertainty() {
        Invocation sweep =
                sweep("--file", "LICENSE", "--lengths", "338,512", "--depths", "start,25%", "--needles", "2");

        assertThat(sweep.err()).isEmpty();
        assertThat(sweep.status()).isZero();
        assertThat(sweep.out())
                .contains("file", "LICENSE", "backend", "reference", "index_topk", "8")
                .containsPattern("length +start +25% +recall +95 % interval +n +prefill tok/s")
                .containsPattern("338 +0/2 +0/2 +0.0 % +0.0 % to 49.0 % +4 +\\d+")
                .containsPattern("512 +0/2 +0/2")
                .containsPattern("all +0.0 % +0.0 % to 32.4 % +8\n")
                .contains("8 missed:");
    }

    @Test
    void writesEveryCellAsJsonAndTheGridAsCsv() throws IOException {
        Path json = folder.resolve("sweep.json");
        Path csv = folder.resolve("sweep.csv");

        assertThat(sweep("--file", "LICENSE", "--lengths", "400", "--needles", "1", "--out", json.toString())
                        .status())
                .isZero();
        Invocation table = sweep(
                "--file",
                "LICENSE",
                "--lengths",
                "400",
                "--needles",
                "1",
                "--index-topk",
                "3",
                "--out",
                csv.toString());

        JsonNode document = JsonMapper.builder().build().readTree(Files.readString(json));
        assertThat(document.get("cells")).hasSize(3);
        assertThat(document.get("cpu_model").stringValue()).isNotBlank();
        assertThat(document.get("date").stringValue()).startsWith("20");
        assertThat(document.get("commit").stringValue()).isNotBlank();
        assertThat(document.at("/cells/0/length").intValue()).isEqualTo(400);
        assertThat(document.at("/cells/0/expected/0").stringValue()).isNotBlank();
        assertThat(document.at("/summary/2/depth").stringValue()).isEqualTo("end");
        assertThat(Files.readAllLines(csv))
                .hasSize(4)
                .element(1)
                .asString()
                .startsWith("single,400,start,3,0,1,0.0000,")
                .endsWith("\"");
        assertThat(table.out()).contains("length", "Written to " + csv);
        assertThat(Files.list(folder)).containsExactlyInAnyOrder(json, csv);
        Path ordinary = Files.createFile(folder.resolve("ordinary"));
        assertThat(Files.getPosixFilePermissions(csv)).isEqualTo(Files.getPosixFilePermissions(ordinary));
    }

    @Test
    void theReportOnStandardOutputCanBeJsonAlone() {
        Invocation sweep = sweep("--file", "LICENSE", "--lengths", "400", "--needles", "1", "--format", "json");

        assertThat(JsonMapper.builder()
                        .build()
                        .readTree(sweep.out())
                        .get("family")
                        .stringValue())
                .isEqualTo("single");
    }

    @Test
    void everyTaskFamilyCanBeSwept() {
        Invocation sweep = sweep(
                "--file",
                "LICENSE",
                "--lengths",
                "2000",
                "--needles",
                "1",
                "--depths",
                "0.5",
                "--task",
                "earlier-turn");

        assertThat(sweep.err()).isEmpty();
        assertThat(sweep.out()).contains("earlier-turn/2000/0.5/1");
    }

    @Test
    void aShortFileIsSaidToHaveBeenRepeated() throws IOException {
        Path file = Files.writeString(folder.resolve("short.txt"), "A single line.\n");

        Invocation sweep = sweep("--file", file.toString(), "--lengths", "600", "--needles", "1", "--depths", "end");

        assertThat(sweep.out()).containsPattern("The text was repeated up to \\d\\d times");
    }

    @Test
    void aDepthSpelledTwiceIsAskedOnce() {
        Invocation sweep =
                sweep("--file", "LICENSE", "--lengths", "400", "--needles", "1", "--depths", "middle,0.5,50%");

        assertThat(sweep.out()).containsPattern("length +middle +recall").contains("1 missed:");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--needles 0 | --needles 0: allowed are 1 and more",
                "--depths start,bottom | --depths: bottom is no depth; allowed: start, middle, end, a fraction",
                "--depths 1.5 | --depths: 1.5 is no depth",
                "--lengths 20 | --lengths: a single prompt of 20 tokens is too short: needles and question alone take",
                "--lengths 0 | --lengths 0: allowed are 1 to 8064, the context of 8192 tokens less 128 for the answer",
                "--lengths 9000 | --lengths 9000: allowed are 1 to 8064",
                "--lengths abc | --lengths abc: cannot be read; allowed is N: Tokens of the whole prompt, met exactly",
                "--task riddle | --task: riddle is no task family; allowed: single, many-keys, several-values",
                "--format xml | --format: xml is no format; allowed: table, csv, json",
                "--out /no/such/folder/x.csv | --out /no/such/folder/x.csv: folder /no/such/folder does not exist",
                "--what | Unknown option: '--what'"
            })
    void aWrongArgumentIsRefusedByNameWithWhatIsAllowed(String arguments, String message) {
        Invocation sweep = sweep(("--file LICENSE --lengths 400 " + arguments).split(" "));

        assertThat(sweep.err()).startsWith("plumbline: ").contains(message);
        assertThat(sweep.status()).isEqualTo(2);
        assertThat(sweep.out()).isEmpty();
    }

    @Test
    void aFileThatIsNoTextIsRefused() throws IOException {
        Path empty = Files.createFile(folder.resolve("empty.txt"));
        Path binary = Files.write(folder.resolve("binary"), new byte[] {1, 2, 0, 3});
        Path latin = Files.write(folder.resolve("latin1.txt"), new byte[] {'a', (byte) 0xE9, 'b'});

        assertThat(refusalOf(folder.resolve("missing.txt"))).contains("--file: ", "missing.txt does not exist");
        assertThat(refusalOf(folder)).contains("is no file");
        assertThat(refusalOf(empty)).contains("empty.txt holds no text");
        assertThat(refusalOf(binary)).contains("binary is no text: a NUL byte stands at character 2");
        assertThat(refusalOf(latin)).contains("latin1.txt is no UTF-8 text");
    }

    private static String refusalOf(Path file) {
        Invocation sweep = sweep("--file", file.toString());
        assertThat(sweep.status()).isEqualTo(2);
        return sweep.err();
    }

    private static Invocation sweep(String... arguments) {
        return Invocation.onReference("sweep", model, arguments);
    }
}
