package dev.plumbline.recall;

import dev.plumbline.model.ChatMessage;
import dev.plumbline.recall.FillerStream.Piece;
import java.util.ArrayList;
import java.util.List;

/**
 * Fills one cell's prompt up to its length. A tokenizer may join tokens over the border of two pieces, so only the count of
 * the whole prompt is trusted; the counts of pieces tell where to look.
 */
final class PromptFitter {
    private static final int WHOLE_CORRECTIONS = 16;
    private static final int CORRECTIONS = 4;
    private static final int MOST_TRIES = 12;
    private static final int CUTS_PER_TRY = 6;
    private static final int SPARE_TOKENS = 256;

    private final PromptCodec codec;
    private final PieceCutter cutter;
    private final int length;
    private final String kind;
    private final String id;
    private final Plan plan;

    /** Pieces of filler and the prompt they make. */
    record Fitted(List<ChatMessage> turns, int[] tokens, int pieces) {}

    /**
     * Fits one prompt.
     *
     * @param length tokens of the prompt
     * @param kind what it asks, for messages
     * @param id of its cell, for messages
     */
    PromptFitter(PromptCodec codec, int length, String kind, String id, Plan plan) {
        this.codec = codec;
        this.cutter = new PieceCutter(codec::countTokens);
        this.length = length;
        this.kind = kind;
        this.id = id;
        this.plan = plan;
    }

    /** The prompt of exactly the wanted length. */
    Fitted fit(FillerStream stream) {
        int room = length - encode(List.of()).tokens().length;
        if (room < 0) {
            throw new PromptLengthException("a " + kind + " prompt of " + length
                    + " tokens is too short: needles and question alone take " + (length - room));
        }
        // Twice the room, in case pieces have fewer tokens joined than alone.
        List<Piece> pieces = draw(stream, 2 * room + SPARE_TOKENS);
        int whole = wholePieces(pieces, room);
        for (int less = 0; less < MOST_TRIES; less++) {
            Fitted fitted = cut(shortened(pieces.subList(0, whole), less), pieces.get(whole));
            // Lines of a token or two cannot be shortened; then fewer of them are taken.
            if (fitted == null && whole > less) {
                fitted = cut(pieces.subList(0, whole - less - 1), pieces.get(whole - less - 1));
            }
            if (fitted != null) {
                return fitted;
            }
        }
        throw new PromptLengthException(
                "cell " + id + ": no cut of the text gives exactly " + length + " tokens; try another seed or length");
    }

    /** How many pieces fit before one must be cut. */
    private int wholePieces(List<Piece> pieces, int room) {
        int budget = room;
        int whole = count(pieces, budget);
        for (int correction = 0; correction < WHOLE_CORRECTIONS; correction++) {
            int left = length - encode(pieces.subList(0, whole)).tokens().length;
            if (left >= 0 && left < pieces.get(whole).tokens()) {
                break;
            }
            budget += left < 0 ? left : left - pieces.get(whole).tokens() + 1;
            whole = count(pieces, budget);
        }
        return whole;
    }

    private static int count(List<Piece> pieces, int budget) {
        int whole = 0;
        int left = budget;
        while (whole < pieces.size() - 1 && pieces.get(whole).tokens() <= left) {
            left -= pieces.get(whole).tokens();
            whole++;
        }
        return whole;
    }

    /** The pieces with the last one shorter by some tokens: another remainder to fill, where the first had no cut. */
    private List<Piece> shortened(List<Piece> pieces, int less) {
        if (less == 0 || pieces.isEmpty()) {
            return pieces;
        }
        List<Piece> shorter = new ArrayList<>(pieces);
        Piece last = shorter.remove(shorter.size() - 1);
        int tokens = Math.max(0, last.tokens() - less);
        shorter.add(new Piece(cutter.cuts(last.text(), tokens).get(0), tokens));
        return shorter;
    }

    /** Looks for a beginning of the next piece that fills the rest; null if there is none. */
    private Fitted cut(List<Piece> pieces, Piece next) {
        Fitted fitted = encode(pieces);
        int left = length - fitted.tokens().length;
        if (left == 0) {
            return fitted;
        }
        if (left < 0) {
            return null;
        }
        List<Piece> trial = new ArrayList<>(pieces);
        trial.add(null);
        int wanted = left;
        for (int correction = 0; correction < CORRECTIONS; correction++) {
            int miss = 0;
            for (String line : first(CUTS_PER_TRY, cutter.cuts(next.text(), wanted))) {
                trial.set(pieces.size(), new Piece(line, left));
                fitted = encode(trial);
                miss = length - fitted.tokens().length;
                if (miss == 0) {
                    return fitted;
                }
            }
            // Joining costs or saves some tokens, as many for one cut as for its neighbours.
            wanted += miss;
        }
        return null;
    }

    private static <T> List<T> first(int most, List<T> list) {
        return list.subList(0, Math.min(most, list.size()));
    }

    private Fitted encode(List<Piece> pieces) {
        List<ChatMessage> turns = plan.turns(Planting.plant(pieces, plan.needles()));
        return new Fitted(turns, codec.encode(turns), pieces.size());
    }

    private static List<Piece> draw(FillerStream stream, int tokens) {
        List<Piece> pieces = new ArrayList<>();
        int sum = 0;
        while (sum <= tokens) {
            Piece piece = stream.next();
            pieces.add(piece);
            sum += piece.tokens();
        }
        return pieces;
    }
}
