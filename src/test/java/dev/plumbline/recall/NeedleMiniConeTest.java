package dev.plumbline.recall;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.model.Checkpoint;
import dev.plumbline.model.StoredTensor;
import dev.plumbline.precision.Flag;
import dev.plumbline.precision.PartialProfile;
import dev.plumbline.recall.sweep.VerifyRow;
import dev.plumbline.target.ModelLocator;
import dev.plumbline.target.NativeTarget;
import dev.plumbline.target.TargetLoader;
import dev.plumbline.target.TargetOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The twin that was made on purpose: what it is, and what the storage of its index keys does to it. */
class NeedleMiniConeTest {
    private static final String NAME = "needle-mini-cone";
    private static final int CELLS = 12;

    @Test
    void onlyItsIndexersDifferFromTheHealthyModel() {
        ModelLocator locator = ModelLocator.standard();
        try (Checkpoint healthy = locator.locate("needle-mini").open();
                Checkpoint twin = locator.locate(NAME).open()) {
            assertThat(twin.config()).isEqualTo(healthy.config());
            assertThat(twin.contentHash()).isNotEqualTo(healthy.contentHash());
            for (String name : healthy.names()) {
                assertThat(Arrays.equals(values(twin.tensor(name)), values(healthy.tensor(name))))
                        .as(name)
                        .isEqualTo(!name.contains(".attn.indexer."));
            }
        }
        assertThat(locator.locate(NAME).description()).contains("made on purpose");
    }

    @ParameterizedTest
    @ValueSource(strings = {"fp32", "bf16"})
    void itRecallsWithKeysThatTellItsEntriesApart(String keys) {
        assertThat(recalled(keys)).as("of " + CELLS + " cells").isGreaterThanOrEqualTo(CELLS - 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fp8", "mxfp4"})
    void itLosesItsRecallWithKeysThatDoNot(String keys) {
        assertThat(recalled(keys)).as("of " + CELLS + " cells").isLessThanOrEqualTo(CELLS * 6 / 10);
    }

    private static long recalled(String keys) {
        TargetOptions options =
                new TargetOptions(NAME, "cpu", 2, 4096, 1, 1, PartialProfile.of(Flag.INDEX_KEY_DTYPE, keys));
        List<String> notices = new ArrayList<>();
        try (NativeTarget target = new TargetLoader(ModelLocator.standard(), notices::add).load(options)) {
            assertThat(notices).as("whoever loads it is told").anyMatch(notice -> notice.contains("made on purpose"));
            assertThat(target.status().profile().flags()).containsEntry("index_key_dtype", keys);
            ModelCodec codec = new ModelCodec(target.tokenizer(), target.encoding());
            Asker asker = new Asker(target.engine(), Set.of(target.encoding().endOfSentence()));
            CellRunner runner = new CellRunner(PromptBuilder.inHeldOutTexts(codec), codec, asker, Scorer.exact());
            List<Cell> cells = VerifyRow.cells(Family.SINGLE, 2048, CELLS, 1);
            return cells.stream()
                    .filter(cell -> runner.run(cell).score().passed())
                    .count();
        }
    }

    private static float[] values(StoredTensor tensor) {
        float[] values = new float[(int) tensor.elements()];
        tensor.read(0, values, 0, values.length);
        return values;
    }
}
