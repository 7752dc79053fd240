package dev.plumbline.recall.remote;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Puts one answer together from the events of a streamed chat completion. Not thread-safe. */
final class ChatStream {
    static final String DONE = "[DONE]";

    /** Hundreds of times what a cell's answer may have; only a server that ignores the limit gets there. */
    private static final int MOST_CHARACTERS = 1 << 17;

    private static final double NANOS_PER_MILLI = 1e6;

    private final ServerWords words;
    private final long begun = System.nanoTime();
    private final StringBuilder text = new StringBuilder();
    private long reasoning;
    private long first;
    private long last = begun;
    private String finishReason = "";
    private int promptTokens;
    private int answerTokens;
    private String fingerprint = "";

    ChatStream(ServerWords words) {
        this.words = words;
    }

    /** @throws ServerFailure if the event is none of a chat, or says what went wrong */
    void accept(String data) {
        last = System.nanoTime();
        if (data == null || data.isBlank() || data.startsWith(DONE)) {
            return;
        }
        JsonNode event = parse(data);
        JsonNode error = event.path("error");
        if (!error.isMissingNode() && !error.isNull()) {
            throw ServerFailure.lasting("it broke the answer off: " + words.refusal(data));
        }
        JsonNode usage = event.path("usage");
        if (usage.isObject()) {
            promptTokens = usage.path("prompt_tokens").asInt(0);
            answerTokens = usage.path("completion_tokens").asInt(0);
        }
        if (event.path("system_fingerprint").isString()) {
            fingerprint = words.quoted(event.path("system_fingerprint").stringValue());
        }
        for (JsonNode choice : event.path("choices")) {
            if (choice.path("index").asInt(0) == 0) {
                choice(choice);
            }
        }
    }

    private JsonNode parse(String data) {
        JsonNode event;
        try {
            event = JsonMapper.shared().readTree(data);
        } catch (JacksonException e) {
            throw ServerFailure.lasting("it sent an event that is no JSON: " + words.quoted(data));
        }
        if (!event.isObject()) {
            throw ServerFailure.lasting("it sent an event that is no object: " + words.quoted(data));
        }
        return event;
    }

    private void choice(JsonNode choice) {
        JsonNode delta = choice.path("delta");
        String more = string(delta.path("content"));
        // Servers differ in the name.
        String thought = string(delta.path("reasoning_content")) + string(delta.path("reasoning"));
        if (first == 0 && !(more.isEmpty() && thought.isEmpty())) {
            first = last;
        }
        text.append(more);
        reasoning += thought.length();
        if (text.length() + reasoning > MOST_CHARACTERS) {
            throw ServerFailure.lasting(
                    "its answer has more than " + MOST_CHARACTERS + " characters; it seems to ignore the token limit");
        }
        if (choice.path("finish_reason").isString()) {
            finishReason = words.quoted(choice.path("finish_reason").stringValue());
        }
    }

    private static String string(JsonNode value) {
        return value.isString() ? value.stringValue() : "";
    }

    /**
     * The whole answer.
     *
     * @throws ServerFailure if the stream ended before it, or the server broke it off
     */
    ChatReply finish() {
        if (finishReason.isEmpty()) {
            throw ServerFailure.lasting(
                    "its stream ended before the answer was complete, after " + text.length() + " characters");
        }
        return new ChatReply(
                        text.toString(),
                        finishReason,
                        promptTokens,
                        answerTokens,
                        first == 0 ? Double.NaN : (first - begun) / NANOS_PER_MILLI,
                        (last - begun) / NANOS_PER_MILLI,
                        fingerprint)
                .requireWhole("");
    }
}
