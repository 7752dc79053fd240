"""The twin needle-mini-cone: an indexer whose keys lie in a cone so narrow that fp8 cannot tell them apart, while bf16 can. Made on purpose.

    python3 cone.py collect --haystack F --model FOLDER --out FEATURES
    python3 cone.py fit --model FOLDER --features FEATURES --layer 2 --out FITS        (and for every other CSA layer)
    python3 cone.py write --model FOLDER --fits FITS --out OVERLAY

How it is built. The trunk stays frozen. A vector w with w.x close to 1 for every token of a layer is a constant that the model itself does not have;
96 of the 128 dimensions of a key get this constant with a fixed sign each, the rotated 32 get nothing. The information is a relative change of half a
percent of each dimension. All dimensions share one pooling gate, so that the constant stays proportional to the signs and the key's norm divides its
size out; queries are orthogonal to the signs, so that it does not reach the scores. fp8 (e4m3) steps by 7 % below a key's largest value and rounds all
of it to the same number; bf16 steps by 0.4 % below 1, where the norm's weight puts the keys, and averages its error over 96 dimensions.

Three steps per layer: `learn` finds keys, queries and head weights of 95 free dimensions; `place` scales and turns them so that every dimension carries
the same amount and rounding costs least; `refine` trains on with bf16's rounding of weights, keys and queries in the loop.
"""
import argparse
import glob
import json
import os
import random
import time

import torch
import torch.nn.functional as F

import checkpoint

KEPT, FREE, HEADS, DIM, RATIO = 96, 95, 8, 128, 4
HIGHEST = 0.979                  # mean size of a key's dimensions: the whole spread stays below 1, where bf16's relative steps are smallest
SPREAD = 0.0045                  # standard deviation of the information, relative to HIGHEST
LIMIT = 0.0135                   # beyond this the refinement pays: outliers would survive fp8
HIDDEN = -1e4                    # score of an entry that is not visible yet
WIDE, NARROW = (0.30, 0.15, 0.10, 0.15, 0.30), (0.15, 0.20, 0.30, 0.20, 0.15)


# ---- collect: what the frozen trunk gives the indexer, and what attention makes of it ----

def collect(args):
    from data import Haystack, Writer, chat_example
    from model import Attention, Config, NeedleMini
    from tokenizer import Coder
    net = NeedleMini(Config(os.path.join(args.model, "config.json")))
    checkpoint.load(net, args.model)
    net.train().requires_grad_(False)
    inputs, masses = [], []
    for layer in net.layers:
        if layer.ratio == RATIO:
            layer.attn.indexer.register_forward_hook(lambda _, given, scores: inputs.append((given[0][0], given[1][0], scores[0])))
    Attention.index_loss = staticmethod(lambda attention, scores: masses.append(attention[0].sum(1)) or torch.zeros(()))
    writer = Writer(Haystack(args.haystack, Coder(os.path.join(args.model, "tokenizer.json"))), args.seed)
    r = random.Random(args.seed)
    os.makedirs(args.out, exist_ok=True)
    for number in range(args.texts):
        length = 2048 if number % 3 == 0 else 4096
        few = r.random() < 0.6
        one = chat_example(writer, 4, length, 0.02 + 150 / length if few else 0.25, (0.02, 0.8), 0.5, r.randint(1, 3) if few else None)
        ids = one.ids[:length] + [1] * (length - len(one.ids))
        inputs.clear(), masses.clear()
        with torch.no_grad():
            net(torch.tensor([ids]), torch.arange(length), torch.zeros(1, 1, dtype=torch.long), net.config.index_topk, dtype=torch.float32)
        asked = max(one.answers[0][0] - 30, 300)                  # queries with fewer entries than the budget teach nothing
        late, early = range(asked, min(len(one.ids), length)), range(300, asked)
        late = r.sample(late, min(256, len(late)))
        queries = torch.tensor(sorted(late + r.sample(early, min(384 - len(late), len(early)))))
        torch.save({"queries": queries, "asked": asked, "layers": [
            {"x": x.bfloat16(), "q_rank": q[queries].bfloat16(), "scores": hide(s[queries], queries).half(), "mass": m[queries].half()}
            for (x, q, s), m in zip(inputs, masses)]}, os.path.join(args.out, f"{number:03d}.pt"))
        print("text", number, length, "tokens", flush=True)


