"""Makes a model whose every dimension is odd or unusual and runs the executable specification of v4-tiny on it:
python3 make.py (needs numpy). Writes config.json in transformers' spelling (compression rates 3 and 10, three streams),
model.safetensors in transformers' module names with fused experts, and golden.safetensors: input_ids int32 [260],
logits fp32 [260, 77]."""
import io, json, os, re, struct
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
TYPES = ["heavily_compressed_attention", "compressed_sparse_attention", "sliding_attention",
         "compressed_sparse_attention", "heavily_compressed_attention"]
CSA, HCA = 3, 10
RATIO = {"sliding_attention": 0, "compressed_sparse_attention": CSA, "heavily_compressed_attention": HCA}
V, H, D, NH, QL, OL, G, E, K, I, HC, RD, IH, ID, TK, WIN, ITER, HASH = 77, 40, 20, 6, 24, 10, 3, 5, 3, 22, 3, 6, 37, 14, 7, 5, 4, 1
LENGTH = 260
rng = np.random.default_rng(13)


def normal(*shape, scale=None):
    return (rng.standard_normal(shape) * (scale or shape[-1] ** -0.5)).astype(np.float32)


def norm(n):
    return (1 + 0.1 * rng.standard_normal(n)).astype(np.float32)


def hyper(weights, prefix):
    rows = (2 + HC) * HC
    weights[prefix + "_fn"], weights[prefix + "_base"] = normal(rows, HC * H), normal(rows, scale=0.5)
    weights[prefix + "_scale"] = (0.5 + rng.random(3)).astype(np.float32)


def compressor(weights, prefix, series, ratio, width):
    weights[prefix + "wkv.weight"], weights[prefix + "wgate.weight"] = normal(series * width, H), normal(series * width, H)
    weights[prefix + "ape"], weights[prefix + "norm.weight"] = normal(ratio, series * width, scale=0.5), norm(width)


W = {"embed.weight": normal(V, H, scale=1.0), "head.weight": normal(V, H), "norm.weight": norm(H),
     "hc_head_fn": normal(HC, HC * H), "hc_head_base": normal(HC, scale=0.5), "hc_head_scale": np.array([0.7], np.float32)}
