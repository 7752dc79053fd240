package dev.plumbline.conversation;

/** What a request names does not exist, or no longer, or not for its owner. */
public final class HistoryGoneException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    HistoryGoneException(String what) {
        super(what, null, false, false);
    }
}
