package dev.plumbline.cli;

/** A command cannot do what it was asked to; the message is all the user needs. */
final class CliException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CliException(String message) {
        super(message);
    }
}
