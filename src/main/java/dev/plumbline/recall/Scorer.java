package dev.plumbline.recall;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Decides whether an answer holds what was planted. Only the values count, letter by letter; the words around them do not,
 * so that no wording of a right answer fails.
 */
public final class Scorer {
    private final String absent;

    Scorer(String absent) {
        this.absent = absent;
    }

    /** Knows how the data file wants it said that the text does not say. */
    public static Scorer standard() {
        return new Scorer(Haystack.load().answers().absent());
    }

    /** Scores the answer to a prompt. */
    public Score score(Prompt prompt, String answer) {
        return score(prompt.expected(), prompt.others(), answer);
    }

    Score score(List<String> expected, List<String> others, String answer) {
        int distance =
                expected.stream().mapToInt(value -> distance(value, answer)).sum();
        for (String other : others) {
            if (find(other, answer, 0) >= 0) {
                return new Score(false, distance, "names " + other + ", which was not asked for");
            }
        }
        if (expected.isEmpty()) {
            boolean said = answer.toLowerCase(Locale.ROOT).contains(absent.toLowerCase(Locale.ROOT));
            return said ? new Score(true, 0, "") : new Score(false, 0, "does not say that it is " + absent);
        }
        int from = 0;
        for (String value : expected) {
            int at = find(value, answer, from);
            if (at < 0) {
                boolean elsewhere = find(value, answer, 0) >= 0;
                return new Score(false, distance, elsewhere ? "names the values in another order" : "lacks " + value);
            }
            from = at + value.length();
        }
        return new Score(true, 0, "");
    }

    /** Where a whole value stands: neither its first nor its last character may go on as a word or a longer code. */
    private static int find(String value, String answer, int from) {
        Matcher matcher = Pattern.compile("(?<![\\p{L}\\p{N}])(?<![\\p{L}\\p{N}][-_])" + Pattern.quote(value)
                        + "(?![\\p{L}\\p{N}])(?![-_][\\p{L}\\p{N}])")
                .matcher(answer);
        return matcher.find(from) ? matcher.start() : -1;
    }

    /** Fewest insertions, deletions and replacements between a value and any stretch of the answer (Sellers). */
    private static int distance(String value, String answer) {
        int[] costs = new int[value.length() + 1];
        for (int i = 0; i <= value.length(); i++) {
            costs[i] = i;
        }
        int best = costs[value.length()];
        for (int j = 0; j < answer.length(); j++) {
            int diagonal = costs[0];
            for (int i = 1; i <= value.length(); i++) {
                int replaced = diagonal + (value.charAt(i - 1) == answer.charAt(j) ? 0 : 1);
                diagonal = costs[i];
                costs[i] = Math.min(replaced, Math.min(costs[i], costs[i - 1]) + 1);
            }
            best = Math.min(best, costs[value.length()]);
        }
        return best;
    }
}
