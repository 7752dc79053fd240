package dev.plumbline.target;

/** A request asks for more choices than this server can ever hold at once. */
public final class TooManyChoicesException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooManyChoicesException(int choices, int places) {
        super("Invalid value for 'n': " + choices + "; allowed: at most " + places
                + ", the running and waiting generations of this server.");
    }
}
