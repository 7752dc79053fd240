package dev.plumbline.gpucheck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.kernel.Fault;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.reference.ReferenceKernels;
import dev.plumbline.model.Checkpoint;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The check of a GPU itself, tried without one: it finds a fault, in the rows of the value that has it. */
class FlagRowsTest {
    private static final int DECODED = 8;

    @TempDir
    Path folder;

    @Test
    void aBackendThatIsRightPassesEveryRow() throws IOException {
        List<JsonNode> rows = rows(new ReferenceKernels(2));

        assertThat(rows.stream().filter(row -> !row.get("pass").asBoolean())).isEmpty();
        assertThat(rows)
                .extracting(row -> row.get("name").asString())
                .contains(
                        "flags.v4_tiny.fp32_all.logits_nmse",
                        "flags.v4_tiny.index_key_dtype=mxfp4.logits_nmse",
                        "flags.v4_tiny.index_topk=3.selections",
                        "flags.v4_tiny.kv_dtype=fp8.variants",
                        "flags.v4_tiny.everything_reduced.logits_nmse");
    }

    @Test
    void aFaultInOneVariantFailsTheRowsOfItsValue() throws IOException {
        List<JsonNode> rows = rows(Fault.in("attention.kv_fp8.java", new ReferenceKernels(2)));

        assertThat(rows.stream().filter(row -> !row.get("pass").asBoolean()))
                .extracting(row -> row.get("name").asString())
                .containsExactly("flags.v4_tiny.kv_dtype=fp8.logits_nmse");
    }

    @Test
    void aSelectionThatIsNotTheHighestScoresIsNoTie() throws IOException {
        List<JsonNode> rows = rows(Fault.in("topk.sort.java", new ReferenceKernels(2)));

        assertThat(rows.stream().filter(row -> !row.get("pass").asBoolean()))
                .extracting(row -> row.get("name").asString())
                .contains("flags.v4_tiny.topk_backend=sort.selections")
                .allMatch(name -> name.contains("topk_backend=sort"));
    }

    private List<JsonNode> rows(Kernels tested) throws IOException {
        CheckReport report =
                new CheckReport(folder, new LinkedHashMap<>(), new PrintStream(OutputStream.nullOutputStream()));
        try (tested;
                Kernels expected = new ReferenceKernels(2);
                Checkpoint checkpoint = Checkpoint.open(Path.of("src/test/resources/golden/v4-tiny"))) {
            int[] ids = new Random(1).ints(150, 2, 128).toArray();
            new FlagRows(report, tested, expected).run("v4_tiny", checkpoint, ids, DECODED);
        }
        JsonNode written = JsonMapper.shared().readTree(Files.readString(folder.resolve("gpu-check.json")));
        return StreamSupport.stream(written.get("rows").spliterator(), false).toList();
    }
}
