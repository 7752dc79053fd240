package dev.plumbline.recall.remote;

import dev.plumbline.model.ChatMessage;
import dev.plumbline.recall.PromptCodec;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Measures prompts without a tokenizer, by what a server counted for others: so many tokens per character (Unicode code
 * point), per message and per prompt. Its ids mean nothing, only how many there are.
 *
 * @param perCharacter tokens of a character, in hundred-thousandths, so that the numbers in the measure are all there is
 * @param perMessage tokens of a message besides its text, in hundredths
 * @param perPrompt tokens of a prompt besides its messages, in hundredths
 */
record CalibratedCodec(long perCharacter, long perMessage, long perPrompt) implements PromptCodec {
    private static final double FINE = 100_000;
    private static final double COARSE = 100;
    private static final Pattern MEASURE = Pattern.compile(
            "calibrated: ([0-9]{1,3}\\.[0-9]{5}) tokens per character, (-?[0-9]{1,6}\\.[0-9]{2}) per message,"
                    + " (-?[0-9]{1,6}\\.[0-9]{2}) per prompt");

    /** Of numbers as they were fitted. */
    static CalibratedCodec of(double perCharacter, double perMessage, double perPrompt) {
        return new CalibratedCodec(
                Math.round(perCharacter * FINE), Math.round(perMessage * COARSE), Math.round(perPrompt * COARSE));
    }

    /** The codec of a {@link #measure}. */
    static Optional<CalibratedCodec> parse(String measure) {
        Matcher numbers = MEASURE.matcher(measure);
        return numbers.matches()
                ? Optional.of(of(
                        Double.parseDouble(numbers.group(1)),
                        Double.parseDouble(numbers.group(2)),
                        Double.parseDouble(numbers.group(3))))
                : Optional.empty();
    }

    /** Names it in runs: equal measures give equal prompts. */
    String measure() {
        return String.format(
                Locale.ROOT,
                "calibrated: %.5f tokens per character, %.2f per message, %.2f per prompt",
                perCharacter / FINE,
                perMessage / COARSE,
                perPrompt / COARSE);
    }

    @Override
    public int[] encode(List<ChatMessage> turns) {
        long characters =
                turns.stream().mapToLong(turn -> characters(turn.content())).sum();
        return new int[tokens(characters, turns.size(), 1)];
    }

    @Override
    public int countTokens(String text) {
        return tokens(characters(text), 0, 0);
    }

    private int tokens(long characters, int messages, int prompts) {
        double tokens =
                characters * perCharacter / FINE + messages * perMessage / COARSE + prompts * perPrompt / COARSE;
        return (int) Math.max(0, Math.round(tokens));
    }

    private static long characters(String text) {
        return text.codePointCount(0, text.length());
    }
}
