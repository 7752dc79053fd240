package dev.plumbline.target;

import dev.plumbline.engine.TokenLogProbabilities;
import dev.plumbline.model.TextStream;
import dev.plumbline.target.ChatEvent.Score;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * Keeps the scores of tokens whose text is held back and gives each out with the text that holds its end. A token that a
 * stop string cuts is never given out.
 */
final class HeldScores {
    private final Queue<Held> held = new ArrayDeque<>();
    private int emitted;

    private record Held(Score score, int releasedAt) {}

    /** Notes a token that was just added to the stream; {@code logProbabilities} null if they were not asked for. */
    void add(int token, TokenLogProbabilities logProbabilities, TextStream stream) {
        if (logProbabilities != null) {
            held.add(new Held(new Score(token, logProbabilities), stream.released()));
        }
    }

    /** The scores that belong to a text which the stream has just let go. */
    List<Score> release(String text) {
        emitted += text.length();
        List<Score> released = new ArrayList<>(1);
        while (!held.isEmpty() && held.peek().releasedAt() <= emitted) {
            released.add(held.remove().score());
        }
        return released;
    }
}
