package dev.plumbline.model;

/** Whether the model reasons before it answers. */
public enum ThinkingMode {
    /** Answers at once. */
    CHAT,
    /** Writes its reasoning up to {@code </think>}, then the answer. */
    THINKING
}
