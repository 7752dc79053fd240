package dev.plumbline.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextSpansTest {

    @Test
    void aTextIsFoundWhereverTheTokensBordersLie() {
        TextSpans prompt = prompt("The code", " is ZE", "BRA", "-44", "92-OMEGA.", " The code is out.");
        assertThat(prompt.find("ZEBRA-4492-OMEGA")).containsExactly(new TokenSpan(1, 5));
        assertThat(prompt.find("BRA")).containsExactly(new TokenSpan(2, 3));
        assertThat(prompt.find("E")).containsExactly(new TokenSpan(1, 2), new TokenSpan(4, 5));
        assertThat(prompt.find("code is")).containsExactly(new TokenSpan(0, 2), new TokenSpan(5, 6));
    }

    @Test
    void overlappingPlacesAreAllFound() {
        TextSpans prompt = prompt("a", "b", "a", "b", "a");
        assertThat(prompt.find("aba")).containsExactly(new TokenSpan(0, 3), new TokenSpan(2, 5));
    }

    @Test
    void placesWithinTheSameTokensCountOnce() {
        assertThat(prompt("aaaa", "b").find("aa")).containsExactly(new TokenSpan(0, 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"zebra", "ZEBRA ", "ZÉBRA", "missing", "\u0000"})
    void whatDiffersInACharacterIsNotFound(String other) {
        assertThat(prompt("ZEB", "RA").find(other)).isEmpty();
    }

    @Test
    void nothingIsFoundAcrossASpecialToken() {
        byte[][] tokens = {utf8("north"), {}, utf8("gate")};
        TextSpans prompt = new TextSpans(tokens);
        assertThat(prompt.find("northgate")).isEmpty();
        assertThat(prompt.find("gate")).containsExactly(new TokenSpan(2, 3));
    }

    @Test
    void charactersThatTokensCutAreFoundWhole() {
        byte[] tram = utf8("a🚋ü");
        TextSpans prompt = new TextSpans(new byte[][] {
            Arrays.copyOfRange(tram, 0, 2), Arrays.copyOfRange(tram, 2, 4), Arrays.copyOfRange(tram, 4, tram.length)
        });
        assertThat(prompt.find("🚋")).containsExactly(new TokenSpan(0, 3));
        assertThat(prompt.find("ü")).containsExactly(new TokenSpan(2, 3));
        assertThat(prompt.find("\u018b")).isEmpty();
    }

    @Test
    void combiningCharactersAreNotTakenForOthers() {
        assertThat(prompt("cafe\u0301").find("caf\u00e9")).isEmpty();
        assertThat(prompt("cafe\u0301").find("cafe\u0301")).hasSize(1);
    }

    @Test
    void aPromptWithoutTokensHasNothing() {
        assertThat(new TextSpans(new byte[0][]).find("a")).isEmpty();
    }

    @Test
    void aTextMadeToBeSlowTakesTheTimeOfAnyOther() {
        TextSpans prompt = prompt("a".repeat(4_000_000));
        String almost = "a".repeat(500_000) + "b";
        List<TokenSpan> found = Assertions.assertTimeoutPreemptively(Duration.ofSeconds(20), () -> prompt.find(almost));
        assertThat(found).isEmpty();
    }

    private static TextSpans prompt(String... tokens) {
        return new TextSpans(Arrays.stream(tokens).map(TextSpansTest::utf8).toArray(byte[][]::new));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
