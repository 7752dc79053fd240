package dev.plumbline.recall;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.model.ChatEncoding;
import dev.plumbline.model.Tokenizer;
import dev.plumbline.recall.sweep.VerifyRow;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Prompts as the embedded model reads them. */
class NeedleMiniPromptTest {
    private static final Path TOKENIZER = Path.of("src/main/resources/models/needle-mini/tokenizer.json");
    private static Tokenizer tokenizer;
    private static PromptCodec codec;

    @BeforeAll
    static void load() {
        tokenizer = Tokenizer.load(TOKENIZER);
        codec = new ModelCodec(tokenizer, new ChatEncoding(tokenizer));
    }

    @AfterAll
    static void close() {
        tokenizer.close();
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void everyFamilyIsExactFromTheShortestToTheLongestLength(Family family) {
        PromptBuilder builder = PromptBuilder.inHeldOutTexts(codec);
        for (int length : new int[] {512, 1021, 1022, 1023, 1024, 4096, 22_597}) {
            Cell cell = new Cell(family, length, Depth.of("0.6"), length);

            assertThat(builder.build(cell).tokens()).hasSize(length);
        }
    }

    @Tag("long")
    @ParameterizedTest
    @EnumSource(Family.class)
    void noCellOfManyIsOffByAToken(Family family) {
        PromptBuilder builder = PromptBuilder.inHeldOutTexts(codec);
        for (int length : new int[] {700, 1024, 2048, 4096, 8192}) {
            assertThat(VerifyRow.cells(family, length, 100, 1))
                    .allSatisfy(cell -> assertThat(builder.build(cell).tokens()).hasSize(cell.length()));
        }
    }

    /** Cells that once had no cut: text whose pieces have other token counts joined than alone. */
    @ParameterizedTest
    @CsvSource({"SINGLE, 4094, 0.5416666666666666, 7", "MANY_KEYS, 4094, 0.625, 62", "ABSENT, 4096, 0.845, 84"})
    void textThatIsHardToCutIsCutExactly(Family family, int length, String depth, long seed) {
        Cell cell = new Cell(family, length, Depth.of(depth), seed);

        assertThat(PromptBuilder.inHeldOutTexts(codec).build(cell).tokens()).hasSize(length);
    }

    @Test
    void theShortestLengthOfASweepHoldsAQuestion() {
        PromptBuilder builder = PromptBuilder.in(FillerSource.file(Path.of("LICENSE")), codec);
        for (long seed = 0; seed < 100; seed++) {
            assertThat(builder.build(new Cell(Family.SINGLE, 338, Depth.of("middle"), seed))
                            .tokens())
                    .hasSize(338);
        }
    }

    @Test
    void everySecretSpansAtLeastFourEntries() {
        Haystack haystack = Haystack.load();
        FactSource facts = new FactSource(haystack, codec::countTokens, new Random(1));
        for (int i = 0; i < 500; i++) {
            assertThat(codec.countTokens(facts.secret())).isGreaterThanOrEqualTo(13);
        }
    }
}
