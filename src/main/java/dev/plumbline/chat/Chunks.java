package dev.plumbline.chat;

import dev.plumbline.target.ChatEvent;
import dev.plumbline.target.ChatEvent.Channel;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The payloads of a streamed answer, one list per event. */
final class Chunks {
    private static final String DONE = "[DONE]";

    private final Envelope envelope;
    private final boolean includeUsage;

    Chunks(Envelope envelope, boolean includeUsage) {
        this.envelope = envelope;
        this.includeUsage = includeUsage;
    }

    List<String> of(ChatEvent event) {
        if (event instanceof ChatEvent.Text text) {
            String field = text.channel() == Channel.CONTENT ? "content" : "reasoning_content";
            return List.of(chunk(delta().put(field, text.text()), null));
        }
        if (event instanceof ChatEvent.Finished finished) {
            String last = chunk(delta(), AnswerJson.reason(finished.reason()));
            return includeUsage ? List.of(last, usage(finished), DONE) : List.of(last, DONE);
        }
        return List.of(chunk(delta().put("role", "assistant").put("content", ""), null));
    }

    private static ObjectNode delta() {
        return JsonNodeFactory.instance.objectNode();
    }

    private String chunk(ObjectNode delta, String finishReason) {
        ObjectNode root = envelope.object("chat.completion.chunk");
        ObjectNode choice = root.putArray("choices").addObject().put("index", 0);
        choice.set("delta", delta);
        choice.putNull("logprobs").put("finish_reason", finishReason);
        if (includeUsage) {
            root.putNull("usage");
        }
        return root.toString();
    }

    private String usage(ChatEvent.Finished finished) {
        ObjectNode root = envelope.object("chat.completion.chunk");
        root.putArray("choices");
        root.set("usage", AnswerJson.usage(finished.usage()));
        return root.toString();
    }
}
