package dev.plumbline.recall;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.ToIntFunction;

/** Pieces of filler without end: texts in a drawn order, from a drawn line of the first one on, and again from the start. */
final class FillerStream {
    /** A piece and its tokens. */
    record Piece(String text, int tokens) {}

    private final List<FillerText> texts;
    private final ToIntFunction<String> count;
    private final long size;
    private int text;
    private int line;

    FillerStream(FillerSource source, ToIntFunction<String> count, Random random) {
        this.texts = new ArrayList<>(source.texts());
        this.count = count;
        Collections.shuffle(texts, random);
        this.size = texts.stream().mapToLong(FillerText::size).sum();
        this.line = random.nextInt(texts.get(0).size());
    }

    Piece next() {
        FillerText current = texts.get(text);
        Piece piece = new Piece(current.piece(line), current.tokens(line, count));
        line++;
        if (line == current.size()) {
            line = 0;
            text = (text + 1) % texts.size();
        }
        return piece;
    }

    /** How often the texts have to be used for so many pieces: 1 while no piece comes twice. */
    int rounds(int pieces) {
        return (int) Math.max(1, (pieces + size - 1) / size);
    }
}
