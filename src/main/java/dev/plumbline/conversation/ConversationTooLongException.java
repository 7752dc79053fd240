package dev.plumbline.conversation;

/** A conversation has more text than can be continued. */
public final class ConversationTooLongException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ConversationTooLongException(long bytes, long most) {
        super(
                "the turns of this conversation are " + bytes + " bytes of text; at most " + most + " can be continued",
                null,
                false,
                false);
    }
}
