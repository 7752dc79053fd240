package dev.plumbline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.model.TinyModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VerifyCommandTest {
    @TempDir
    static Path folder;

    private static Path model;

    @BeforeAll
    static void writeModel() throws IOException {
        model = TinyModel.write(Files.createDirectory(folder.resolve("tiny")));
    }

    @Test
    void keepsTheRowsItHasAndAddsTheMissingOnes() throws IOException {
        Path measured = folder.resolve("measured");
        Invocation first = verify(measured, "--families", "single", "--lengths", "500");
        String kept = Files.readString(measured.resolve("recall-tiny.json"));

        Invocation second = verify(measured, "--families", "single,absent", "--lengths", "500,1000");

        assertThat(first.status()).isZero();
        assertThat(second.status()).isZero();
        assertThat(second.out())
                .containsPattern("single +500 +8 +0.0 % +0.0 % to 49.0 % +4 +- +-")
                .containsPattern("absent +1000 +8");
        String json = Files.readString(measured.resolve("recall-tiny.json"));
        String date = kept.replaceAll("(?s).*(\"date\" : \"[^\"]+\").*", "$1");
        assertThat(json).contains(date).contains("model_hash").hasLineCount(json.split("\n").length);
        assertThat(Files.readString(measured.resolve("recall-tiny.md"))).contains("| single | 500 | 8 | 0.0 % |");
    }

    @Test
    void anotherSeedStartsAReportOfItsOwn() throws IOException {
        Path measured = folder.resolve("seeds");
        verify(measured, "--families", "single,absent", "--lengths", "600");

        verify(measured, "--families", "single", "--lengths", "600", "--seed", "9");

        assertThat(Files.readString(measured.resolve("recall-tiny.md")))
                .contains("| single |", "seed: 9")
                .doesNotContain("| absent |");
    }

    @Test
    void lengthsLeaveRoomForAWholeAnswer() {
        Invocation verify = verify(folder, "--lengths", "8100");

        assertThat(verify.status()).isEqualTo(2);
        assertThat(verify.err()).contains("--lengths 8100: allowed are 1 to 8064");
    }

    @Test
    void keepingAndMeasuringAfreshExcludeEachOther() {
        assertThat(verify(folder, "--fresh", "--keep").err()).contains("--fresh and --keep exclude each other");
    }

    @Test
    void anUnknownFamilyIsRefused() {
        Invocation verify = verify(folder, "--families", "riddle");

        assertThat(verify.status()).isEqualTo(2);
        assertThat(verify.err()).contains("--families: riddle is no task family; allowed: single");
    }

    private static Invocation verify(Path out, String... arguments) {
        String[] all = Arrays.copyOf(arguments, arguments.length + 4);
        all[arguments.length] = "--cells";
        all[arguments.length + 1] = "4";
        all[arguments.length + 2] = "--out";
        all[arguments.length + 3] = out.toString();
        return Invocation.onReference("verify", model, all);
    }
}
