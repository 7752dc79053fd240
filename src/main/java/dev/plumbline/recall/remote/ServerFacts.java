package dev.plumbline.recall.remote;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/**
 * What a server says of itself. Of SGLang's server info only known fields are kept: the whole of it holds the server's own
 * API keys.
 */
final class ServerFacts {
    private static final String INFO = "/get_server_info";
    /** Its name in newer releases. */
    private static final String NEWER_INFO = "/server_info";

    /** Server arguments that decide what a model computes, and where. */
    private static final List<String> KNOWN = List.of(
            "version",
            "model_path",
            "served_model_name",
            "revision",
            "dtype",
            "quantization",
            "kv_cache_dtype",
            "attention_backend",
            "prefill_attention_backend",
            "decode_attention_backend",
            "dsa_prefill_backend",
            "dsa_decode_backend",
            "dsa_topk_backend",
            "dsa_paged_mqa_logits_backend",
            "nsa_prefill_backend",
            "nsa_decode_backend",
            "enable_deepseek_v4_fp4_indexer",
            "enable_dsa_fp4_indexer",
            "enable_return_indexer_topk",
            "enable_deterministic_inference",
            "json_model_override_args",
            "page_size",
            "swa_full_tokens_ratio",
            "chunked_prefill_size",
            "context_length",
            "max_total_num_tokens",
            "disable_radix_cache",
            "disable_cuda_graph",
            "speculative_algorithm",
            "tp_size",
            "dp_size",
            "enable_dp_attention",
            "device");

    private ServerFacts() {}

    /** Names of the models that it lists. */
    static Mono<List<String>> models(ServerClient client) {
        return client.get("/v1/models").map(list -> list.path("data")
                .valueStream()
                .map(model -> client.words().quoted(model.path("id").asString("")))
                .filter(id -> !id.isEmpty())
                .limit(200)
                .toList());
    }

    /** Of SGLang's server info, what is known and set. */
    static Mono<Map<String, String>> sglang(ServerClient client) {
        return client.get(INFO)
                .onErrorResume(ServerFailure.class, missing -> client.get(NEWER_INFO))
                .map(info -> {
                    Map<String, String> facts = new LinkedHashMap<>();
                    // Some releases have them inside.
                    for (JsonNode level : List.of(info, info.path("server_args"))) {
                        KNOWN.forEach(name -> put(facts, name, level.path(name), client.words()));
                    }
                    return facts;
                });
    }

    private static void put(Map<String, String> facts, String name, JsonNode value, ServerWords words) {
        if (value.isValueNode() && !value.isNull()) {
            facts.putIfAbsent("server " + name, words.quoted(value.asString()));
        }
    }
}
