package dev.plumbline.recall;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToIntFunction;

/** A text cut into pieces that needles may stand between: its lines, and sentences of lines too long to be one piece. */
final class FillerText {
    private static final int LONGEST_PIECE = 600;
    private static final int UNKNOWN = -1;

    private final String name;
    private final List<String> pieces;
    private final int[] tokens;

    FillerText(String name, String text) {
        this.name = name;
        this.pieces = pieces(text);
        this.tokens = new int[pieces.size()];
        Arrays.fill(tokens, UNKNOWN);
    }

    String name() {
        return name;
    }

    int size() {
        return pieces.size();
    }

    /** A piece; ends with a line break unless it is the inner part of a long line. */
    String piece(int index) {
        return pieces.get(index);
    }

    /** Tokens of a piece on its own; counted once. */
    int tokens(int index, ToIntFunction<String> count) {
        if (tokens[index] == UNKNOWN) {
            tokens[index] = count.applyAsInt(pieces.get(index));
        }
        return tokens[index];
    }

    private static List<String> pieces(String text) {
        List<String> pieces = new ArrayList<>();
        for (String line : text.lines().toList()) {
            String rest = line + "\n";
            while (rest.length() > LONGEST_PIECE) {
                int cut = cut(rest);
                pieces.add(rest.substring(0, cut));
                rest = rest.substring(cut);
            }
            pieces.add(rest);
        }
        return List.copyOf(pieces);
    }

    /** After the last sentence that fits a piece, else after the last blank, else in the middle of a word. */
    private static int cut(String line) {
        int sentence = line.lastIndexOf(". ", LONGEST_PIECE - 2);
        if (sentence > 0) {
            return sentence + 2;
        }
        int blank = line.lastIndexOf(' ', LONGEST_PIECE - 1);
        if (blank > 0) {
            return blank + 1;
        }
        return Character.isHighSurrogate(line.charAt(LONGEST_PIECE - 1)) ? LONGEST_PIECE - 1 : LONGEST_PIECE;
    }
}
