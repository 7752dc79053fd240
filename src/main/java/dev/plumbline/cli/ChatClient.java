package dev.plumbline.cli;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Iterator;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Speaks to a server's chat endpoint. */
final class ChatClient {
    private static final int OK = 200;
    private static final String DATA = "data:";

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final JsonMapper json = JsonMapper.shared();
    private final String base;
    private final String key;
    private final int maxTokens;
    private final double temperature;
    private final String runConfig;
    private String model;

    /** {@code runConfig} is the one that answers; null leaves it to the server. */
    ChatClient(URI url, String key, int maxTokens, double temperature, String runConfig) {
        String text = url.toString().replaceAll("/+$", "");
        this.base = text.endsWith("/v1") ? text : text + "/v1";
        this.key = key;
        this.maxTokens = maxTokens;
        this.temperature = temperature;
        this.runConfig = runConfig;
    }

    /** Sends the messages, hands on the answer as it comes and returns the whole of it. */
    String answer(ArrayNode messages, Consumer<String> text) throws IOException, InterruptedException {
        ObjectNode body = json.createObjectNode()
                .put("model", model())
                .put("stream", true)
                .put("max_completion_tokens", maxTokens)
                .put("temperature", temperature);
        if (runConfig != null) {
            body.put("run_config", runConfig);
        }
        body.set("messages", messages);
        HttpRequest request = request("/chat/completions")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
                .build();
        try (Stream<String> lines = send(request)) {
            return read(lines.iterator(), text);
        }
    }

    private String read(Iterator<String> lines, Consumer<String> text) {
        StringBuilder answer = new StringBuilder();
        while (lines.hasNext()) {
            String line = lines.next();
            if (!line.startsWith(DATA)) {
                continue;
            }
            String payload = line.substring(DATA.length()).strip();
            if (payload.equals("[DONE]")) {
                return answer.toString();
            }
            JsonNode event = json.readTree(payload);
            if (event.has("error")) {
                throw new CliException("the answer broke off: " + message(event));
            }
            String delta = event.at("/choices/0/delta/content").asString("");
            if (!delta.isEmpty()) {
                answer.append(delta);
                text.accept(delta);
            }
        }
        throw new CliException("the answer broke off: the connection ended");
    }

    private String model() throws IOException, InterruptedException {
        if (model == null) {
            try (Stream<String> lines = send(request("/models").GET().build())) {
                model = json.readTree(lines.collect(Collectors.joining()))
                        .at("/data/0/id")
                        .asString("");
            }
        }
        return model;
    }

    private HttpRequest.Builder request(String path) {
        try {
            return HttpRequest.newBuilder(URI.create(base + path)).header("Authorization", "Bearer " + key);
        } catch (IllegalArgumentException e) {
            throw new CliException("url or key cannot be used: " + base);
        }
    }

    private Stream<String> send(HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<Stream<String>> response;
        try {
            response = http.send(request, HttpResponse.BodyHandlers.ofLines());
        } catch (ConnectException e) {
            throw new CliException(
                    "no server answers at " + base + "; start one with ./plumbline serve, or give --url");
        }
        if (response.statusCode() != OK) {
            throw new CliException(refusal(response));
        }
        return response.body();
    }

    private String refusal(HttpResponse<Stream<String>> response) {
        String status = "the server answered " + response.statusCode();
        try (Stream<String> lines = response.body()) {
            return status + ": " + message(json.readTree(lines.collect(Collectors.joining("\n"))));
        } catch (JacksonException e) {
            return status + "; is " + base + " a Plumbline server?";
        }
    }

    private static String message(JsonNode body) {
        return body.at("/error/message").asString("no reason given");
    }
}
