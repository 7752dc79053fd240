package dev.plumbline.recall;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The scorer looks at the secret only: every wording of a right answer passes, no wording saves a wrong one. */
class ScorerWordingTest {
    private static final List<String> FRAMES = List.of(
            "%s",
            "%s.",
            "The answer is %s.",
            "According to the text above, it was set to %s some time ago",
            "I found it: `%s`",
            "\"%s\"",
            "Sure! Here you go:\n\n**%s**\n\nIs there anything else?",
            "Der Wert lautet %s, wie oben steht.",
            "答案是:%s");

    private final Scorer scorer = Scorer.containing();
    private final Haystack haystack = Haystack.load();

    @Test
    void everyWordingOfARightAnswerPasses() {
        secrets().forEach(secret -> wordings(secret)
                .forEach(answer -> assertThat(scorer.score(List.of(secret), List.of(), answer))
                        .as(answer)
                        .isEqualTo(new Score(true, 0, ""))));
    }

    @Test
    void oneWrongCharacterFailsInEveryWordingAndIsSeenAsANearMiss() {
        secrets().forEach(secret -> {
            for (int i = 0; i < secret.length(); i++) {
                if (Character.isLetterOrDigit(secret.charAt(i))) {
                    String slip = secret.substring(0, i) + other(secret.charAt(i)) + secret.substring(i + 1);
                    wordings(slip).forEach(answer -> {
                        Score score = scorer.score(List.of(secret), List.of(), answer);
                        assertThat(score.passed())
                                .as("%s for %s", answer, secret)
                                .isFalse();
                        assertThat(score.distance()).isEqualTo(1);
                    });
                }
            }
        });
    }

    @Test
    void theLengthOfTheAnswerDoesNotMatter() {
        secrets().forEach(secret -> {
            String words = "and that is what the text says ".repeat(50);

            assertThat(scorer.score(List.of(secret), List.of(), words + secret + " " + words)
                            .passed())
                    .isTrue();
            assertThat(scorer.score(List.of(secret), List.of(), words).passed()).isFalse();
        });
    }

    @Test
    void aScorerSaysWhichOneItIs() {
        assertThat(Scorer.containing().version()).isEqualTo("containing/1");
        assertThat(Scorer.exact().version()).isEqualTo("exact/1");
    }

    /** One secret of every pattern of the data file. */
    private Stream<String> secrets() {
        Random random = new Random(4);
        return haystack.secrets().stream().distinct().map(pattern -> spell(pattern, random));
    }

    private Stream<String> wordings(String secret) {
        return FRAMES.stream().map(frame -> frame.replace("%s", secret));
    }

    private String spell(String pattern, Random random) {
        List<String> codes = haystack.heldOutWords("code");
        StringBuilder secret = new StringBuilder();
        for (char c : pattern.toCharArray()) {
            switch (c) {
                case 'W' -> secret.append(codes.get(random.nextInt(codes.size())));
                case 'A' -> secret.append((char) ('A' + random.nextInt(26)));
                case '9' -> secret.append(random.nextInt(10));
                case 'x' -> secret.append(Integer.toHexString(random.nextInt(16)));
                default -> secret.append(c);
            }
        }
        return secret.toString();
    }

    private static char other(char c) {
        return Character.isDigit(c)
                ? (c == '9' ? '0' : (char) (c + 1))
                : c == 'Z' ? 'A' : c == 'z' ? 'a' : (char) (c + 1);
    }
}
