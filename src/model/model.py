"""needle-mini in PyTorch: the DeepSeek-V4 forward pass for training. Parameter names are those of the released checkpoints, except that the
experts of a layer are kept in two stacked tensors (checkpoint.py takes them apart)."""
import json

import torch
import torch.nn as nn
import torch.nn.functional as F

MASKED = -1e9


class Config:
    def __init__(self, path):
        for key, value in json.load(open(path)).items():
            setattr(self, key, value)
        self.path = path


def rms_norm(x, weight=None, eps=1e-6):
    y = x.float()
    y = (y * torch.rsqrt(y.pow(2).mean(-1, keepdim=True) + eps)).to(x.dtype)
    return y if weight is None else y * weight.to(x.dtype)


def linear(inputs, outputs, std=None):
    layer = nn.Linear(inputs, outputs, bias=False)
    nn.init.normal_(layer.weight, std=std or inputs ** -0.5)
    return layer


class Norm(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))

    def forward(self, x):
        return rms_norm(x, self.weight)


def rope_table(positions, dims, theta):
    inverse = theta ** (-torch.arange(0, dims, 2, device=positions.device).float() / dims)
    angle = positions.float()[:, None] * inverse[None]
    return angle.cos(), angle.sin()


def rotate(x, table, inverse=False):
    """Interleaved rotation of the last dims of x [batch, position, (head,) dim]."""
    cos, sin = table
    dims = 2 * cos.shape[1]
    shape = [1, cos.shape[0]] + [1] * (x.dim() - 3) + [cos.shape[1]]
    cos, sin = cos.view(shape), sin.view(shape)
    if inverse:
        sin = -sin
    plain, tail = x[..., :-dims], x[..., -dims:].float()
    a, b = tail[..., 0::2], tail[..., 1::2]
    turned = torch.stack((a * cos - b * sin, a * sin + b * cos), -1).flatten(-2)
    return torch.cat([plain, turned.to(x.dtype)], -1)


