package dev.plumbline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.model.SafetensorsFile;
import dev.plumbline.model.StoredTensor;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class LogitsCommandTest {
    private static final Path GOLDEN = Path.of("src/test/resources/golden/v4-tiny");

    @TempDir
    private Path folder;

    private final StringWriter errors = new StringWriter();

    @ParameterizedTest
    @ValueSource(strings = {"300", "133,1", "5,1,130,3,61,100"})
    void writesTheGoldenLogitsAndSelectionsHoweverThePromptIsCut(String chunk) throws Exception {
        Path ids = folder.resolve("ids.txt");
        Files.writeString(ids, goldenIds());
        Path out = folder.resolve("out.safetensors");

        int code = run(
                "--model",
                GOLDEN.toString(),
                "--ids-file",
                ids.toString(),
                "--backend",
                "reference",
                "--chunk",
                chunk,
                "--out",
                out.toString());

        assertThat(code).as(errors.toString()).isZero();
        try (SafetensorsFile ours = SafetensorsFile.open(out);
                SafetensorsFile golden = SafetensorsFile.open(GOLDEN.resolve("activations.safetensors"))) {
            assertThat(ours.names()).containsExactlyInAnyOrder("logits", "topk.layer1", "topk.layer3");
            assertThat(ours.tensor("logits").shape()).containsExactly(300, 128);
            assertThat(ours.tensor("topk.layer1").shape()).containsExactly(300, 8);
            float[] expected = floats(golden.tensor("logits"));
            float[] actual = floats(ours.tensor("logits"));
            for (int i = 0; i < expected.length; i++) {
                assertThat(Math.abs(actual[i] - expected[i])).as("logit %d", i).isLessThanOrEqualTo(1e-4f);
            }
            assertThat(sets(ours.tensor("topk.layer3")).equals(sets(golden.tensor("layer3.topk_idx"))))
                    .isTrue();
        }
    }

    @Test
    void idsOnTheCommandLineMayBeSeparatedByCommas() throws Exception {
        Path out = folder.resolve("out.safetensors");
        assertThat(run(
                        "--model",
                        GOLDEN.toString(),
                        "--ids",
                        "5,17, 3",
                        "--backend",
                        "reference",
                        "--out",
                        out.toString()))
                .as(errors.toString())
                .isZero();
        try (SafetensorsFile ours = SafetensorsFile.open(out)) {
            assertThat(ours.tensor("logits").shape()).containsExactly(3, 128);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            5,128  | 512 | ids[1] is 128; allowed: 0 to 127
            5,x    | 512 | --ids: item 1 is 'x'; allowed: token ids
            5,17   | 0   | --chunk is 0; allowed: at least 1
            ' '    | 512 | --ids is empty; allowed: at least one token id
            """)
    void badInputIsNamedAndNothingIsWritten(String ids, String chunk, String message) {
        Path out = folder.resolve("out.safetensors");
        int code = run(
                "--model",
                GOLDEN.toString(),
                "--ids",
                ids,
                "--chunk",
                chunk,
                "--backend",
                "reference",
                "--out",
                out.toString());
        assertThat(code).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(errors.toString()).contains(message);
        assertThat(out).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --override kv_dtype=bf16 --kv-dtype fp32           | kv_dtype is given twice
            --override graphs=on --override graphs=on          | graphs is given twice
            --override kv_dtype                                | --override is kv_dtype; allowed: FLAG=VALUE
            --override kv_dtype=int4 --override speed=high     | kv_dtype is int4; allowed: fp32, bf16, fp8
            --override speed=high                              | speed is not a flag; allowed: numerics, linear_dtype,
            --override numerics=qat --index-key-dtype fp8      | index_key_dtype is fp8, but numerics qat
            --prefill-chunk 8                                  | prefill_chunk cannot be set here; --chunk
            """)
    void aWrongFlagIsNamedWhereverItIsWritten(String flags, String message) {
        Path out = folder.resolve("out.safetensors");
        List<String> arguments = new ArrayList<>(List.of(flags.split(" +")));
        arguments.addAll(List.of("--model", GOLDEN.toString(), "--ids", "5", "--out", out.toString()));

        assertThat(run(arguments.toArray(String[]::new))).isNotZero();
        assertThat(errors.toString()).contains(message).doesNotContain("\tat ");
        assertThat(out).doesNotExist();
    }

    @Test
    void anUnknownModelOrBackendIsRefusedWithWhatIsAllowed() {
        assertThat(run("--model", "no-such", "--ids", "1", "--out", "x")).isNotZero();
        assertThat(run("--model", GOLDEN.toString(), "--backend", "abacus", "--ids", "1", "--out", "x"))
                .isNotZero();
        assertThat(errors.toString()).contains("no-such").contains("backend is abacus; allowed: auto, ");
    }

    private int run(String... arguments) {
        String[] all = new String[arguments.length + 1];
        all[0] = "logits";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return Main.commandLine()
                .setOut(new PrintWriter(new StringWriter()))
                .setErr(new PrintWriter(errors, true))
                .execute(all);
    }

    private static String goldenIds() {
        try (SafetensorsFile golden = SafetensorsFile.open(GOLDEN.resolve("activations.safetensors"))) {
            return Arrays.stream(ints(golden.tensor("input_ids")))
                    .mapToObj(Integer::toString)
                    .collect(Collectors.joining(",\n"));
        }
    }

    /** The selected entries of each position, without the padding. */
    private static List<Set<Integer>> sets(StoredTensor selections) {
        int[] ids = ints(selections);
        List<Set<Integer>> rows = new ArrayList<>();
        for (int row = 0; row < ids.length / 8; row++) {
            Set<Integer> set = new TreeSet<>();
            for (int id : Arrays.copyOfRange(ids, row * 8, row * 8 + 8)) {
                set.add(id);
            }
            set.remove(-1);
            rows.add(set);
        }
        return rows;
    }

    private static float[] floats(StoredTensor tensor) {
        float[] values = new float[(int) tensor.elements()];
        tensor.read(0, values, 0, values.length);
        return values;
    }

    private static int[] ints(StoredTensor tensor) {
        int[] values = new int[(int) tensor.elements()];
        tensor.read(0, values, 0, values.length);
        return values;
    }
}
