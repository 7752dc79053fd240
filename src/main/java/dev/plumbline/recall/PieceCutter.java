package dev.plumbline.recall;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToIntFunction;

/** Shortens a piece of text to about a number of tokens. */
final class PieceCutter {
    private static final List<String> PADS = List.of(".", " .", "-", " a");
    private static final int MOST_PADS = 3;
    private static final int PADDED_CUTS = 6;
    /** Cuts that miss by more are not looked at: a long piece has hundreds, and each must be counted. */
    private static final int SLACK = 8;

    private final ToIntFunction<String> count;

    PieceCutter(ToIntFunction<String> count) {
        this.count = count;
    }

    /**
     * Beginnings of a piece, each a line, the nearest to {@code tokens} tokens first; of equally near ones those cut between
     * words come first, then those cut inside a word, then those filled up with signs.
     */
    List<String> cuts(String piece, int tokens) {
        String line = piece.stripTrailing();
        List<Cut> cuts = new ArrayList<>();
        int last = end(line, tokens + SLACK);
        for (int end = end(line, tokens - SLACK); end <= last; end++) {
            if (!splitsCharacter(line, end)) {
                cuts.add(cut(line.substring(0, end), isWordEnd(line, end) ? 0 : 1, tokens));
            }
        }
        cuts.sort(Cut.ORDER);
        List<Cut> bases = List.copyOf(cuts.subList(0, Math.min(PADDED_CUTS, cuts.size())));
        for (Cut base : bases) {
            for (String pad : PADS) {
                for (int times = 1; times <= MOST_PADS; times++) {
                    cuts.add(cut(base.line().stripTrailing() + pad.repeat(times), 2, tokens));
                }
            }
        }
        cuts.sort(Cut.ORDER);
        return cuts.stream().map(Cut::line).toList();
    }

    /** The first end with so many tokens, or the line's; roughly, since a longer beginning may have a token less. */
    private int end(String line, int tokens) {
        int tooShort = -1;
        int enough = line.length();
        while (enough - tooShort > 1) {
            int middle = (tooShort + enough) / 2;
            if (count.applyAsInt(line.substring(0, middle) + "\n") >= tokens) {
                enough = middle;
            } else {
                tooShort = middle;
            }
        }
        return enough;
    }

    private Cut cut(String beginning, int ugliness, int tokens) {
        String line = beginning + "\n";
        return new Cut(line, Math.abs(count.applyAsInt(line) - tokens), ugliness);
    }

    private record Cut(String line, int miss, int ugliness) {
        private static final Comparator<Cut> ORDER =
                Comparator.comparingInt(Cut::miss).thenComparingInt(Cut::ugliness);
    }

    private static boolean isWordEnd(String line, int end) {
        return end == 0 || end == line.length() || Character.isWhitespace(line.charAt(end));
    }

    private static boolean splitsCharacter(String line, int end) {
        return end > 0 && end < line.length() && Character.isLowSurrogate(line.charAt(end));
    }
}
