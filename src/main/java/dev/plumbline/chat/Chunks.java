package dev.plumbline.chat;

import dev.plumbline.target.ChatEvent;
import dev.plumbline.target.ChatEvent.Channel;
import dev.plumbline.target.ChatEvent.Reason;
import dev.plumbline.target.ChatEvent.Usage;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The payloads of a streamed answer, one list per event. */
final class Chunks {
    private static final String DONE = "[DONE]";

    private final Envelope envelope;
    private final AnswerShape shape;
    private final SelectionJson selection = new SelectionJson();
    private int finished;
    private Usage usage;

    Chunks(Envelope envelope, AnswerShape shape) {
        this.envelope = envelope;
        this.shape = shape;
    }

    List<String> of(ChatEvent event) {
        if (event instanceof ChatEvent.Text text) {
            return List.of(said(text));
        }
        if (event instanceof ChatEvent.Selected selected) {
            selection.add(selected);
            return List.of();
        }
        if (event instanceof ChatEvent.Finished end) {
            return finished(end);
        }
        return List.of(chunk(event.choice(), delta().put("role", "assistant").put("content", ""), null, null));
    }

    private String said(ChatEvent.Text text) {
        boolean content = text.channel() == Channel.CONTENT;
        ObjectNode delta = delta().put(content ? "content" : "reasoning_content", text.text());
        ObjectNode logprobs =
                shape.logprobs() != null && content ? shape.logprobs().of(text.scores()) : null;
        return chunk(text.choice(), delta, logprobs, null);
    }

    private List<String> finished(ChatEvent.Finished end) {
        List<String> payloads = new ArrayList<>(4);
        payloads.add(chunk(end.choice(), delta(), null, end.reason()));
        usage = usage == null ? end.usage() : usage.plus(end.usage());
        if (++finished == shape.choices()) {
            if (!selection.isEmpty()) {
                payloads.add(selection());
            }
            if (shape.includeUsage()) {
                payloads.add(usage());
            }
            payloads.add(DONE);
        }
        return payloads;
    }

    private static ObjectNode delta() {
        return JsonNodeFactory.instance.objectNode();
    }

    private String chunk(int choice, ObjectNode delta, ObjectNode logprobs, Reason reason) {
        ObjectNode root = chunk();
        root.withArray("choices").add(AnswerJson.choice(choice, "delta", delta, logprobs, reason));
        return root.toString();
    }

    private String selection() {
        ObjectNode root = chunk();
        selection.addTo(root);
        return root.toString();
    }

    private ObjectNode chunk() {
        ObjectNode root = envelope.object("chat.completion.chunk");
        root.putArray("choices");
        if (shape.includeUsage()) {
            root.putNull("usage");
        }
        return root;
    }

    private String usage() {
        ObjectNode root = envelope.object("chat.completion.chunk");
        root.putArray("choices");
        root.set("usage", AnswerJson.usage(usage));
        return root.toString();
    }
}
