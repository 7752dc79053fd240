package dev.plumbline.cli;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The messages so far. */
final class Conversation {
    private final ArrayNode messages = JsonNodeFactory.instance.arrayNode();
    private String document;

    /** {@code document} goes before the first question; both may be null. */
    Conversation(String system, String document) {
        this.document = document;
        if (system != null) {
            add("system", system);
        }
    }

    void ask(String question) {
        add("user", document == null ? question : document + "\n\n" + question);
        document = null;
    }

    void answered(String answer) {
        add("assistant", answer);
    }

    ArrayNode messages() {
        return messages;
    }

    private void add(String role, String content) {
        messages.addObject().put("role", role).put("content", content);
    }
}
