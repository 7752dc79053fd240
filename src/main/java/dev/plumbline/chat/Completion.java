package dev.plumbline.chat;

import dev.plumbline.target.ChatEvent;
import dev.plumbline.target.ChatEvent.Channel;
import dev.plumbline.target.ChatEvent.Score;
import dev.plumbline.target.ChatEvent.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Collects an answer into one {@code chat.completion} object. */
final class Completion {
    private final Envelope envelope;
    private final LogprobsJson logprobs;
    private final List<Choice> choices;
    private final SelectionJson selection = new SelectionJson();

    Completion(Envelope envelope, AnswerShape shape) {
        this.envelope = envelope;
        this.logprobs = shape.logprobs();
        this.choices = IntStream.range(0, shape.choices())
                .mapToObj(index -> new Choice())
                .toList();
    }

    void add(ChatEvent event) {
        if (event instanceof ChatEvent.Selected selected) {
            selection.add(selected);
        } else {
            choices.get(event.choice()).add(event);
        }
    }

    /** The object, after the last event. */
    String json() {
        ObjectNode root = envelope.object("chat.completion");
        ArrayNode array = root.putArray("choices");
        Usage usage = null;
        for (Choice choice : choices) {
            array.add(choice.json(array.size(), logprobs));
            usage = usage == null ? choice.finished.usage() : usage.plus(choice.finished.usage());
        }
        root.set("usage", AnswerJson.usage(usage));
        selection.addTo(root);
        return root.toString();
    }

    private static final class Choice {
        private final StringBuilder content = new StringBuilder();
        private final StringBuilder reasoning = new StringBuilder();
        private final List<Score> scores = new ArrayList<>();
        private ChatEvent.Finished finished;

        void add(ChatEvent event) {
            if (event instanceof ChatEvent.Text text) {
                (text.channel() == Channel.CONTENT ? content : reasoning).append(text.text());
                scores.addAll(text.scores());
            } else if (event instanceof ChatEvent.Finished end) {
                finished = end;
            }
        }

        ObjectNode json(int index, LogprobsJson logprobs) {
            if (finished == null) {
                throw new IllegalStateException("choice " + index + " ended without a reason");
            }
            ObjectNode message = JsonNodeFactory.instance
                    .objectNode()
                    .put("role", "assistant")
                    .put("content", content.toString())
                    .putNull("refusal");
            if (!reasoning.isEmpty()) {
                message.put("reasoning_content", reasoning.toString());
            }
            ObjectNode scored = logprobs == null ? null : logprobs.of(scores);
            return AnswerJson.choice(index, "message", message, scored, finished.reason());
        }
    }
}