class Ropes:
    """All rotation tables of one forward pass. Positions may have gaps (train.py), so entries are turned by the position of their first token."""

    def __init__(self, config, positions):
        dims = config.qk_rope_head_dim
        self.main = rope_table(positions, dims, float(config.rope_theta))
        self.compress = rope_table(positions, dims, float(config.compress_rope_theta))
        self.entries = {m: rope_table(positions[:len(positions) // m * m:m], dims, float(config.compress_rope_theta))
                        for m in set(config.compress_ratios) if m}

    def of(self, ratio):
        return (self.compress, self.entries[ratio]) if ratio else (self.main, self.main)


class HyperConnection(nn.Module):
    """Mapping weights of one sub-layer; the parameters themselves live in the layer under their released names."""

    @staticmethod
    def weights(streams, fn, base, scale, config):
        n, eps = config.hc_mult, config.hc_eps
        mixed = F.linear(rms_norm(streams.flatten(2).float()), fn)
        pre, post, comb = mixed.split([n, n, n * n], -1)
        base_pre, base_post, base_comb = base.split([n, n, n * n])
        pre = torch.sigmoid(pre * scale[0] + base_pre) + eps
        post = 2 * torch.sigmoid(post * scale[1] + base_post)
        comb = torch.softmax((comb * scale[2] + base_comb).unflatten(-1, (n, n)), -1) + eps
        comb = comb / (comb.sum(-2, keepdim=True) + eps)
        for _ in range(config.hc_sinkhorn_iters - 1):
            comb = comb / (comb.sum(-1, keepdim=True) + eps)
            comb = comb / (comb.sum(-2, keepdim=True) + eps)
        return pre, post, comb

    @staticmethod
    def collapse(streams, pre):
        return (pre.unsqueeze(-1) * streams).sum(2).to(streams.dtype)

    @staticmethod
    def update(streams, output, post, comb):
        kept = (comb.unsqueeze(-1) * streams.unsqueeze(-2)).sum(2)          # combᵀ · streams
        return (post.unsqueeze(-1) * output.unsqueeze(-2) + kept).to(streams.dtype)


class Compressor(nn.Module):
    def __init__(self, config, ratio, dim):
        super().__init__()
        self.ratio, self.dim, self.overlap = ratio, dim, ratio == 4
        width = 2 * dim if self.overlap else dim
        self.wkv = linear(config.hidden_size, width)
        self.wgate = linear(config.hidden_size, width, 0.02)
        self.ape = nn.Parameter(torch.randn(ratio, width) * 0.02)
        self.norm = Norm(dim)

    def forward(self, x, rope):
        batch, length, _ = x.shape
        ratio, dim, count = self.ratio, self.dim, length // self.ratio
        x = x[:, :count * ratio]
        kv = self.wkv(x).view(batch, count, ratio, -1)
        gate = self.wgate(x).view(batch, count, ratio, -1).float() + self.ape
        if self.overlap:                                                  # series A of the window before, series B of this one
            before = F.pad(kv[..., :dim], (0, 0, 0, 0, 1, 0))[:, :-1]
            gate_before = F.pad(gate[..., :dim], (0, 0, 0, 0, 1, 0), value=MASKED)[:, :-1]
            kv = torch.cat([before, kv[..., dim:]], 2)
            gate = torch.cat([gate_before, gate[..., dim:]], 2)
        pooled = (kv * gate.softmax(2).to(kv.dtype)).sum(2)
        return rotate(self.norm(pooled), rope)


class Indexer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.heads, self.dim = config.index_n_heads, config.index_head_dim
        self.wq_b = linear(config.q_lora_rank, self.heads * self.dim)
        self.weights_proj = linear(config.hidden_size, self.heads)
        self.compressor = Compressor(config, 4, self.dim)

    def forward(self, x, q_rank, ropes, round_keys):
        """Scores [batch, query, entry]. Inputs come detached: the indexer learns from its own loss only."""
        batch, length, _ = x.shape
        keys = self.compressor(x, ropes[1])
        if round_keys:
            keys = keys.bfloat16().to(keys.dtype)
        queries = rotate(self.wq_b(q_rank).view(batch, length, self.heads, self.dim), ropes[0])
        dots = torch.bmm(queries.reshape(batch, length * self.heads, self.dim), keys.transpose(1, 2))
        dots = dots.view(batch, length, self.heads, -1).float()
        weight = self.weights_proj(x).float() * (self.heads ** -0.5 * self.dim ** -0.5)
        return (F.relu(dots) * weight.unsqueeze(-1)).sum(2)


class Attention(nn.Module):
    def __init__(self, config, ratio):
        super().__init__()
        self.config, self.ratio = config, ratio
        self.heads, self.dim, self.window = config.num_attention_heads, config.head_dim, config.sliding_window
        hidden, groups, rank = config.hidden_size, config.o_groups, config.o_lora_rank
        self.wq_a = linear(hidden, config.q_lora_rank)
        self.q_norm = Norm(config.q_lora_rank)
        self.wq_b = linear(config.q_lora_rank, self.heads * self.dim)
        self.wkv = linear(hidden, self.dim)
        self.kv_norm = Norm(self.dim)
        self.attn_sink = nn.Parameter(torch.zeros(self.heads))
        self.wo_a = linear(self.heads * self.dim // groups, groups * rank)
        self.wo_b = linear(groups * rank, hidden, 0.5 * (groups * rank) ** -0.5)
        if ratio:
            self.compressor = Compressor(config, ratio, self.dim)
        if ratio == 4:
            self.indexer = Indexer(config)

    def window_scores(self, q, kv):
        """Every block of W queries sees its own block and the one before: [batch, length, head, 2W]."""
        batch, length = q.shape[:2]
        W = self.window
        blocks = length // W
        keys = kv.view(batch, blocks, W, self.dim)
        keys = torch.cat([F.pad(keys, (0, 0, 0, 0, 1, 0))[:, :-1], keys], 2).view(batch * blocks, 2 * W, self.dim)
        scores = torch.bmm(q.reshape(batch * blocks, W * self.heads, self.dim), keys.transpose(1, 2))
        scores = scores.view(batch, blocks, W, self.heads, 2 * W).float() * self.dim ** -0.5
        query = torch.arange(W, device=q.device)[:, None]
        key = torch.arange(2 * W, device=q.device)[None] - W
        near = (key <= query) & (key > query - W)
        first = torch.arange(blocks, device=q.device)[:, None, None] == 0
        seen = near[None] & ~(first & (key < 0)[None])
        scores = scores.masked_fill(~seen[None, :, :, None], MASKED)
        return scores.view(batch, length, self.heads, 2 * W), keys

    def select(self, index_scores, visible, budget):
        """The entries the main attention may use: the `budget` best ones, where there are more."""
        if not budget or index_scores.shape[-1] <= budget:
            return visible
        least = index_scores.topk(budget, -1).values[..., -1:]
        return visible & (index_scores >= least)

    def forward(self, x, ropes, budget, round_keys):
        batch, length, _ = x.shape
        q_rank = self.q_norm(self.wq_a(x))
        q = rotate(rms_norm(self.wq_b(q_rank).view(batch, length, self.heads, self.dim)), ropes[0])
        kv = rotate(self.kv_norm(self.wkv(x)), ropes[0])
        if round_keys:
            kv = kv.bfloat16().to(kv.dtype)
        near, near_keys = self.window_scores(q, kv)
        top = near.amax(-1, keepdim=True)
        sink = self.attn_sink.float().view(1, 1, -1, 1)
        index_loss = x.new_zeros((), dtype=torch.float32)
        if self.ratio:
            entries = self.compressor(x, ropes[1])
            if round_keys:
                entries = entries.bfloat16().to(entries.dtype)
            far = torch.bmm(q.reshape(batch, length * self.heads, self.dim), entries.transpose(1, 2))
            far = far.view(batch, length, self.heads, -1).float() * self.dim ** -0.5
            visible = torch.arange(far.shape[-1], device=x.device)[None] < ((torch.arange(length, device=x.device) + 1) // self.ratio)[:, None]
            visible = visible[None]
            if self.ratio == 4:
                index_scores = self.indexer(x.detach(), q_rank.detach(), ropes, round_keys).masked_fill(~visible, MASKED)
                visible = self.select(index_scores, visible, budget)
            far = far.masked_fill(~visible[:, :, None], MASKED)
            top = torch.maximum(top, far.amax(-1, keepdim=True))
        top = torch.maximum(top, sink).detach()
        near = torch.exp(near - top)
        total = near.sum(-1, keepdim=True) + torch.exp(sink - top)
        if self.ratio:
            far = torch.exp(far - top)
            total = total + far.sum(-1, keepdim=True)
            far = far / total
            out_far = torch.bmm(far.to(q.dtype).view(batch, length * self.heads, -1), entries)
            if self.ratio == 4 and self.training:
                index_loss = self.index_loss(far, index_scores)
        near = (near / total).to(q.dtype)
        out = torch.bmm(near.view(near_keys.shape[0], -1, 2 * self.window), near_keys).view(batch, length, self.heads, self.dim)
        if self.ratio:
            out = out + out_far.view(batch, length, self.heads, self.dim)
        out = rotate(out, ropes[0], inverse=True)
        groups = self.config.o_groups
        out = out.reshape(batch * length, groups, -1).transpose(0, 1)
        rank = self.config.o_lora_rank
        out = torch.bmm(out, self.wo_a.weight.to(out.dtype).view(groups, rank, -1).transpose(1, 2))
        return self.wo_b(out.transpose(0, 1).reshape(batch, length, groups * rank)), index_loss

    @staticmethod
    def index_loss(attention, index_scores):
        """KL(attention mass over entries, summed over heads ‖ softmax of the index scores), where enough mass goes to entries at all."""
        target = attention.detach().sum(2)
        mass = target.sum(-1, keepdim=True)
        target = target / (mass + 1e-9)
        use = (mass.squeeze(-1) > 0.05).float()
        log_model = torch.log_softmax(index_scores, -1)
        divergence = (target * (torch.log(target + 1e-9) - log_model)).sum(-1)
        return (divergence * use).sum() / (use.sum() + 1)


class MixtureOfExperts(nn.Module):
    """All experts are computed for all tokens and weighted (most with 0): at this size that is faster than dispatching."""

    def __init__(self, config):
        super().__init__()
        hidden, width, count = config.hidden_size, config.moe_intermediate_size, config.n_routed_experts
        self.config = config
        self.gate = linear(hidden, count)
        self.experts_in = nn.Parameter(torch.randn(count, 2 * width, hidden) * hidden ** -0.5)        # w1 above w3
        self.experts_out = nn.Parameter(torch.randn(count, hidden, width) * 0.5 * width ** -0.5)      # w2
        self.shared_in = linear(hidden, 2 * width)
        self.shared_out = linear(width, hidden, 0.5 * width ** -0.5)

    def activate(self, both):
        gate, up = both.chunk(2, -1)
        limit = self.config.swiglu_limit
        return F.silu(gate.clamp(max=limit)) * up.clamp(-limit, limit)

    def forward(self, x):
        batch, length, hidden = x.shape
        config = self.config
        count, width = config.n_routed_experts, config.moe_intermediate_size
        score = torch.sqrt(F.softplus(self.gate(x).float()))
        best, chosen = score.topk(config.num_experts_per_tok, -1)
        weight = best / (best.sum(-1, keepdim=True) + 1e-20) * config.routed_scaling_factor
        weight = torch.zeros_like(score).scatter(-1, chosen, weight)
        inner = F.linear(x, self.experts_in.to(x.dtype).view(count * 2 * width, hidden)).view(batch, length, count, 2 * width)
        inner = self.activate(inner) * weight.to(x.dtype).unsqueeze(-1)
        out = F.linear(inner.view(batch, length, count * width), self.experts_out.to(x.dtype).transpose(0, 1).reshape(hidden, count * width))
        share = (score / score.sum(-1, keepdim=True)).mean((0, 1))
        load = torch.zeros_like(score).scatter(-1, chosen, 1.0).mean((0, 1)) / config.num_experts_per_tok
        return out + self.shared_out(self.activate(self.shared_in(x))), (share * load).sum() * count


class Layer(nn.Module):
    def __init__(self, config, ratio):
        super().__init__()
        self.config, self.ratio = config, ratio
        self.attn = Attention(config, ratio)
        self.ffn = MixtureOfExperts(config)
        self.attn_norm, self.ffn_norm = Norm(config.hidden_size), Norm(config.hidden_size)
        n = config.hc_mult
        base = torch.zeros((2 + n) * n)
        base[:n] = -1.1                                   # pre-weights near 1/4 each
        base[2 * n:] = 3 * torch.eye(n).flatten()         # streams mostly keep to themselves
        for name in ("attn", "ffn"):
            self.register_parameter(f"hc_{name}_fn", nn.Parameter(torch.randn((2 + n) * n, n * config.hidden_size) * 0.02))
            self.register_parameter(f"hc_{name}_base", nn.Parameter(base.clone()))
            self.register_parameter(f"hc_{name}_scale", nn.Parameter(torch.full((3,), 0.1)))

    def forward(self, streams, ropes, budget, round_keys):
        pre, post, comb = HyperConnection.weights(streams, self.hc_attn_fn, self.hc_attn_base, self.hc_attn_scale, self.config)
        x = self.attn_norm(HyperConnection.collapse(streams, pre))
        out, index_loss = self.attn(x, ropes, budget, round_keys)
        streams = HyperConnection.update(streams, out, post, comb)
        pre, post, comb = HyperConnection.weights(streams, self.hc_ffn_fn, self.hc_ffn_base, self.hc_ffn_scale, self.config)
        x = self.ffn_norm(HyperConnection.collapse(streams, pre))
        out, balance = self.ffn(x)
        return HyperConnection.update(streams, out, post, comb), index_loss, balance


class NeedleMini(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        n, hidden = config.hc_mult, config.hidden_size
        self.embed = nn.Embedding(config.vocab_size, hidden)
        nn.init.normal_(self.embed.weight, std=1.0)
        self.layers = nn.ModuleList([Layer(config, ratio) for ratio in config.compress_ratios])
        self.norm = Norm(hidden)
        self.head = linear(hidden, config.vocab_size)
        self.hc_head_fn = nn.Parameter(torch.randn(n, n * hidden) * 0.02)
        self.hc_head_base = nn.Parameter(torch.full((n,), -1.1))
        self.hc_head_scale = nn.Parameter(torch.tensor([0.1]))
        self.layer_call = lambda layer, *args: layer(*args)              # train.py puts a compiled call here

    def forward(self, ids, positions, wanted, budget=0, round_keys=False, dtype=torch.bfloat16):
        """Logits at the positions `wanted` [batch, n], the summed index loss, the summed balance loss. Length: a multiple of the window."""
        ropes = Ropes(self.config, positions)
        streams = self.embed(ids).to(dtype).unsqueeze(2).repeat(1, 1, self.config.hc_mult, 1)
        index_loss = balance = 0
        for layer in self.layers:
            streams, one, two = self.layer_call(layer, streams, ropes.of(layer.ratio), budget, round_keys)
            index_loss, balance = index_loss + one, balance + two
        at = wanted[:, :, None, None].expand(-1, -1, *streams.shape[2:])
        streams = torch.gather(streams, 1, at)
        pre = torch.sigmoid(F.linear(rms_norm(streams.flatten(2).float()), self.hc_head_fn) * self.hc_head_scale + self.hc_head_base) + self.config.hc_eps
        x = self.norm(HyperConnection.collapse(streams, pre))
        return self.head(x), index_loss, balance
