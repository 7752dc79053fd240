package dev.plumbline.chat;

import dev.plumbline.target.ChatEvent;
import dev.plumbline.target.ChatEvent.Channel;
import tools.jackson.databind.node.ObjectNode;

/** Collects an answer into one {@code chat.completion} object. */
final class Completion {
    private final Envelope envelope;
    private final StringBuilder content = new StringBuilder();
    private final StringBuilder reasoning = new StringBuilder();
    private ChatEvent.Finished finished;

    Completion(Envelope envelope) {
        this.envelope = envelope;
    }

    void add(ChatEvent event) {
        if (event instanceof ChatEvent.Text text) {
            (text.channel() == Channel.CONTENT ? content : reasoning).append(text.text());
        } else if (event instanceof ChatEvent.Finished end) {
            finished = end;
        }
    }

    /** The object, after the last event. */
    String json() {
        if (finished == null) {
            throw new IllegalStateException("the answer ended without a reason");
        }
        ObjectNode root = envelope.object("chat.completion");
        ObjectNode choice = root.putArray("choices").addObject().put("index", 0);
        ObjectNode message =
                choice.putObject("message").put("role", "assistant").put("content", content.toString());
        message.putNull("refusal");
        if (!reasoning.isEmpty()) {
            message.put("reasoning_content", reasoning.toString());
        }
        choice.putNull("logprobs").put("finish_reason", AnswerJson.reason(finished.reason()));
        root.set("usage", AnswerJson.usage(finished.usage()));
        return root.toString();
    }
}
