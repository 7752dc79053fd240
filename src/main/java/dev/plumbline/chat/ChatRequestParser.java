package dev.plumbline.chat;

import dev.plumbline.engine.GenerationRequest;
import dev.plumbline.http.ApiException;
import dev.plumbline.http.JsonFields;
import dev.plumbline.http.Refusal;
import dev.plumbline.runconfig.RunConfigRef;
import dev.plumbline.target.ChatPrompt;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;

/** Turns a request's JSON into a {@link ChatRequest} or refuses it, naming the field. */
@Component
final class ChatRequestParser {
    /** The limit of {@code n}. */
    static final int MAX_CHOICES = 8;

    private static final int MAX_STOPS = 4;
    private static final int MAX_STOP_LENGTH = 1024;

    /** Fields that a run config may give to a request that leaves them out. */
    private static final List<String> DEFAULTED = List.of(
            "temperature", "top_p", "presence_penalty", "frequency_penalty", "max_completion_tokens", "max_tokens");

    /** {@code header} is the run config that a header of the request names, or null. */
    ChatRequest parse(JsonNode body, String header) {
        JsonFields fields = new JsonFields(body, "");
        String model = JsonFields.text(fields.required("model"), "model");
        ChatPrompt prompt = new ChatPrompt(
                MessageParser.parse(fields.required("messages")),
                ThinkingParser.parse(fields),
                maxTokens(fields),
                SamplingParser.parse(fields),
                stops(fields),
                choices(fields),
                topLogprobs(fields),
                null,
                SelectionParser.parse(fields));
        boolean stream = fields.bool("stream", false);
        boolean includeUsage = includeUsage(fields, stream);
        HistoryOptions history = HistoryParser.parse(fields, prompt.choices());
        RunConfigRef runConfig = runConfig(fields, header);
        UnsupportedFields.check(fields);
        fields.rejectUnread();
        return new ChatRequest(model, prompt, stream, includeUsage, history, runConfig, given(fields));
    }

    private static RunConfigRef runConfig(JsonFields fields, String header) {
        String field = fields.string("run_config");
        RunConfigRef inBody = field == null ? null : RunConfigRef.parse("run_config", field);
        RunConfigRef inHeader = header == null ? null : RunConfigRef.parse(ChatHandler.RUN_CONFIG, header);
        if (inBody != null && inHeader != null && !inBody.equals(inHeader)) {
            throw ApiException.badRequest(
                    "run_config",
                    "invalid_value",
                    "'run_config' is " + inBody + " and the header " + ChatHandler.RUN_CONFIG + " says " + inHeader
                            + "; allowed: one of them, or equal values.");
        }
        return inBody != null ? inBody : inHeader;
    }

    private static Set<String> given(JsonFields fields) {
        return DEFAULTED.stream().filter(field -> fields.node(field) != null).collect(Collectors.toUnmodifiableSet());
    }

    private static int maxTokens(JsonFields fields) {
        Long current = fields.integer("max_completion_tokens", 1, Integer.MAX_VALUE);
        Long deprecated = fields.integer("max_tokens", 1, Integer.MAX_VALUE);
        if (current != null && deprecated != null && !current.equals(deprecated)) {
            throw ApiException.badRequest(
                    "max_tokens",
                    "invalid_value",
                    "'max_tokens' is " + deprecated + " and 'max_completion_tokens' is " + current
                            + "; allowed: one of them, or equal values.");
        }
        Long limit = current != null ? current : deprecated;
        return limit == null ? ChatPrompt.UNTIL_END : limit.intValue();
    }

    private static int choices(JsonFields fields) {
        Long n = fields.integer("n", 1, MAX_CHOICES);
        return n == null ? 1 : n.intValue();
    }

    private static int topLogprobs(JsonFields fields) {
        boolean logprobs = fields.bool("logprobs", false);
        Long top = fields.integer("top_logprobs", 0, GenerationRequest.MAX_TOP_LOG_PROBABILITIES);
        if (top != null && !logprobs) {
            throw ApiException.badRequest(
                    "top_logprobs",
                    "invalid_value",
                    "Invalid value for 'top_logprobs': " + top + "; allowed only when 'logprobs' is true.");
        }
        if (!logprobs) {
            return GenerationRequest.NO_LOG_PROBABILITIES;
        }
        return top == null ? 0 : top.intValue();
    }

    private static List<String> stops(JsonFields fields) {
        JsonNode stop = fields.node("stop");
        if (stop == null) {
            return List.of();
        }
        String allowed =
                "a string of 1 to " + MAX_STOP_LENGTH + " characters or an array of at most " + MAX_STOPS + " of them";
        if (stop.isString()) {
            return List.of(bounded(stop, "stop", allowed));
        }
        if (!stop.isArray()) {
            throw Refusal.type("stop", stop, allowed);
        }
        if (stop.size() > MAX_STOPS) {
            throw ApiException.badRequest(
                    "stop",
                    "array_above_max_length",
                    "Invalid value for 'stop': an array of " + stop.size() + " strings; allowed: " + allowed + ".");
        }
        List<String> stops = new ArrayList<>();
        for (JsonNode item : stop) {
            stops.add(
                    bounded(item, "stop[" + stops.size() + "]", "a string of 1 to " + MAX_STOP_LENGTH + " characters"));
        }
        return stops;
    }

    private static String bounded(JsonNode value, String path, String allowed) {
        String text = JsonFields.text(value, path);
        if (text.isEmpty() || text.length() > MAX_STOP_LENGTH) {
            throw Refusal.value(path, value, allowed);
        }
        return text;
    }

    private static boolean includeUsage(JsonFields fields, boolean stream) {
        JsonFields options = fields.object("stream_options");
        if (options == null) {
            return false;
        }
        if (!stream) {
            throw ApiException.badRequest(
                    "stream_options",
                    "invalid_value",
                    "Invalid value for 'stream_options': allowed only when 'stream' is true.");
        }
        boolean includeUsage = options.bool("include_usage", false);
        options.bool("include_obfuscation", false);
        options.rejectUnread();
        return includeUsage;
    }
}
