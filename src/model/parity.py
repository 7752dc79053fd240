"""Compares the PyTorch model in fp32 with a plain numpy float64 forward pass written from the specification alone.

    python3 parity.py MODEL_FOLDER HAYSTACK [tokens]      prints the largest difference of a logit
"""
import json
import os
import sys

import numpy as np
import torch

import checkpoint
from data import Haystack, Writer, measure_example
from model import Config, NeedleMini
from tokenizer import Coder


class Reference:
    def __init__(self, config, tensors):
        self.c = config
        self.w = {name: t.float().numpy().astype(np.float64) for name, t in tensors.items()}

    def rms(self, x, weight=None):
        y = x / np.sqrt((x * x).mean(-1, keepdims=True) + self.c.rms_norm_eps)
        return y if weight is None else y * weight

    def rope(self, x, position, compressed, inverse=False):
        dims = self.c.qk_rope_head_dim
        theta = self.c.compress_rope_theta if compressed else self.c.rope_theta
        angle = np.asarray(position)[..., None] * float(theta) ** (-np.arange(0, dims, 2) / dims)
        cos, sin = np.cos(angle), np.sin(angle) * (-1 if inverse else 1)
        y = x.copy()
        a, b = x[..., -dims::2], x[..., -dims + 1::2]
        y[..., -dims::2], y[..., -dims + 1::2] = a * cos - b * sin, b * cos + a * sin
        return y

    def compress(self, p, x, ratio, d):
        kv, gate, ape, out = x @ self.w[p + "wkv.weight"].T, x @ self.w[p + "wgate.weight"].T, self.w[p + "ape"], []
        for i in range(len(x) // ratio):
            now = slice(i * ratio, (i + 1) * ratio)
            values, logits = kv[now], gate[now] + ape
            if ratio == 4:
                values, logits = values[:, d:], logits[:, d:]
                if i:
                    old = slice((i - 1) * ratio, i * ratio)
                    values = np.concatenate([kv[old, :d], values])
                    logits = np.concatenate([gate[old, :d] + ape[:, :d], logits])
            out.append((softmax(logits, 0) * values).sum(0))
        return self.rope(self.rms(np.array(out).reshape(-1, d), self.w[p + "norm.weight"]), np.arange(len(out)) * ratio, True)

    def connection(self, streams, p):
        n, eps, scale, base = self.c.hc_mult, self.c.hc_eps, self.w[p + "_scale"], self.w[p + "_base"]
        m = self.rms(streams.reshape(len(streams), -1)) @ self.w[p + "_fn"].T
        pre = sigmoid(m[:, :n] * scale[0] + base[:n]) + eps
        post = 2 * sigmoid(m[:, n:2 * n] * scale[1] + base[n:2 * n])
        comb = softmax((m[:, 2 * n:] * scale[2] + base[2 * n:]).reshape(-1, n, n), -1) + eps
        comb /= comb.sum(-2, keepdims=True) + eps
        for _ in range(self.c.hc_sinkhorn_iters - 1):
            comb /= comb.sum(-1, keepdims=True) + eps
            comb /= comb.sum(-2, keepdims=True) + eps
        return (pre[:, :, None] * streams).sum(1), post, comb

    def attention(self, p, x, ratio):
        c, w, count = self.c, self.w, len(x)
        heads, d, position = c.num_attention_heads, c.head_dim, np.arange(count)
        rank = self.rms(x @ w[p + "wq_a.weight"].T, w[p + "q_norm.weight"])
        q = self.rope(self.rms((rank @ w[p + "wq_b.weight"].T).reshape(count, heads, d)), position[:, None], ratio)
        keys = self.rope(self.rms(x @ w[p + "wkv.weight"].T, w[p + "kv_norm.weight"]), position, ratio)
        distance = position[:, None] - position[None]
        seen = (distance >= 0) & (distance < c.sliding_window)
        if ratio:
            entries = self.compress(p + "compressor.", x, ratio, d)
            limit = (position + 1) // ratio
            visible = np.arange(len(entries))[None] < limit[:, None]
            if ratio == 4:
                visible &= self.selected(p + "indexer.", x, rank, visible, position)
            keys, seen = np.concatenate([keys, entries]), np.concatenate([seen, visible], 1)
        logits = np.where(seen[None], np.einsum("shd,td->hst", q, keys) * d ** -0.5, -np.inf)
        sink = np.broadcast_to(w[p + "attn_sink"][:, None, None], (heads, count, 1))
        share = softmax(np.concatenate([logits, sink], -1), -1)[..., :-1]
        out = self.rope(np.einsum("hst,td->shd", share, keys), position[:, None], ratio, True).reshape(count, c.o_groups, -1)
        low = np.einsum("sgd,grd->sgr", out, w[p + "wo_a.weight"].reshape(c.o_groups, c.o_lora_rank, -1))
        return low.reshape(count, -1) @ w[p + "wo_b.weight"].T

    def selected(self, p, x, rank, visible, position):
        c, heads, d = self.c, self.c.index_n_heads, self.c.index_head_dim
        keys = self.compress(p + "compressor.", x, 4, d)
        q = self.rope((rank @ self.w[p + "wq_b.weight"].T).reshape(len(x), heads, d), position[:, None], True)
        weight = x @ self.w[p + "weights_proj.weight"].T * heads ** -0.5
        score = (np.maximum(np.einsum("shd,td->sht", q, keys), 0) * d ** -0.5 * weight[:, :, None]).sum(1)
        score[~visible] = -np.inf
        out = np.zeros_like(visible)
        for t in range(len(x)):
            out[t, np.argsort(-score[t], kind="stable")[:c.index_topk]] = True
        return out

    def expert(self, x, p):
        limit = self.c.swiglu_limit
        gate, up = np.minimum(x @ self.w[p + "w1.weight"].T, limit), np.clip(x @ self.w[p + "w3.weight"].T, -limit, limit)
        return (gate * sigmoid(gate) * up) @ self.w[p + "w2.weight"].T

    def mixture(self, p, x):
        c = self.c
        score = np.sqrt(np.logaddexp(0, x @ self.w[p + "gate.weight"].T))
        chosen = np.argsort(-(score + self.w[p + "gate.bias"]), -1, kind="stable")[:, :c.num_experts_per_tok]
        weight = np.take_along_axis(score, chosen, 1)
        weight = weight / (weight.sum(1, keepdims=True) + 1e-20) * c.routed_scaling_factor
        out = self.expert(x, p + "shared_experts.")
        for e in range(c.n_routed_experts):
            out += self.expert(x, f"{p}experts.{e}.") * ((chosen == e) * weight).sum(1)[:, None]
        return out

    def logits(self, ids):
        w, streams = self.w, np.repeat(self.w["embed.weight"][ids][:, None], self.c.hc_mult, 1)
        for i, ratio in enumerate(self.c.compress_ratios):
            p = f"layers.{i}."
            for name, norm, block in (("hc_attn", "attn_norm", lambda x: self.attention(p + "attn.", x, ratio)), ("hc_ffn", "ffn_norm", lambda x: self.mixture(p + "ffn.", x))):
                x, post, comb = self.connection(streams, p + name)
                out = block(self.rms(x, w[p + norm + ".weight"]))
                streams = post[:, :, None] * out[:, None] + np.einsum("sjk,sjd->skd", comb, streams)
        pre = sigmoid(self.rms(streams.reshape(len(ids), -1)) @ w["hc_head_fn"].T * w["hc_head_scale"] + w["hc_head_base"]) + self.c.hc_eps
        return self.rms((pre[:, :, None] * streams).sum(1), w["norm.weight"]) @ w["head.weight"].T


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softmax(x, axis):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def main():
    folder, haystack, count = sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 500
    config = Config(os.path.join(folder, "config.json"))
    coder = Coder(os.path.join(folder, "tokenizer.json"))
    ids = np.array(measure_example(Writer(Haystack(haystack, coder, True), 3), "single", count).ids)
    net = NeedleMini(config)
    checkpoint.load(net, folder)
    net.eval()
    padded = np.concatenate([ids, np.ones(-len(ids) % config.sliding_window, dtype=np.int64)])
    with torch.no_grad():
        mine = net(torch.tensor(padded)[None], torch.arange(len(padded)), torch.arange(len(ids))[None], config.index_topk, dtype=torch.float32)[0][0].numpy()
    theirs = Reference(config, checkpoint.read(folder)).logits(ids)
    difference = np.abs(mine - theirs).max(-1)
    print(f"{len(ids)} tokens, logit std {theirs.std():.3f}, max |delta| {difference.max():.2e}, median {np.median(difference):.2e}, "
          f"argmax equal {(mine.argmax(-1) == theirs.argmax(-1)).mean():.4f}")


if __name__ == "__main__":
    main()