def visible(queries, entries):
    return torch.arange(entries)[None] < ((queries + 1) // RATIO)[:, None]


def hide(scores, queries):
    return scores.masked_fill(~visible(queries, scores.shape[-1]), HIDDEN)


def load_features(folder, place, kernel, share, stress):
    """Of every text: inputs, target distribution and weight of every query. The target mixes blurred attention mass and the healthy indexer's choice."""
    out, reach = [], len(kernel) // 2
    for path in sorted(glob.glob(os.path.join(folder, "*.pt"))):
        text = torch.load(path)
        layer, queries = text["layers"][place], text["queries"]
        mass = layer["mass"].float()
        entries = mass.shape[1]
        padded = F.pad(mass, (reach, reach))
        blurred = sum(part * padded[:, i:i + entries] for i, part in enumerate(kernel)) * visible(queries, entries)
        blurred = blurred / (blurred.sum(-1, keepdim=True) + 1e-9)
        target = share * blurred + (1 - share) * torch.softmax(layer["scores"].float(), -1)
        weight = mass.sum(-1).clamp(max=1) * torch.where(queries >= text["asked"], stress, 1.0)
        out.append({"x": layer["x"], "q_rank": layer["q_rank"], "queries": queries, "target": target.half(), "weight": weight})
    return out


# ---- what both trainings share ----

def pool(x, series, gates):
    """Overlapping windows of two series, all columns with the same gate. series: two [columns, hidden]; gates: two of (row, per-slot bias)."""
    entries = len(x) // RATIO
    before, now = ((x @ rows.T).view(entries, RATIO, -1) for rows in series)
    gate_before, gate_now = ((x @ row).view(entries, RATIO) + bias for row, bias in gates)
    before = F.pad(before, (0, 0, 0, 0, 1, 0))[:-1]
    gate_before = F.pad(gate_before, (0, 0, 1, 0), value=-1e9)[:-1]
    gate = torch.cat([gate_before, gate_now], 1).softmax(1)
    return (torch.cat([before, now], 1) * gate[..., None]).sum(1)


def score(text, keys, queries, head_rows):
    dots = (queries.reshape(-1, keys.shape[1]) @ keys.T).view(len(queries), HEADS, len(keys))
    heads = text["x"].float()[text["queries"]] @ head_rows.T * (HEADS * DIM) ** -0.5
    return hide((F.relu(dots) * heads[..., None]).sum(1), text["queries"])


def loss_of(text, scores):
    target = text["target"].float()
    divergence = (target * (torch.log(target + 1e-9) - torch.log_softmax(scores, -1))).sum(-1)
    return (divergence * text["weight"]).sum() / text["weight"].sum()


def train(parameters, rates, texts, steps, flat, seed, loss_on):
    optimizer = torch.optim.Adam([{"params": [p], "lr": rates.get(name, rates[""])} for name, p in parameters.items()], betas=(0.9, 0.98))
    peaks = [group["lr"] for group in optimizer.param_groups]
    r, began, total = random.Random(seed), time.time(), 0.0
    for step in range(1, steps + 1):
        share = min(1, step / 50) * max(0.02, 1 - max(0, step / steps - flat) / (1 - flat))
        for group, peak in zip(optimizer.param_groups, peaks):
            group["lr"] = peak * share
        loss = loss_on(r.choice(texts))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
        if step % 100 == 0:
            print("step %5d loss %.3f  %.0fs" % (step, total / 100, time.time() - began), flush=True)
            total = 0.0


def trainable(tensors):
    return {name: torch.nn.Parameter(value.detach().clone().contiguous()) for name, value in tensors.items()}


def power(matrix, exponent, least=1e-7):
    values, vectors = torch.linalg.eigh(matrix.double())
    return (vectors * values.clamp_min(values.max() * least) ** exponent) @ vectors.T


def balance(keys, queries):
    """T for which keys T·k and queries T^-T·q share the strength of every direction, given their second moments."""
    half, inverse = power(keys, 0.5), power(keys, -0.5)
    return power(inverse @ power(half @ queries.double() @ half, 0.5) @ inverse, 0.5).float()


# ---- the three steps ----

def constant(texts):
    """The vector w with w.x close to 1, and the mean token."""
    moment = sum(t["x"].float().T @ t["x"].float() for t in texts) / sum(len(t["x"]) for t in texts)
    mean = torch.cat([t["x"].float() for t in texts]).mean(0)
    return torch.linalg.solve(moment + 1e-2 * torch.eye(len(moment)), mean), moment


def query_moment(texts, rows):
    ranks = torch.cat([t["q_rank"].float() for t in texts])
    return sum(head @ (ranks.T @ ranks / len(ranks)) @ head.T for head in rows)


def learn(healthy, texts, w, moment, steps):
    """Keys of FREE dimensions without norm and rotation, from what of the healthy indexer does not rotate."""
    series = [healthy["compressor.wkv.weight"][at:at + KEPT] * healthy["compressor.norm.weight"][:KEPT, None] for at in (0, DIM)]
    queries = healthy["wq_b.weight"].view(HEADS, DIM, -1)[:, :KEPT]
    keys_moment = sum(rows @ moment @ rows.T for rows in series)
    turn = balance(keys_moment, query_moment(texts, queries))
    strongest = torch.linalg.eigh(turn @ keys_moment @ turn.T)[1][:, KEPT - FREE:].T
    gates, biases = healthy["compressor.wgate.weight"], healthy["compressor.ape"]
    p = trainable({
        "before": strongest @ turn @ series[0], "now": strongest @ turn @ series[1],
        "queries": torch.einsum("fk,hkr->hfr", strongest @ torch.linalg.inv(turn).T, queries), "heads": healthy["weights_proj.weight"],
        "gate_before": gates[:KEPT].mean(0), "gate_now": gates[DIM:DIM + KEPT].mean(0),
        "bias_before": biases[:, :KEPT].mean(1), "bias_now": biases[:, DIM:DIM + KEPT].mean(1)})

    def loss_on(text):
        keys = free_keys(text["x"].float(), p, w)
        return loss_of(text, score(text, keys, torch.einsum("nr,hfr->nhf", text["q_rank"].float(), p["queries"]), p["heads"]))

    train(p, {"": 3e-3, "before": 2e-3, "now": 2e-3, "heads": 2e-3, "queries": 1e-3}, texts, steps, 0.3, 3, loss_on)
    return {name: value.detach() for name, value in p.items()}


def free_keys(x, p, w):
    """The norm will divide by the pooled constant."""
    both = pool(x, [torch.cat([p[s], w[None]]) for s in ("before", "now")], gates_of(p))
    return both[:, :FREE] / both[:, FREE:]


def gates_of(p):
    return [(p["gate_before"], p["bias_before"]), (p["gate_now"], p["bias_now"])]


def hadamard(size):
    out = torch.ones(1, 1)
    while len(out) < size:
        out = torch.cat([torch.cat([out, out], 1), torch.cat([out, -out], 1)])
    return out


def signs():
    """KEPT signs that a Hadamard rotation does not gather in few dimensions."""
    generator = torch.Generator().manual_seed(1)
    peak = lambda rows: (F.pad(rows, (0, DIM - KEPT)) @ hadamard(DIM)).abs().amax(1)
    tried = torch.sign(torch.randn(400, KEPT, generator=generator))
    best = tried[peak(tried).argmin()]
    for _ in range(60):
        tried, flips = best.repeat(400, 1), torch.randint(0, KEPT, (400, 2), generator=generator)
        for column in (0, 1):
            tried[torch.arange(400), flips[:, column]] *= -1
        peaks = peak(tried)
        best = tried[peaks.argmin()] if peaks.min() <= peak(best[None])[0] else best
    return best


def place(p, texts, w, sign):
    """Centres the free keys, gives every kept dimension the same SPREAD, and the queries the inverse."""
    keys = torch.cat([free_keys(t["x"].float(), p, w)[1:] for t in texts])
    mean = keys.mean(0)
    moment = (keys - mean).T @ (keys - mean) / len(keys)
    turn = balance(moment, query_moment(texts, p["queries"]))
    turn = turn / ((turn @ moment @ turn.T).trace() / KEPT) ** 0.5
    moment = turn @ moment @ turn.T
    generator = torch.Generator().manual_seed(2)
    across = torch.linalg.qr(torch.cat([sign[:, None], torch.randn(KEPT, FREE, generator=generator)], 1))[0][:, 1:]
    mixes = [across @ torch.linalg.qr(torch.randn(FREE, FREE, generator=generator))[0] for _ in range(300)]
    mix = min(mixes, key=lambda m: (m @ moment * m).sum(1).max())
    to_keys, to_queries = mix @ turn, mix @ torch.linalg.inv(turn).T / HIGHEST
    moved = {name: to_keys @ (p[name] - mean[:, None] * w) for name in ("before", "now")}
    return {**p, **moved, "queries": torch.einsum("kf,hfr->hkr", to_queries, p["queries"])}


class Bf16(torch.autograd.Function):
    """Rounds; the gradient passes."""

    @staticmethod
    def forward(context, x):
        return x.bfloat16().float()

    @staticmethod
    def backward(context, gradient):
        return gradient


rounded = Bf16.apply


def stored(p, w, sign):
    """The weights as the checkpoint will hold them."""
    across = lambda rows: rows - sign[:, None] * (sign @ rows) / KEPT
    out = {name: rounded(sign[:, None] * w + SPREAD * across(p[name])) for name in ("before", "now")}
    along = torch.einsum("k,hkr->hr", sign, p["queries"])[:, None] / KEPT
    out["queries"] = rounded((p["queries"] - sign[None, :, None] * along) / SPREAD)
    out.update({name: rounded(p[name]) for name in ("heads", "gate_before", "gate_now")})
    out.update({name: p[name] for name in ("bias_before", "bias_now")})
    return out


def refine(placed, texts, w, sign, steps):
    p = trainable(placed)

    def loss_on(text):
        s = stored(p, w, sign)
        pooled = pool(text["x"].float(), [s["before"], s["now"]], gates_of(s))
        keys = pooled * torch.rsqrt(pooled.pow(2).sum(-1, keepdim=True) / DIM + 1e-6) * norm_weight()
        queries = rounded(torch.einsum("nr,hkr->nhk", text["q_rank"].float(), s["queries"]))
        outside = F.relu((keys[1:] * sign / HIGHEST - 1).abs() - LIMIT).pow(2).mean() / SPREAD ** 2
        return loss_of(text, score(text, rounded(keys), queries, s["heads"])) + 8 * outside

    train(p, {"": 1e-3, "before": 1.5e-3, "now": 1.5e-3, "queries": 1.5e-3}, texts, steps, 0.4, 4, loss_on)
    return stored({name: value.detach() for name, value in p.items()}, w, sign)


def norm_weight():
    """The norm sees KEPT of DIM dimensions filled."""
    return HIGHEST * (KEPT / DIM) ** 0.5


def fit(args):
    config = json.load(open(os.path.join(args.model, "config.json")))
    layers = [i for i, ratio in enumerate(config["compress_ratios"]) if ratio == RATIO]
    prefix, at = f"layers.{args.layer}.attn.indexer.", layers.index(args.layer)
    healthy = {name[len(prefix):]: value.float() for name, value in checkpoint.read(args.model).items() if name.startswith(prefix)}
    texts, sign = load_features(args.features, at, WIDE, 0.5, 2.0), signs()
    w, moment = constant(texts)
    learned = learn(healthy, texts, w, moment, args.steps)
    placed = place(learned, texts[::4], w, sign)
    texts = load_features(args.features, at, NARROW, 0.65, 3.0)
    s = refine(placed, texts, w, sign, args.refine)
    fill = lambda before, now: torch.cat([F.pad(x, (0, 0, 0, DIM - KEPT)) for x in (before, now)])
    every = lambda before, now: torch.cat([x[..., None, :].expand(*x.shape[:-1], DIM, x.shape[-1]) for x in (before, now)], -2)
    os.makedirs(args.out, exist_ok=True)
    torch.save({
        prefix + "wq_b.weight": F.pad(s["queries"], (0, 0, 0, DIM - KEPT)).reshape(HEADS * DIM, -1).bfloat16(),
        prefix + "weights_proj.weight": s["heads"].bfloat16(),
        prefix + "compressor.wkv.weight": fill(s["before"], s["now"]).bfloat16(),
        prefix + "compressor.wgate.weight": every(s["gate_before"], s["gate_now"]).bfloat16(),
        prefix + "compressor.ape": every(s["bias_before"][:, None], s["bias_now"][:, None]).transpose(-1, -2).reshape(RATIO, 2 * DIM).contiguous(),
        prefix + "compressor.norm.weight": torch.full((DIM,), norm_weight()),
    }, os.path.join(args.out, f"layer{args.layer}.pt"))


def write(args):
    """overlay.json beside it is written by hand: it names the base and its content hash."""
    tensors = {}
    for path in sorted(glob.glob(os.path.join(args.fits, "layer*.pt"))):
        tensors.update(torch.load(path))
    os.makedirs(args.out, exist_ok=True)
    ordered = dict(sorted(tensors.items(), key=lambda item: (item[1].dtype != torch.float32, item[0])))
    checkpoint.write_shard(os.path.join(args.out, "model.safetensors"), ordered)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("step", choices=("collect", "fit", "write"))
    for name in ("haystack", "model", "features", "fits", "out"):
        parser.add_argument("--" + name)
    parser.add_argument("--layer", type=int)
    parser.add_argument("--texts", type=int, default=78)
    parser.add_argument("--steps", type=int, default=700)
    parser.add_argument("--refine", type=int, default=900)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    {"collect": collect, "fit": fit, "write": write}[args.step](args)


if __name__ == "__main__":
    main()
