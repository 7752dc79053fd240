package dev.plumbline.recall;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.precision.PartialProfile;
import dev.plumbline.recall.sweep.VerifyRow;
import dev.plumbline.target.ModelLocator;
import dev.plumbline.target.NativeTarget;
import dev.plumbline.target.TargetLoader;
import dev.plumbline.target.TargetOptions;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The embedded model still finds a secret beyond its window and its budget under reduced flags, on the oracle. */
class FlagRecallTest {
    private static final int LENGTH = 700;
    private static final int CELLS = 2;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "numerics=qat",
                "kv_dtype=fp8,attention_decode=mma,hyper_connection_dtype=bf16",
                "index_key_dtype=mxfp4,index_rotation=hadamard,index_score_dtype=bf16,index_logits=gathered"
            })
    void aSecretFarBackIsFound(String flags) {
        // given
        Map<String, String> values = Arrays.stream(flags.split(","))
                .map(flag -> flag.split("="))
                .collect(Collectors.toMap(flag -> flag[0], flag -> flag[1]));
        TargetOptions options = new TargetOptions(
                TargetOptions.DEFAULT_MODEL, "reference", 2, 1024, 1, 1, PartialProfile.parse(values));

        try (NativeTarget target = new TargetLoader(ModelLocator.standard(), notice -> {}).load(options)) {
            ModelCodec codec = new ModelCodec(target.tokenizer(), target.encoding());
            Asker asker = new Asker(target.engine(), Set.of(target.encoding().endOfSentence()));
            CellRunner runner = new CellRunner(PromptBuilder.inHeldOutTexts(codec), codec, asker, Scorer.exact());

            for (Cell cell : VerifyRow.cells(Family.SINGLE, LENGTH, CELLS, 1)) {
                // when
                CellResult result = runner.run(cell);

                // then
                assertThat(result.score().passed())
                        .as("cell %s answered %s", cell, result.answer())
                        .isTrue();
            }
        }
    }
}
