package dev.plumbline.recall;

import dev.plumbline.recall.FillerStream.Piece;
import dev.plumbline.recall.suite.SuiteCell;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Makes a text as long as the longest of its questions allows. */
final class SharedTextBuilder {
    /** Left for the lines after the text, so that they can be cut to any length. */
    private static final int TAIL_TOKENS = 16;

    private final PromptCodec codec;
    private final int length;
    private final List<Plan> plans;
    private final Plan longest;

    SharedTextBuilder(PromptCodec codec, int length, List<Plan> plans) {
        this.codec = codec;
        this.length = length;
        this.plans = plans;
        this.longest = plans.stream()
                .max(Comparator.comparingInt(plan -> tokens(plan, "")))
                .orElseThrow();
    }

    SharedText build(SuiteCell cell, FillerStream stream) {
        List<Piece> pieces = new ArrayList<>();
        int left = length - TAIL_TOKENS - tokens(longest, text(pieces));
        Piece next = stream.next();
        while (next.tokens() <= left) {
            pieces.add(next);
            left -= next.tokens();
            next = stream.next();
        }
        if (left > 0) {
            String cut =
                    new PieceCutter(codec::countTokens).cuts(next.text(), left).get(0);
            pieces.add(new Piece(cut, codec.countTokens(cut)));
        }
        // A tokenizer may make more tokens of joined pieces than of each alone.
        while (!pieces.isEmpty() && tokens(longest, text(pieces)) > length - TAIL_TOKENS) {
            pieces.remove(pieces.size() - 1);
        }
        String text = text(pieces);
        String lastLine = text.substring(text.lastIndexOf('\n', text.length() - 2) + 1);
        int headTokens = tokens(longest, text) - tokens(longest, lastLine);
        return new SharedText(cell, plans, text, lastLine, headTokens, pieces.size());
    }

    private String text(List<Piece> pieces) {
        return Planting.plant(pieces, longest.needles()) + "\n";
    }

    private int tokens(Plan plan, String text) {
        return codec.encode(plan.behind(text).turns("")).length;
    }
}
