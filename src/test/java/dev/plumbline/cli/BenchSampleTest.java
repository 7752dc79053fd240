package dev.plumbline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.plumbline.engine.FinishReason;
import dev.plumbline.recall.Reply;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BenchSampleTest {

    @Test
    void oneSequenceIsTimedFromItsPromptAndFromItsFirstToken() {
        BenchSample sample = BenchSample.of(List.of(reply(1000, 0, 500, 510, 520)));

        assertThat(sample.ttftMs()).isEqualTo(500);
        assertThat(sample.prefillTokS()).isEqualTo(2000);
        assertThat(sample.decodeTokS()).isCloseTo(100, within(1e-9));
    }

    @Test
    void ofABatchOnlyTheTimeCountsInWhichAllDecode() {
        BenchSample sample =
                BenchSample.of(List.of(reply(1000, 0, 500, 900, 1010, 1020, 1030), reply(1000, 0, 1000, 1010, 1020)));

        assertThat(sample.prefillTokS()).isEqualTo(2000);
        assertThat(sample.decodeTokS()).isCloseTo(200, within(1e-9));
        assertThat(sample.ttftMs()).isEqualTo(750);
    }

    @Test
    void aRowTellsTheMedians() {
        List<BenchSample> runs =
                List.of(new BenchSample(10, 5, 1), new BenchSample(30, 1, 2), new BenchSample(20, 9, 9));

        BenchRow row = BenchRow.of(1024, 1, runs, OptionalLong.empty());

        assertThat(row.prefillTokS()).isEqualTo(20);
        assertThat(row.decodeTokS()).isEqualTo(5);
        assertThat(row.ttftMs()).isEqualTo(2);
        assertThat(row.peakPssMb()).isNull();
        assertThat(BenchRow.of(1, 1, runs.subList(0, 2), OptionalLong.of(7)).prefillTokS())
                .isEqualTo(20);
    }

    @Test
    void answersAreLongEnoughForTheWholeBatchToDecodeAtOnce() {
        assertThat(BenchRun.answerTokens(1024, 1, 512)).isEqualTo(65);
        assertThat(BenchRun.answerTokens(1025, 8, 512)).isEqualTo(65 + 7 * 4);
    }

    /** Times in milliseconds. */
    private static Reply reply(int promptTokens, long submitted, long... tokens) {
        long[] nanos = LongStream.of(tokens).map(at -> at * 1_000_000).toArray();
        return new Reply(
                promptTokens,
                new int[tokens.length],
                FinishReason.LENGTH,
                submitted * 1_000_000,
                nanos,
                nanos[nanos.length - 1],
                List.of());
    }
}
