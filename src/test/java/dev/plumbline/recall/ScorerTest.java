package dev.plumbline.recall;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScorerTest {
    private static final String SECRET = "ZEBRA-4492-OMEGA";

    private final Scorer scorer = Scorer.containing();
    private final Scorer exact = Scorer.exact();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ZEBRA-4492-OMEGA",
                "ZEBRA-4492-OMEGA.",
                "The secret code of the north gate is ZEBRA-4492-OMEGA.",
                "It is \"ZEBRA-4492-OMEGA\", as the text says.",
                "**ZEBRA-4492-OMEGA**",
                "code=ZEBRA-4492-OMEGA;",
                "(ZEBRA-4492-OMEGA)",
                "ZEBRA-4492-OMEGA - that is all I found",
                "Antwort:\nZEBRA-4492-OMEGA\n"
            })
    void anyWordingOfTheRightValuePasses(String answer) {
        assertThat(score(answer)).isEqualTo(new Score(true, 0, ""));
    }

    @ParameterizedTest
    @CsvSource({
        "ZEBRA-4493-OMEGA, 1",
        "ZEBRA-492-OMEGA, 1",
        "ZEBRA-44492-OMEGA, 1",
        "The code is ZEBRA-4429-OMEGA., 2",
        "zebra-4492-omega, 10",
        "ZEBRA 4492 OMEGA, 2",
        "ZEBRA-4492, 6",
        "'', 16"
    })
    void aNearMissFailsAndItsDistanceIsKept(String answer, int distance) {
        assertThat(score(answer).passed()).isFalse();
        assertThat(score(answer).distance()).isEqualTo(distance);
        assertThat(score(answer).reason()).isEqualTo("lacks " + SECRET);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ZEBRA-4492-OMEGAX", "XZEBRA-4492-OMEGA", "ZEBRA-4492-OMEGA-7", "9-ZEBRA-4492-OMEGA"})
    void aLongerCodeThatHoldsTheValueFails(String answer) {
        assertThat(score(answer).passed()).isFalse();
    }

    @Test
    void reciteEverythingAndBeRightOnceFails() {
        Score score = scorer.score(List.of(SECRET), List.of("LION-1-X"), "LION-1-X, ZEBRA-4492-OMEGA");

        assertThat(score.passed()).isFalse();
        assertThat(score.reason()).isEqualTo("names LION-1-X, which was not asked for");
    }

    @Test
    void severalValuesCountInTheOrderOfTheTextOnly() {
        List<String> values = List.of("AA-1", "BB-2", "CC-3");

        assertThat(scorer.score(values, List.of(), "AA-1, BB-2, CC-3").passed()).isTrue();
        assertThat(scorer.score(values, List.of(), "first AA-1, then BB-2 and CC-3.")
                        .passed())
                .isTrue();
        assertThat(scorer.score(values, List.of(), "BB-2, AA-1, CC-3").reason())
                .isEqualTo("names the values in another order");
        assertThat(scorer.score(values, List.of(), "AA-1, CC-3")).isEqualTo(new Score(false, 4 - 1, "lacks BB-2"));
    }

    @Test
    void thatTheTextDoesNotSayMustBeSaidAndNothingBesides() {
        assertThat(scorer.score(List.of(), List.of("AA-1"), "not in the text").passed())
                .isTrue();
        assertThat(scorer.score(List.of(), List.of("AA-1"), "That is Not in the text.")
                        .passed())
                .isTrue();
        assertThat(scorer.score(List.of(), List.of("AA-1"), "ZZ-9").reason())
                .isEqualTo("does not say that it is not in the text");
        assertThat(scorer.score(List.of(), List.of("AA-1"), "not in the text, but AA-1 is")
                        .passed())
                .isFalse();
    }

    @Test
    void aPresentValueIsNotAnsweredByDenyingIt() {
        assertThat(score("not in the text").passed()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ZEBRA-4492-OMEGA | ZEBRA-4492-OMEGA or ZEBRA-4493-OMEGA | ZEBRA-4493-OMEGA",
                "ZEBRA-4492-OMEGA | ZEBRA-4492-OMEGA, 1234-5678-9012 | 1234-5678-9012",
                "1234 5678 9012 3456 | 1234 5678 9012 3456 and 1111 2222 3333 4444 | 1111 2222 3333 4444",
                "Q7 | Q7, or 0a1b2c3d-0a1b-0a1b-0a1b | 0a1b2c3d-0a1b-0a1b-0a1b"
            })
    void anotherValueBesideTheRightOneFails(String value, String answer, String other) {
        assertThat(scorer.score(List.of(value), List.of(), answer).reason())
                .isEqualTo("names " + other + ", which was not asked for");
    }

    @ParameterizedTest
    @CsvSource({
        "1234 5678 9012 3456, 1234 5678 9012 3456 7890",
        "1234-5678-9012, 1234-5678-9012.34",
        "ZEBRA-OMEGA-4492, It is ZEBRA-OMEGA-4492 7."
    })
    void moreDigitsAfterTheValueFail(String value, String answer) {
        assertThat(scorer.score(List.of(value), List.of(), answer).reason())
                .isEqualTo("goes on with digits after " + value);
    }

    @Test
    void exactMeansTheWholeAnswerButForBlanksAroundIt() {
        List<String> one = List.of(SECRET);
        List<String> two = List.of("AA-1", "BB-2");

        assertThat(exact.score(one, List.of(), " ZEBRA-4492-OMEGA\n")).isEqualTo(new Score(true, 0, ""));
        assertThat(exact.score(one, List.of(), "ZEBRA-4492-OMEGA."))
                .isEqualTo(new Score(false, 0, "says more than the expected text"));
        assertThat(exact.score(one, List.of(), "ZEBRA-4493-OMEGA")).isEqualTo(new Score(false, 1, "lacks " + SECRET));
        assertThat(exact.score(two, List.of(), "AA-1, BB-2").passed()).isTrue();
        assertThat(exact.score(two, List.of(), "AA-1 BB-2").passed()).isFalse();
        assertThat(exact.score(List.of(), List.of(), "not in the text").passed())
                .isTrue();
        assertThat(exact.score(List.of(), List.of(), "Not in the text.").passed())
                .isFalse();
    }

    private Score score(String answer) {
        return scorer.score(List.of(SECRET), List.of(), answer);
    }
}
