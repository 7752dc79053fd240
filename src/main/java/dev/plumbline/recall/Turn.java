package dev.plumbline.recall;

/** One message of a prompt. */
public record Turn(Speaker speaker, String content) {

    /** Who says it. */
    public enum Speaker {
        USER,
        ASSISTANT
    }

    static Turn user(String content) {
        return new Turn(Speaker.USER, content);
    }

    static Turn assistant(String content) {
        return new Turn(Speaker.ASSISTANT, content);
    }
}
