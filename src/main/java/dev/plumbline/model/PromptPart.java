package dev.plumbline.model;

/** A piece of an encoded conversation. */
sealed interface PromptPart {
    /** A special token, by its text. */
    record Special(String token) implements PromptPart {}

    /** Text from a message, never read as special tokens. */
    record Text(String text) implements PromptPart {}
}
