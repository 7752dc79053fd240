package dev.plumbline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.plumbline.engine.FinishReason;
import dev.plumbline.model.TinyModel;
import dev.plumbline.recall.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class BenchTraceCommandTest {

    @Test
    void measuresEveryKindOfTraceAgainstNone(@TempDir Path model, @TempDir Path folder) throws IOException {
        TinyModel.write(model);
        Path out = folder.resolve("trace.json");

        Invocation bench = Invocation.onReference(
                "bench-trace", model, "--lengths", "400", "--runs", "2", "--out", out.toString());

        assertThat(bench.err()).isEmpty();
        assertThat(bench.status()).isZero();
        assertThat(bench.out()).containsPattern("400 +answer +×\\d\\.\\d+ +×\\d\\.\\d+ +×\\d\\.\\d+ +×\\d\\.\\d+ +2");
        JsonNode report = JsonMapper.builder().build().readTree(Files.readString(out));
        assertThat(report.get("results"))
                .extracting(row -> row.get("queries").stringValue())
                .containsExactly("answer", "last", "question", "all");
        assertThat(report.get("results"))
                .allSatisfy(
                        row -> assertThat(row.get("total_ratio").doubleValue()).isPositive());
        assertThat(report.at("/about/backend").stringValue()).isEqualTo("reference");
    }

    @Test
    void ratiosAreMediansOfRounds() {
        List<TraceCost.Run> plain = List.of(reply(10, 110), reply(20, 120), reply(10, 60));
        List<TraceCost.Run> traced = List.of(reply(11, 211), reply(40, 190), reply(10, 110));

        TraceCost cost = TraceCost.of(100, TracedQueries.LAST, plain, traced);

        assertThat(cost.prefillRatio()).isCloseTo(1.1, within(1e-9));
        assertThat(cost.decodeRatio()).isCloseTo(2, within(1e-9));
        assertThat(cost.totalRatio()).isCloseTo(110.0 / 60, within(1e-9));
        assertThat(cost.cpuRatio()).isCloseTo(110.0 / 60, within(1e-9));
        assertThat(cost.rounds()).isEqualTo(3);
    }

    @Test
    void wrongArgumentsAreRefusedByName(@TempDir Path model) throws IOException {
        TinyModel.write(model);
        assertThat(Invocation.onReference("bench-trace", model, "--runs", "0").err())
                .contains("--runs 0: allowed are 1 and more");
        assertThat(Invocation.onReference("bench-trace", model, "--lengths", "9000")
                        .err())
                .contains("--lengths 9000: allowed are 1 to");
    }

    /** Milliseconds from the prompt to the first token and to the last. */
    private static TraceCost.Run reply(long first, long last) {
        long[] nanos = {first * 1_000_000, last * 1_000_000};
        Reply reply = new Reply(100, new int[2], FinishReason.LENGTH, 0, nanos, nanos[1], List.of());
        return new TraceCost.Run(reply, last * 3);
    }
}
