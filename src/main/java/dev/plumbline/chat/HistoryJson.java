package dev.plumbline.chat;

import dev.plumbline.conversation.Exchange;
import dev.plumbline.conversation.Status;
import dev.plumbline.conversation.StoredAnswer;
import dev.plumbline.conversation.StoredConversation;
import dev.plumbline.conversation.StoredMessage;
import dev.plumbline.model.ChatMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.springframework.http.ReactiveHttpOutputMessage;
import org.springframework.web.reactive.function.BodyInserter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** History as JSON. */
final class HistoryJson {
    private HistoryJson() {}

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** A stored completion: OpenAI's object with a {@code status} of ours. */
    static ObjectNode completion(StoredAnswer answer) {
        ObjectNode root = object().put("id", answer.id())
                .put("object", "chat.completion")
                .put("created", answer.created().getEpochSecond())
                .put("model", answer.model())
                .put("system_fingerprint", answer.fingerprint());
        root.putObject("plumbline").put("run_config", answer.runConfig());
        root.set("metadata", pairs(answer.metadata()));
        root.put("status", answer.status().word());
        ObjectNode choice = root.putArray("choices").addObject().put("index", 0);
        ObjectNode message =
                choice.putObject("message").put("role", "assistant").put("content", answer.content());
        message.putNull("refusal");
        reasoning(message, answer.reasoning());
        choice.putNull("logprobs").put("finish_reason", answer.finishReason());
        usage(root, answer);
        return root;
    }

    private static void usage(ObjectNode node, StoredAnswer answer) {
        if (answer.usage() == null) {
            node.putNull("usage");
        } else {
            node.set("usage", AnswerJson.usage(answer.usage()));
        }
    }

    private static void reasoning(ObjectNode node, String reasoning) {
        if (reasoning != null && !reasoning.isEmpty()) {
            node.put("reasoning_content", reasoning);
        }
    }

    /** A message of a stored completion. */
    static ObjectNode message(String completion, StoredMessage stored) {
        ObjectNode node = said(object().put("id", completion + "-" + stored.position()), stored.message());
        return node.put("run_config", stored.runConfig());
    }

    private static ObjectNode said(ObjectNode node, ChatMessage message) {
        node.put("role", message.role().name().toLowerCase(Locale.ROOT)).put("content", message.content());
        reasoning(node, message.reasoning());
        return node;
    }

    /** A conversation without its turns. */
    static ObjectNode conversation(StoredConversation conversation) {
        ObjectNode root = object().put("id", conversation.id().toString())
                .put("object", "conversation")
                .put("title", conversation.title())
                .put("created", conversation.created().getEpochSecond())
                .put("updated", conversation.updated().getEpochSecond());
        root.set("metadata", pairs(conversation.metadata()));
        return root;
    }

    /** A body of a conversation's fields and its turns, written as they come. */
    static BodyInserter<Object, ReactiveHttpOutputMessage> withTurns(
            ObjectNode conversation, Flux<Exchange> exchanges) {
        String fields = conversation.toString();
        String head = fields.substring(0, fields.length() - 1) + ",\"turns\":[";
        Flux<String> turns = exchanges
                .concatMapIterable(HistoryJson::turns, 1)
                .index((index, turn) -> index == 0 ? turn.toString() : "," + turn);
        Flux<String> parts = Flux.concat(Mono.just(head), turns, Mono.just("]}"));
        return (message, context) -> message.writeWith(
                parts.map(part -> message.bufferFactory().wrap(part.getBytes(StandardCharsets.UTF_8))));
    }

    private static List<ObjectNode> turns(Exchange exchange) {
        List<ObjectNode> turns = new ArrayList<>();
        StoredAnswer answer = exchange.answer();
        for (StoredMessage message : exchange.messages()) {
            turns.add(said(object(), message.message())
                    .put("status", Status.COMPLETE.word())
                    .put("created", answer.created().getEpochSecond())
                    .put("run_config", answer.runConfig()));
        }
        turns.add(turn(answer));
        return turns;
    }

    private static ObjectNode turn(StoredAnswer answer) {
        ObjectNode node = object().put("role", "assistant").put("content", answer.content());
        reasoning(node, answer.reasoning());
        node.put("status", answer.status().word())
                .put("created", answer.created().getEpochSecond())
                .put("completion", answer.id())
                .put("model", answer.model())
                .put("system_fingerprint", answer.fingerprint())
                .put("run_config", answer.runConfig())
                .put("finish_reason", answer.finishReason());
        usage(node, answer);
        return node;
    }

    private static ObjectNode pairs(Map<String, String> metadata) {
        ObjectNode node = object();
        metadata.forEach(node::put);
        return node;
    }
}
