package dev.plumbline.target;

/** The reader of an answer fell so far behind its generation that the rest was given up. */
public final class SlowReaderException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SlowReaderException(long behind) {
        super(
                "The client reads more slowly than the answer is generated and fell " + behind
                        + " tokens and log-probabilities behind",
                null,
                false,
                false);
    }
}
