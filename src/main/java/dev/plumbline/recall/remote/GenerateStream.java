package dev.plumbline.recall.remote;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.IntConsumer;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads the events of SGLang's {@code /generate}: {@code text}, and {@code meta_info} with counts, the reason of the end, and
 * {@code indexer_topk}, which is passed on as it comes and never held. Not thread-safe.
 */
final class GenerateStream {
    private static final JsonFactory JSON = new JsonFactory();
    private static final int BUFFER = 1 << 16;
    private static final int LONGEST_MESSAGE = 4096;
    private static final double NANOS_PER_MILLI = 1e6;

    private final ServerWords words;
    private final TopkIds ids;
    private final long begun = System.nanoTime();
    private final StringBuilder pieces = new StringBuilder();
    private String latest = "";
    private boolean repeats = true;
    private long first;
    private long last = begun;
    private String finishReason = "";
    private String finishMessage = "";
    private int promptTokens;
    private int answerTokens;
    private boolean selections;

    GenerateStream(ServerWords words, IntConsumer ids) {
        this.words = words;
        this.ids = new TopkIds(ids);
    }

    /**
     * Reads to the end.
     *
     * @param most bytes after which the stream has failed
     * @throws ServerFailure if it is none of an answer, or ends before it
     */
    ChatReply read(InputStream body, long most) throws IOException {
        EventJson documents = new EventJson(new BufferedInputStream(body, BUFFER), most);
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), documents)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token != JsonToken.START_OBJECT) {
                    throw ServerFailure.lasting("it sent an event that is no object");
                }
                event(parser);
                last = System.nanoTime();
            }
        }
        return finish();
    }

    private void event(JsonParser parser) {
        String more = "";
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            if (name.equals("text") && value == JsonToken.VALUE_STRING) {
                more = parser.getString();
            } else if (name.equals("meta_info") && value == JsonToken.START_OBJECT) {
                metaInfo(parser);
            } else if (name.equals("error")) {
                throw ServerFailure.lasting("it broke the answer off: " + message(parser, value));
            } else {
                parser.skipChildren();
            }
        }
        if (!more.isEmpty()) {
            text(more);
        }
    }

    /** What one event tells is ambiguous: new text may begin like all before it. All events together tell which kind it is. */
    private void text(String more) {
        if (first == 0) {
            first = System.nanoTime();
        }
        repeats &= more.startsWith(latest);
        latest = more;
        pieces.append(more);
    }

    /** A server either repeats the text from its start in every event, or always sends what is new. */
    private String text() {
        return repeats ? latest : pieces.toString();
    }

    private void metaInfo(JsonParser parser) {
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            if (name.equals("prompt_tokens") && value.isNumeric()) {
                promptTokens = parser.getIntValue();
            } else if (name.equals("completion_tokens") && value.isNumeric()) {
                answerTokens = parser.getIntValue();
            } else if (name.equals("finish_reason") && value == JsonToken.START_OBJECT) {
                finishReason(parser);
            } else if (name.equals("finish_reason") && value == JsonToken.VALUE_STRING) {
                finishReason = words.quoted(parser.getString());
            } else if (name.equals("indexer_topk") && value == JsonToken.VALUE_STRING) {
                selections = true;
                parser.readBinaryValue(ids);
            } else {
                parser.skipChildren();
            }
        }
    }

    private void finishReason(JsonParser parser) {
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            if (name.equals("type") && value == JsonToken.VALUE_STRING) {
                finishReason = words.quoted(parser.getString());
            } else if (name.equals("message") && value == JsonToken.VALUE_STRING) {
                finishMessage = words.quoted(parser.getString());
            } else {
                parser.skipChildren();
            }
        }
    }

    /** A string, or the first one called message in an object. */
    private String message(JsonParser parser, JsonToken value) {
        String found = value == JsonToken.VALUE_STRING ? parser.getString() : "";
        if (value == JsonToken.START_OBJECT) {
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                JsonToken inner = parser.nextToken();
                found = name.equals("message") && inner == JsonToken.VALUE_STRING ? parser.getString() : found;
                parser.skipChildren();
            }
        }
        return words.quoted(found.substring(0, Math.min(found.length(), LONGEST_MESSAGE)));
    }

    private ChatReply finish() {
        if (finishReason.isEmpty()) {
            throw ServerFailure.lasting(
                    "its stream ended before the answer was complete, after " + text().length() + " characters");
        }
        return new ChatReply(
                        text(),
                        finishReason,
                        promptTokens,
                        answerTokens,
                        first == 0 ? Double.NaN : (first - begun) / NANOS_PER_MILLI,
                        (last - begun) / NANOS_PER_MILLI,
                        "")
                .requireWhole(finishMessage);
    }

    /** Whether it told any selections, and the last of them whole. */
    boolean toldSelections() {
        return selections && ids.complete();
    }
}
