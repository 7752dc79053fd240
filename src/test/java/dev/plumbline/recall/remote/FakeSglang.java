package dev.plumbline.recall.remote;

import static dev.plumbline.recall.remote.FakeServer.events;
import static dev.plumbline.recall.remote.FakeServer.json;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * SGLang's native endpoints: of every token but the last, layer by layer, the selected entries as 32-bit integers, lowest
 * byte first, −1 behind the last, all in base64.
 *
 * @param layers layers that select
 * @param topk most entries of a selection
 * @param ratio tokens of an entry
 * @param selector what is selected once not all entries are
 */
record FakeSglang(int layers, int topk, int ratio, Selector selector) {
    static final String GENERATE = "/generate";
    static final String INFO = "/get_server_info";
    static final List<String> ANSWER = List.of("The ", "code ", "is ", "4492.");
    static final String OWN_KEY = "sk-own-key-of-the-server";

    /** Entries that a layer selects for a query; at most as many as fit. */
    interface Selector {
        List<Integer> entries(int position, int layer);
    }

    /** Adds the endpoints to a server. */
    FakeServer on(FakeServer server) {
        return server.on(GENERATE, (response, body) -> events(response, answer(body)))
                .on(
                        INFO,
                        (response, body) -> json(
                                response,
                                200,
                                "{\"version\":\"0.5.16\",\"kv_cache_dtype\":\"fp8_e4m3\",\"api_key\":\"" + OWN_KEY
                                        + "\",\"internal_states\":[{}],\"server_args\":{\"tp_size\":4}}"));
    }

    /** Events of an answer to a request. */
    List<String> answer(JsonNode body) {
        int prompt = body.path("input_ids").size();
        int tokens = Math.min(
                ANSWER.size(), body.at("/sampling_params/max_new_tokens").asInt());
        List<String> events = new ArrayList<>();
        for (int i = 1; i < tokens; i++) {
            events.add(event(String.join("", ANSWER.subList(0, i)), prompt, i, null, null));
        }
        events.add(event(
                String.join("", ANSWER.subList(0, tokens)),
                prompt,
                tokens,
                tokens < ANSWER.size() ? "length" : "stop",
                selections(prompt + tokens - 1)));
        events.add("[DONE]");
        return events;
    }

    static String event(String text, int prompt, int tokens, String reason, String selections) {
        ObjectNode event = JsonMapper.shared().createObjectNode().put("text", text);
        ObjectNode info = event.putObject("meta_info").put("id", "4f1").put("prompt_tokens", prompt);
        if (reason == null) {
            info.putNull("finish_reason");
        } else {
            info.putObject("finish_reason").put("type", reason).put("matched", 1);
        }
        info.put("completion_tokens", tokens).put("cached_tokens", 0);
        if (selections != null) {
            info.put("indexer_topk", selections);
        }
        return event.put("index", 0).toString();
    }

    private String selections(int rows) {
        ByteBuffer bytes =
                ByteBuffer.allocate(rows * layers * topk * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int row = 0; row < rows; row++) {
            for (int layer = 0; layer < layers; layer++) {
                int candidates = (row + 1) / ratio;
                List<Integer> selected = candidates <= topk
                        ? IntStream.range(0, candidates).boxed().toList()
                        : selector.entries(row, layer);
                for (int i = 0; i < topk; i++) {
                    bytes.putInt(i < selected.size() ? selected.get(i) : -1);
                }
            }
        }
        return Base64.getEncoder().encodeToString(bytes.array());
    }
}
