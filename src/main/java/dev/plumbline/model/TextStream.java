package dev.plumbline.model;

import java.util.List;

/**
 * Turns generated token ids into text as they come. A piece never ends inside a character, and nothing is emitted that
 * may still turn out to be a stop string. One stream per completion; not thread-safe.
 */
public final class TextStream {
    private final Tokenizer tokenizer;
    private final Utf8Decoder utf8 = new Utf8Decoder();
    private final StopStrings stops;
    private int decoded;

    /**
     * What became safe to emit.
     *
     * @param text the new text, perhaps empty
     * @param stopped whether a stop string was found; the text ends before it and nothing follows
     */
    public record Piece(String text, boolean stopped) {}

    /**
     * A stream for one completion.
     *
     * @param stops stop strings, which may span tokens; none of them empty
     * @throws IllegalArgumentException if a stop string is empty or holds half a surrogate pair
     */
    public TextStream(Tokenizer tokenizer, List<String> stops) {
        this.tokenizer = tokenizer;
        this.stops = new StopStrings(stops);
    }

    /** Adds the next token. Special tokens have no text; after a stop every piece is empty. */
    public Piece add(int id) {
        return piece(stops.add(counted(utf8.decode(tokenizer.bytes(id)))));
    }

    /** Ends the stream: emits what was held back; an incomplete character becomes U+FFFD. */
    public Piece finish() {
        return piece(stops.add(counted(utf8.finish())) + stops.finish());
    }

    /**
     * How many characters must have been emitted until no text of the tokens added so far is held back: one more than
     * they have if the last of them ends inside a character.
     */
    public int released() {
        return decoded + (utf8.midCharacter() ? 1 : 0);
    }

    private String counted(String text) {
        decoded += text.length();
        return text;
    }

    private Piece piece(String text) {
        return new Piece(text, stops.stopped());
    }
}
