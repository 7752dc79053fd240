package dev.plumbline.recall.remote;

/**
 * How long a server may take.
 *
 * @param connectSeconds to take a connection
 * @param silenceSeconds without sending anything, be it before the first token or between two
 * @param answerSeconds for the whole answer
 */
public record Patience(int connectSeconds, int silenceSeconds, int answerSeconds) {
    static final int MOST_CONNECT = 60;
    static final int MOST_SILENCE = 3600;
    static final int MOST_ANSWER = 7200;

    /** For who says nothing: long prompts take minutes on a busy server. */
    static final Patience DEFAULT = new Patience(5, 120, 600);
}
