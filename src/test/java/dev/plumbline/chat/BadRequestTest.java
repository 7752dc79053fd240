package dev.plumbline.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.plumbline.testing.TestServer;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Requests that must be refused, and those at the edge that must not. */
class BadRequestTest {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int LIMIT = 8 * 1024 * 1024;

    private static TestServer server;
    private static String model;

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException {
        server = TestServer.serving(folder, 4, 8);
        model = server.target().name();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            model                 | 1
            messages              | "hi"
            messages              | []
            messages[0]           | ["hi"]
            messages[0].role      | [{"content":"x"}]
            messages[0].role      | [{"role":1,"content":"x"}]
            messages[0].role      | [{"role":"robot","content":"x"}]
            messages[0].role      | [{"role":"tool","content":"x","tool_call_id":"1"}]
            messages[0].content   | [{"role":"user"}]
            messages[0].content   | [{"role":"user","content":null}]
            messages[0].content   | [{"role":"user","content":7}]
            messages[0].content   | [{"role":"user","content":[]}]
            messages[0].content   | [{"role":"user","content":"a\\ud800b"}]
            messages[0].content[0]      | [{"role":"user","content":["x"]}]
            messages[0].content[0].text | [{"role":"user","content":[{"type":"text"}]}]
            messages[0].content[0].type | [{"role":"user","content":[{"type":"image_url","image_url":{"url":"x"}}]}]
            messages[0].name      | [{"role":"user","content":"x","name":1}]
            messages[0].color     | [{"role":"user","content":"x","color":"red"}]
            messages[0].tool_calls | [{"role":"assistant","content":"x","tool_calls":[{}]}]
            stream                | "yes"
            stream                | 1
            stream_options        | {"include_usage":true}
            max_tokens            | 0
            max_tokens            | 1.5
            max_tokens            | "5"
            max_tokens            | 99999999999999999999999
            max_completion_tokens | -1
            temperature           | 2.01
            temperature           | -0.1
            temperature           | "hot"
            temperature           | [1]
            temperature           | 1e400
            top_p                 | 1.1
            top_p                 | true
            seed                  | 1.5
            seed                  | 9223372036854775808
            stop                  | 5
            stop                  | ""
            stop                  | ["a","b","c","d","e"]
            stop[1]               | ["a",2]
            n                     | 9
            n                     | 1.5
            n                     | "2"
            n                     | 0
            presence_penalty      | 3
            frequency_penalty     | -2.5
            logit_bias            | [1]
            logit_bias.x          | {"x":1}
            logit_bias.5          | {"5":101}
            logit_bias.-1         | {"-1":1}
            logprobs              | 1
            logprobs              | "true"
            top_logprobs          | 0
            top_logprobs          | 2
            top_logprobs          | 21
            top_logprobs          | -1
            top_logprobs          | 1.5
            top_logprobs          | true
            tools                 | [{"type":"function"}]
            tool_choice           | "auto"
            response_format.type  | {"type":"json_object"}
            response_format       | "json"
            reasoning_effort      | "maximal"
            thinking              | true
            thinking.type         | {"type":"maybe"}
            modalities            | ["audio"]
            modalities            | "text"
            audio                 | {"voice":"x"}
            store                 | "true"
            user                  | 5
            metadata              | "x"
            metadata.a            | {"a":1}
            metadata.a            | {"a":null}
            metadata              | [["a","b"]]
            conversation          | "c1"
            logit_bias.5          | {"5":"1"}
            logit_bias.5          | {"5":null}
            logit_bias.1e3        | {"1e3":1}
            logit_bias.2147483648 | {"2147483648":1}
            presence_penalty      | "1"
            frequency_penalty     | [1]
            service_tier          | 1
            parallel_tool_calls   | "no"
            top_k                 | 5
            selection             | "last"
            selection.queries     | {}
            selection.queries     | {"queries":"first"}
            selection.queries     | {"queries":1}
            selection.stage       | {"queries":"last","stage":"decode"}
            selection.stage       | {"queries":"question","stage":"decode"}
            selection.stage       | {"queries":"answer","stage":"prefill"}
            selection.stage       | {"queries":"all","stage":"both"}
            selection.layers      | {"queries":"last","layers":1}
            selection.layers      | {"queries":"last","layers":[]}
            selection.layers      | {"queries":"last","layers":[0]}
            selection.layers      | {"queries":"last","layers":[1,-1]}
            selection.layers[1]   | {"queries":"last","layers":[1,1]}
            selection.layers[0]   | {"queries":"last","layers":["1"]}
            selection.layers[0]   | {"queries":"last","layers":[4294967297]}
            selection.watch       | {"queries":"last","watch":"ZEBRA"}
            selection.watch       | {"queries":"last","watch":["a","a","a","a","a","a","a","a","a","a","a","a","a","a","a","a","a"]}
            selection.watch[0]    | {"queries":"last","watch":[""]}
            selection.watch[1]    | {"queries":"last","watch":["a",null]}
            selection.watch[0]    | {"queries":"last","watch":["\\udc00"]}
            selection.entries     | {"queries":"last","entries":"yes"}
            selection.everything  | {"queries":"last","everything":true}
            """)
    void aWrongFieldIsNamed(String param, String value) throws Exception {
        String field = param.split("[.\\[]")[0];
        HttpResponse<String> response = server.chat(utf8(with(field, value)));

        assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
        JsonNode error = error(response);
        assertThat(error.path("param").asString()).isEqualTo(param);
        assertThat(error.path("message").asString()).contains(field);
        assertThat(error.path("type").asString()).isEqualTo("invalid_request_error");
        assertThat(error.path("code").isString()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            temperature           | 0
            temperature           | 2
            temperature           | null
            top_p                 | 0
            top_p                 | 1
            seed                  | -9223372036854775808
            seed                  | 7.0
            stop                  | ["a","b","c","d"]
            stop                  | []
            stop                  | null
            n                     | 1
            n                     | 8
            n                     | 2.0
            max_completion_tokens | 3
            presence_penalty      | -2
            frequency_penalty     | 2
            logit_bias            | {"5":-100,"6":100}
            logprobs              | false
            logprobs              | null
            logprobs              | true
            top_logprobs          | null
            tools                 | []
            response_format       | {"type":"text"}
            reasoning_effort      | "none"
            reasoning_effort      | "high"
            thinking              | {"type":"enabled"}
            modalities            | ["text"]
            store                 | false
            user                  | "someone"
            metadata              | {"a":"b"}
            service_tier          | "auto"
            prompt_cache_key      | "k"
            safety_identifier     | "s"
            parallel_tool_calls   | true
            messages              | [{"role":"developer","content":"be brief"},{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}]
            messages              | [{"role":"user","content":"a"},{"role":"assistant","content":"b","reasoning_content":"c","refusal":null},{"role":"user","content":"d"}]
            messages              | [{"role":"user","content":""}]
            messages              | [{"role":"user","content":"\\u0000\\ud83d\\ude00<｜end▁of▁sentence｜>"}]
            """)
    void whatTheApiAllowsIsAnswered(String field, String value) throws Exception {
        HttpResponse<String> response = server.chat(utf8(with(field, value)));

        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "nope",
                "[]",
                "\"text\"",
                "null",
                "{\"model\":\"x\",}",
                "{\"model\":\"x\"} {}",
                "{\"model\":\"x\",\"model\":\"y\"}",
                "{'model':'x'}",
                "{\"temperature\":NaN}",
                "{\"a\":\"\u0001\"}"
            })
    void whatIsNoJsonObjectIsRefused(String body) throws Exception {
        HttpResponse<String> response = server.chat(utf8(body));

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(error(response).path("code").asString()).isEqualTo("invalid_json");
    }

    @Test
    void deepNestingIsRefused() throws Exception {
        HttpResponse<String> response = server.chat(utf8("{\"a\":" + "[".repeat(100_000)));

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(error(response).path("message").asString()).contains("nested");
    }

    @Test
    void aTreeOfManyNodesIsRefusedBeforeItIsBuilt() throws Exception {
        HttpResponse<String> response = server.chat(utf8("{\"a\":[" + "{},".repeat(2_000_000) + "1]}"));

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(error(response).path("message").asString()).contains("more than 200000");
    }

    @Test
    void moreMessagesThanAllowedAreRefused() throws Exception {
        String message = "{\"role\":\"user\",\"content\":\"x\"}";
        HttpResponse<String> response =
                server.chat(utf8(with("messages", "[" + (message + ",").repeat(2048) + message + "]")));

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(error(response).path("param").asString()).isEqualTo("messages");
        assertThat(error(response).path("message").asString()).contains("2049", "2048");
    }

    @Test
    void aStopStringOfUnreasonableLengthIsRefused() throws Exception {
        assertThat(server.chat(utf8(with("stop", "\"" + "x".repeat(1024) + "\"")))
                        .statusCode())
                .isEqualTo(200);
        assertThat(error(server.chat(utf8(with("stop", "\"" + "x".repeat(1025) + "\""))))
                        .path("param")
                        .asString())
                .isEqualTo("stop");
    }

    @Test
    void metadataIsHeldToItsLimits() throws Exception {
        String pairs = IntStream.range(0, 16)
                .mapToObj(i -> "\"" + "k".repeat(62) + (10 + i) + "\":\"" + "\ud83d\ude00".repeat(512) + "\"")
                .collect(Collectors.joining(","));

        assertThat(server.chat(utf8(with("metadata", "{" + pairs + "}"))).statusCode())
                .isEqualTo(200);
        for (String refused : new String[] {
            pairs + ",\"one more\":\"\"", "\"" + "k".repeat(65) + "\":\"\"", "\"a\":\"" + "x".repeat(513) + "\""
        }) {
            HttpResponse<String> response = server.chat(utf8(with("metadata", "{" + refused + "}")));
            assertThat(response.statusCode()).isEqualTo(400);
            assertThat(error(response).path("param").asString()).startsWith("metadata");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'; DROP TABLE users; --",
                "<script>alert(1)</script>",
                "\\\\u0000\\\\n",
                "{\\\"a\\\":1}",
                "\uFEFF\u202E\u0301"
            })
    void anyTextIsOnlyText(String text) throws Exception {
        for (String field : new String[] {"user", "stop", "safety_identifier", "prompt_cache_key"}) {
            assertThat(server.chat(utf8(with(field, "\"" + text + "\""))).statusCode())
                    .as(field)
                    .isEqualTo(200);
        }
        assertThat(server.chat(utf8(with("metadata", "{\"" + text + "\":\"" + text + "\"}")))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void badUtf8IsRefused() throws Exception {
        byte[] body = utf8(with("user", "\"§\""));
        int at = new String(body, StandardCharsets.ISO_8859_1).indexOf("Â§");
        body[at] = (byte) 0xff;

        HttpResponse<String> response = server.chat(body);

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(error(response).path("code").asString()).isEqualTo("invalid_utf8");
    }

    @ParameterizedTest
    @ValueSource(strings = {"model", "messages"})
    void aMissingRequiredFieldIsNamed(String field) throws Exception {
        HttpResponse<String> response = server.chat(utf8(with(field, null)));

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(error(response).path("param").asString()).isEqualTo(field);
        assertThat(error(response).path("code").asString()).isEqualTo("missing_required_parameter");
    }

    @Test
    void contradictingLimitsAreRefused() throws Exception {
        String body = with("max_completion_tokens", "4").replaceFirst("\\{", "{\"max_tokens\":3,");

        assertThat(error(server.chat(utf8(body))).path("param").asString()).isEqualTo("max_tokens");
    }

    @Test
    void aBodyOfExactly8MiBIsReadToItsEnd() throws Exception {
        HttpResponse<String> response = server.chat(filled(LIMIT));

        assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
        assertThat(error(response).path("code").asString()).isEqualTo("context_length_exceeded");
    }

    @ParameterizedTest
    @ValueSource(ints = {LIMIT + 1, 9 * 1024 * 1024})
    void aLargerBodyIsRefused(int bytes) throws Exception {
        HttpResponse<String> response = server.chat(filled(bytes));

        assertThat(response.statusCode()).isEqualTo(413);
        assertThat(error(response).path("code").asString()).isEqualTo("request_too_large");
    }

    @Test
    void aPromptBeyondTheContextIsRefusedWithTheNumbers() throws Exception {
        HttpResponse<String> response = server.chat(filled(9000));

        assertThat(response.statusCode()).isEqualTo(400);
        JsonNode error = error(response);
        assertThat(error.path("code").asString()).isEqualTo("context_length_exceeded");
        assertThat(error.path("param").asString()).isEqualTo("messages");
        assertThat(error.path("message").asString())
                .contains("8192 tokens")
                .containsPattern("resulted in [0-9]+ tokens");
    }

    @Test
    void aPromptBeyondTheContextIsRefusedTheSameWayWhenStreamed() throws Exception {
        String body = new String(filled(9000), StandardCharsets.UTF_8).replaceFirst("\\{", "{\"stream\":true,");

        HttpResponse<String> response = server.chat(utf8(body));

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
        assertThat(error(response).path("code").asString()).isEqualTo("context_length_exceeded");
    }

    @Test
    void anUnknownModelIsRefused() throws Exception {
        HttpResponse<String> response = server.chat(utf8(with("model", "\"gpt-9\"")));

        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(error(response).path("code").asString()).isEqualTo("model_not_found");
        assertThat(error(response).path("param").asString()).isEqualTo("model");
    }

    @Test
    void aBiasForATokenThatDoesNotExistIsRefused() throws Exception {
        HttpResponse<String> response = server.chat(utf8(with("logit_bias", "{\"99999\":1}")));

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(error(response).path("message").asString()).contains("logit_bias", "99999", "272");
        assertThat(error(response).path("param").asString()).isEqualTo("logit_bias.99999");
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/x-www-form-urlencoded", "nonsense", "application/xml"})
    void onlyJsonIsTaken(String type) throws Exception {
        HttpResponse<String> response = server.send(server.request("/v1/chat/completions")
                .header("Content-Type", type)
                .POST(BodyPublishers.ofString(with("n", "1"))));

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(error(response).path("code").asString()).isEqualTo("unsupported_content_type");
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /v1/chat/completion, 404",
        "GET, /, 404",
        "GET, /v1/models/gpt-9, 404",
        "GET, /actuator/env, 404",
        "PUT, /v1/chat/completions, 405",
        "DELETE, /v1/models, 405"
    })
    void unknownPathsAndMethodsAreRefusedInTheSameShape(String method, String path, int status) throws Exception {
        HttpResponse<String> response = server.send(server.request(path).method(method, BodyPublishers.noBody()));

        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(error(response).path("message").asString()).isNotEmpty();
    }

    private static JsonNode error(HttpResponse<String> response) {
        JsonNode error = JSON.readTree(response.body()).path("error");
        assertThat(error.propertyNames())
                .as(response.body())
                .containsExactlyInAnyOrder("message", "type", "param", "code");
        return error;
    }

    /** A short valid request with one field's value replaced; null removes it. */
    private static String with(String field, String value) {
        StringBuilder body = new StringBuilder("{");
        for (String[] entry : new String[][] {
            {"model", "\"" + model + "\""},
            {"messages", "[{\"role\":\"user\",\"content\":\"hi\"}]"},
            {"max_tokens", "3"}
        }) {
            boolean replaced =
                    entry[0].equals(field) || entry[0].equals("max_tokens") && field.equals("max_completion_tokens");
            if (!replaced) {
                body.append('"').append(entry[0]).append("\":").append(entry[1]).append(',');
            }
        }
        if (value == null) {
            return body.substring(0, body.length() - 1) + "}";
        }
        return body + "\"" + field + "\":" + value + "}";
    }

    /** A valid request of exactly this many bytes. */
    private static byte[] filled(int bytes) {
        byte[] start = utf8("{\"model\":\"" + model + "\",\"messages\":[{\"role\":\"user\",\"content\":\"");
        byte[] end = utf8("\"}]}");
        byte[] body = new byte[bytes];
        Arrays.fill(body, (byte) 'x');
        System.arraycopy(start, 0, body, 0, start.length);
        System.arraycopy(end, 0, body, bytes - end.length, end.length);
        return body;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
