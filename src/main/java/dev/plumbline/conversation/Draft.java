package dev.plumbline.conversation;

/** An answer's texts so far. */
record Draft(String content, String reasoning) {}
