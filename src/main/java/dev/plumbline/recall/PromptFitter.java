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
    private static final int CORRECTIONS = 16;
    private static final int MOST_CUT_PIECES = 8;
    private static final int CUTS_PER_PIECE = 24;
    private static final int SPARE_TOKENS = 256;

    private final PromptCodec codec;
    private final PieceCutter cutter;
    private final Cell cell;
    private final Plan plan;

    /** Pieces of filler and the prompt they make. */
    record Fitted(List<ChatMessage> turns, int[] tokens, int pieces) {}

    PromptFitter(PromptCodec codec, Cell cell, Plan plan) {
        this.codec = codec;
        this.cutter = new PieceCutter(codec::countTokens);
        this.cell = cell;
        this.plan = plan;
    }

    /** The prompt of exactly the cell's length. */
    Fitted fit(FillerStream stream) {
        int room = cell.length() - encode(List.of()).tokens().length;
        if (room < 0) {
            throw new PromptLengthException("a " + cell.family().label() + " prompt of " + cell.length()
                    + " tokens is too short: needles and question alone take " + (cell.length() - room));
        }
        // Twice the room, in case pieces have fewer tokens joined than alone.
        List<Piece> pieces = draw(stream, 2 * room + SPARE_TOKENS);
        int whole = wholePieces(pieces, room);
        for (int cut = 0; cut < MOST_CUT_PIECES && whole - cut >= 0; cut++) {
            Fitted fitted = cut(pieces, whole - cut);
            if (fitted != null) {
                return fitted;
            }
        }
        throw new PromptLengthException("cell " + cell.id() + ": no cut of the text gives exactly " + cell.length()
                + " tokens; try another seed or length");
    }

    /** How many pieces fit before one must be cut. */
    private int wholePieces(List<Piece> pieces, int room) {
        int budget = room;
        int whole = count(pieces, budget);
        for (int correction = 0; correction < CORRECTIONS; correction++) {
            int left = cell.length() - encode(pieces.subList(0, whole)).tokens().length;
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

    /** Takes {@code whole} pieces and looks for a beginning of the next that fills the rest; null if there is none. */
    private Fitted cut(List<Piece> pieces, int whole) {
        Fitted fitted = encode(pieces.subList(0, whole));
        int left = cell.length() - fitted.tokens().length;
        if (left == 0) {
            return fitted;
        }
        if (left < 0) {
            return null;
        }
        List<Piece> trial = new ArrayList<>(pieces.subList(0, whole));
        trial.add(null);
        List<String> cuts = cutter.cuts(pieces.get(whole).text(), left);
        for (String line : cuts.subList(0, Math.min(CUTS_PER_PIECE, cuts.size()))) {
            trial.set(whole, new Piece(line, left));
            fitted = encode(trial);
            if (fitted.tokens().length == cell.length()) {
                return fitted;
            }
        }
        return null;
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
