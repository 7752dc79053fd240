package dev.plumbline.cli;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Speaks to a server's API. */
final class ApiClient {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int FIRST_FAILURE = 300;

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final JsonMapper json = JsonMapper.shared();
    private final String base;
    private final String key;

    ApiClient(URI url, String key) {
        this.base = url.toString().replaceAll("/+$", "").replaceFirst("/v1$", "");
        this.key = key;
    }

    /** Sends an object; the answer's. */
    JsonNode post(String path, ObjectNode body) throws InterruptedException {
        return post(path, "application/json", body.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** Sends a document in YAML; the answer's object. */
    JsonNode postYaml(String path, byte[] document) throws InterruptedException {
        return post(path, "application/yaml", document);
    }

    private JsonNode post(String path, String type, byte[] body) throws InterruptedException {
        return read(send(request(path)
                .header("Content-Type", type)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build()));
    }

    /** The object of a path. */
    JsonNode get(String path) throws InterruptedException {
        return read(text(path));
    }

    /** The text of a path. */
    String text(String path) throws InterruptedException {
        return send(request(path).GET().build());
    }

    private HttpRequest.Builder request(String path) {
        try {
            return HttpRequest.newBuilder(URI.create(base + path))
                    .header("Authorization", "Bearer " + key)
                    .timeout(PATIENCE);
        } catch (IllegalArgumentException e) {
            throw new CliException("url or key cannot be used: " + base);
        }
    }

    private String send(HttpRequest request) throws InterruptedException {
        HttpResponse<String> response;
        try {
            response = http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (ConnectException e) {
            throw new CliException("no server answers at " + base + "; start one with ./plumbline serve");
        } catch (IOException e) {
            throw new CliException("the connection to " + base + " broke off: " + e);
        }
        if (response.statusCode() >= FIRST_FAILURE) {
            throw new CliException("the server answered " + response.statusCode() + ": " + reason(response.body()));
        }
        return response.body();
    }

    private String reason(String body) {
        try {
            return json.readTree(body).at("/error/message").asString("no reason given");
        } catch (JacksonException e) {
            return "is " + base + " a Plumbline server?";
        }
    }

    private JsonNode read(String body) {
        try {
            return json.readTree(body);
        } catch (JacksonException e) {
            throw new CliException("the answer is no JSON; is " + base + " a Plumbline server?");
        }
    }
}
