package dev.plumbline.recall;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Decides whether an answer holds what was planted, letter by letter. {@link #exact} allows nothing besides: it is for a model
 * that was trained to answer so. {@link #containing} allows any words around the values, so that no wording of a right
 * answer fails, but no value besides: none that the text has for something else, none that looks like one, no more digits.
 */
public final class Scorer {
    private static final Score RIGHT = new Score(true, 0, "");

    /** Raised whenever an answer can come to be scored otherwise than before. */
    private static final int VERSION = 1;

    private final Haystack.Answers answers;
    private final Pattern anySecret;
    private final boolean exact;

    private Scorer(boolean exact) {
        Haystack haystack = Haystack.load();
        this.answers = haystack.answers();
        this.anySecret = Pattern.compile(haystack.secrets().stream()
                // A pattern of capitals alone would take a long word of a heading for a secret.
                .filter(pattern -> !pattern.matches("A+"))
                .distinct()
                .map(pattern -> whole(spelled(pattern)))
                .collect(Collectors.joining("|")));
        this.exact = exact;
    }

    /** Passes an answer that is the expected text and nothing else but blanks around it. */
    public static Scorer exact() {
        return new Scorer(true);
    }

    /** Passes an answer that holds the expected values among other words. */
    public static Scorer containing() {
        return new Scorer(false);
    }

    /** Name and version, such as {@code containing/1}; results of different ones must not be compared. */
    public String version() {
        return (exact ? "exact/" : "containing/") + VERSION;
    }

    /** Scores the answer to a prompt. */
    public Score score(Prompt prompt, String answer) {
        return score(prompt.expected(), prompt.others(), answer);
    }

    /** Scores the answer to a suite's prompt. */
    public Score score(SuitePrompt prompt, String answer) {
        return score(prompt.expected(), prompt.others(), answer);
    }

    Score score(List<String> expected, List<String> others, String answer) {
        String text = expected.isEmpty() ? answers.absent() : String.join(answers.join(), expected);
        if (answer.strip().equals(text)) {
            return RIGHT;
        }
        String fault = fault(expected, others, answer);
        if (fault.isEmpty() && exact) {
            fault = "says more than the expected text";
        }
        int distance =
                expected.stream().mapToInt(value -> distance(value, answer)).sum();
        return fault.isEmpty() ? RIGHT : new Score(false, distance, fault);
    }

    /** What is wrong with an answer whose wording does not matter; empty if nothing. */
    private String fault(List<String> expected, List<String> others, String answer) {
        for (String other : others) {
            if (find(other, answer, 0) >= 0) {
                return "names " + other + ", which was not asked for";
            }
        }
        if (expected.isEmpty()
                && !answer.toLowerCase(Locale.ROOT).contains(answers.absent().toLowerCase(Locale.ROOT))) {
            return "does not say that it is " + answers.absent();
        }
        int from = 0;
        for (String value : expected) {
            int at = find(value, answer, from);
            if (at < 0) {
                return find(value, answer, 0) >= 0 ? "names the values in another order" : "lacks " + value;
            }
            from = at + value.length();
        }
        return surplus(expected, answer);
    }

    /** Names what looks like a value besides the expected ones; empty if nothing does. */
    private String surplus(List<String> expected, String answer) {
        String rest = answer;
        for (String value : expected) {
            if (Pattern.compile("(?<=\\p{N})(?<=" + Pattern.quote(value) + ")[\\h.:/]\\p{N}")
                    .matcher(answer)
                    .find()) {
                return "goes on with digits after " + value;
            }
            rest = Pattern.compile(whole(Pattern.quote(value))).matcher(rest).replaceAll(" ");
        }
        Matcher another = anySecret.matcher(rest);
        return another.find() ? "names " + another.group() + ", which was not asked for" : "";
    }

    /** Where a whole value stands. */
    private static int find(String value, String answer, int from) {
        Matcher matcher = Pattern.compile(whole(Pattern.quote(value))).matcher(answer);
        return matcher.find(from) ? matcher.start() : -1;
    }

    /** Neither the first nor the last character may go on as a word or a longer code. */
    private static String whole(String expression) {
        return "(?<![\\p{L}\\p{N}])(?<![\\p{L}\\p{N}][-_])" + expression + "(?![\\p{L}\\p{N}])(?![-_][\\p{L}\\p{N}])";
    }

    /** An expression of the values that a pattern of the data file can give. */
    private static String spelled(String pattern) {
        StringBuilder expression = new StringBuilder();
        for (char c : pattern.toCharArray()) {
            expression.append(
                    switch (c) {
                        case 'W' -> "[A-Z]{2,}";
                        case 'A' -> "[A-Z]";
                        case '9' -> "[0-9]";
                        case 'x' -> "[0-9a-f]";
                        default -> Pattern.quote(String.valueOf(c));
                    });
        }
        return expression.toString();
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
