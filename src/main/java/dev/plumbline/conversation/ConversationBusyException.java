package dev.plumbline.conversation;

/** Another request continues the conversation right now, or has since this one read it. */
public final class ConversationBusyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ConversationBusyException() {
        super("another request is continuing this conversation", null, false, false);
    }
}