for layer, kind in enumerate(TYPES):
    p = f"layers.{layer}."
    hyper(W, p + "hc_attn")
    hyper(W, p + "hc_ffn")
    W[p + "attn_norm.weight"], W[p + "ffn_norm.weight"] = norm(H), norm(H)
    a = p + "attn."
    W[a + "wq_a.weight"], W[a + "q_norm.weight"], W[a + "wq_b.weight"] = normal(QL, H), norm(QL), normal(NH * D, QL)
    W[a + "wkv.weight"], W[a + "kv_norm.weight"], W[a + "attn_sink"] = normal(D, H), norm(D), normal(NH, scale=1.0)
    W[a + "wo_a.weight"], W[a + "wo_b.weight"] = normal(G * OL, NH * D // G), normal(H, G * OL)
    if kind.startswith("heavily"):
        compressor(W, a + "compressor.", 1, HCA, D)
    if kind.startswith("compressed"):
        compressor(W, a + "compressor.", 2, CSA, D)
        compressor(W, a + "indexer.compressor.", 2, CSA, ID)
        W[a + "indexer.wq_b.weight"], W[a + "indexer.weights_proj.weight"] = normal(IH * ID, QL), normal(IH, H)
    f = p + "ffn."
    W[f + "gate.weight"] = normal(E, H)
    if layer < HASH:
        W[f + "gate.tid2eid"] = np.stack([rng.permutation(E)[:K] for _ in range(V)]).astype(np.int64)
    else:
        W[f + "gate.bias"] = normal(E, scale=0.3)
    for e in [f"experts.{i}" for i in range(E)] + ["shared_experts"]:
        for name, shape in (("w1", (I, H)), ("w3", (I, H)), ("w2", (H, I))):
            W[f"{f}{e}.{name}.weight"] = normal(*shape)

config = {
    "model_type": "deepseek_v4", "architectures": ["DeepseekV4ForCausalLM"], "vocab_size": V, "hidden_size": H,
    "num_hidden_layers": len(TYPES), "num_attention_heads": NH, "num_key_value_heads": 1, "head_dim": D,
    "partial_rotary_factor": RD / D, "q_lora_rank": QL, "o_lora_rank": OL, "o_groups": G, "sliding_window": WIN,
    "layer_types": TYPES, "mlp_layer_types": ["hash_moe"] * HASH + ["moe"] * (len(TYPES) - HASH),
    "compress_rates": {"compressed_sparse_attention": CSA, "heavily_compressed_attention": HCA},
    "index_n_heads": IH, "index_head_dim": ID, "index_topk": TK, "hc_mult": HC, "hc_sinkhorn_iters": ITER,
    "hc_eps": 1e-06, "n_routed_experts": E, "n_shared_experts": 1, "num_experts_per_tok": K, "moe_intermediate_size": I,
    "routed_scaling_factor": 1.5, "scoring_func": "sqrtsoftplus", "swiglu_limit": 10.0, "rms_norm_eps": 1e-06,
    "rope_parameters": {
        "main": {"rope_type": "default", "rope_theta": 10000, "partial_rotary_factor": RD / D},
        "compress": {"rope_type": "yarn", "rope_theta": 160000, "partial_rotary_factor": RD / D, "factor": 16,
                     "original_max_position_embeddings": 65536, "beta_fast": 32, "beta_slow": 1,
                     "attention_factor": 1.0}},
    "max_position_embeddings": 512, "bos_token_id": 0, "eos_token_id": 1, "tie_word_embeddings": False,
    "hidden_act": "silu", "torch_dtype": "float32",
}

LEAVES = [("attn.indexer.compressor.", "self_attn.compressor.indexer."), ("attn.indexer.weights_proj", "self_attn.compressor.indexer.scorer.weights_proj"),
          ("attn.indexer.wq_b", "self_attn.compressor.indexer.q_b_proj"), ("attn.compressor.", "self_attn.compressor."),
          ("attn_norm.", "input_layernorm."), ("ffn_norm.", "post_attention_layernorm."), ("hc_attn_", "attn_hc."),
          ("hc_ffn_", "ffn_hc."), ("attn.attn_sink", "self_attn.sinks"), ("attn.wq_a", "self_attn.q_a_proj"),
          ("attn.q_norm", "self_attn.q_a_norm"), ("attn.wq_b", "self_attn.q_b_proj"), ("attn.wkv", "self_attn.kv_proj"),
          ("attn.kv_norm", "self_attn.kv_norm"), ("attn.wo_a", "self_attn.o_a_proj"), ("attn.wo_b", "self_attn.o_b_proj"),
          ("gate.bias", "gate.e_score_correction_bias"), ("ffn.", "mlp."), ("shared_experts.w1", "shared_experts.gate_proj"),
          ("shared_experts.w3", "shared_experts.up_proj"), ("shared_experts.w2", "shared_experts.down_proj")]
GLOBAL = {"embed.weight": "model.embed_tokens.weight", "head.weight": "lm_head.weight", "norm.weight": "model.norm.weight",
          "hc_head_fn": "model.hc_head.hc_fn", "hc_head_base": "model.hc_head.hc_base", "hc_head_scale": "model.hc_head.hc_scale"}


def module_name(name):
    if name in GLOBAL:
        return GLOBAL[name]
    for ours, theirs in LEAVES:
        name = re.sub("(?<![a-z_])" + re.escape(ours), theirs, name)
    if ".compressor." in name:
        name = name.replace("wkv.", "kv_proj.").replace("wgate.", "gate_proj.").replace(".ape", ".position_bias")
        name = name.replace("compressor.norm.", "compressor.kv_norm.").replace("indexer.norm.", "indexer.kv_norm.")
    return "model." + name


def save(path, tensors):
    header, body = {}, io.BytesIO()
    for name, value in tensors.items():
        begin = body.tell()
        body.write(np.ascontiguousarray(value).tobytes())
        dtype = {np.dtype("int64"): "I64", np.dtype("int32"): "I32", np.dtype("float32"): "F32"}[value.dtype]
        header[name] = {"dtype": dtype, "shape": list(value.shape), "data_offsets": [begin, body.tell()]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(os.path.join(HERE, path), "wb") as out:
        out.write(struct.pack("<Q", len(text)) + text + body.getvalue())


stored = {module_name(n): w for n, w in W.items() if ".experts." not in n}
for layer in range(len(TYPES)):
    f = f"layers.{layer}.ffn.experts."
    stored[f"model.layers.{layer}.mlp.experts.gate_up_proj"] = np.stack(
        [np.concatenate([W[f"{f}{e}.w1.weight"], W[f"{f}{e}.w3.weight"]]) for e in range(E)])
    stored[f"model.layers.{layer}.mlp.experts.down_proj"] = np.stack([W[f"{f}{e}.w2.weight"] for e in range(E)])
json.dump(config, open(os.path.join(HERE, "config.json"), "w"), indent=1)
save("model.safetensors", stored)

source = open(os.path.join(HERE, "..", "v4-tiny", "forward.py")).read()
body = source[source.index("eps=1e-6"):source.index("d=np.abs(gold")]
for ours, theirs in (("ratio==4", "ratio==CSA"), ('compress(p+"indexer.compressor.",x,4,ID)', 'compress(p+"indexer.compressor.",x,CSA,ID)'),
                     ("range(19)", f"range({ITER - 1})"), ("[:,:2]", f"[:,:{K}]"), ("range(4)", f"range({len(TYPES)})")):
    assert ours in body, ours
    body = body.replace(ours, theirs)
ids = rng.integers(0, V, LENGTH)
space = {"np": np, "math": __import__("math"), "S": LENGTH, "ids": ids, "hc": HC, "CSA": CSA,
         "cfg": {"compress_ratios": [RATIO[t] for t in TYPES]},
         "W": {k: v.astype(np.float64) if v.dtype == np.float32 else v for k, v in W.items()},
         **{k: globals()[k] for k in "V H D NH QL OL G E I RD IH ID TK WIN".split()}}
exec(compile(body, "forward.py", "exec"), space)
save("golden.safetensors", {"input_ids": ids.astype(np.int32), "logits": space["logits"].astype(np.float32)})
gaps = sorted(float(g[0]) for g in space["gapmin"][1:])
print("logits", space["logits"].shape, "std", space["logits"].std(), "smallest gaps at the cut", gaps[:4])
