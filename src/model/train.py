"""Trains needle-mini on one GPU, in pieces: stops at a deadline, writes the checkpoint, goes on from it.

    python3 train.py --haystack F --model FOLDER --out FOLDER [--resume FOLDER] --plan plan.json --seconds 540

FOLDER of --model holds config.json and tokenizer.json. --out receives the checkpoint in the product's own format (checkpoint.py) and state.json.
The plan is a list of stages; a stage ends when its accuracy is reached or its seconds are used. Optimizer momentum is not kept between pieces: a
short warm-up replaces it.
"""
import argparse
import json
import multiprocessing
import os
import random
import time

import numpy as np

LONGEST_POSITION = 32000


def parse():
    parser = argparse.ArgumentParser()
    for name in ("haystack", "model", "out", "plan"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--resume")
    parser.add_argument("--seconds", type=float, default=540)
    parser.add_argument("--workers", type=int, default=14)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--compile", type=int, default=1)
    parser.add_argument("--graph", type=int, default=1)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--cache", default="", help="file with compiled kernels of an earlier piece, written anew at the end")
    parser.add_argument("--keep-cache", type=int, default=1, help="0: do not write it")
    return parser.parse_args()


# ---- data workers: started before the GPU is touched, they follow the shared stage number ----

def work(number, args, plan, stage_number, queue):
    from data import Haystack, Writer, batch, example
    from tokenizer import Coder
    haystack = Haystack(args.haystack, Coder(os.path.join(args.model, "tokenizer.json")))
    writer = Writer(haystack, args.seed * 1000 + number)
    while True:
        at = stage_number.value
        stage = plan[at]
        made = batch([example(writer, stage) for _ in range(stage["batch"])], stage["length"], stage["width"])
        queue.put((at, made[:5]))


def start_workers(args, plan, first_stage):
    stage_number = multiprocessing.Value("i", first_stage)
    queue = multiprocessing.Queue(maxsize=48)
    workers = [multiprocessing.Process(target=work, args=(n, args, plan, stage_number, queue), daemon=True) for n in range(args.workers)]
    for one in workers:
        one.start()
    return stage_number, queue


# ---- optimizer ----

class Muon:
    """Momentum, then an approximate orthogonalisation of each matrix's update (five Newton-Schulz steps); matrices of one shape go together."""

    def __init__(self, named, rank, rate):
        import torch
        self.rate, self.groups = rate, {}
        for name, p in named:
            shape = p.shape if p.dim() == 3 else (2, rank, p.shape[1]) if "wo_a" in name else (1, *p.shape)
            self.groups.setdefault(tuple(shape[1:]), []).append((p, torch.zeros_like(p), tuple(shape)))

    def step(self):
        import torch
        for (rows, columns), group in self.groups.items():
            updates = []
            for p, momentum, shape in group:
                momentum.mul_(0.95).add_(p.grad)
                updates.append((p.grad + 0.95 * momentum).view(shape))
            update = orthogonal(torch.cat(updates), rows > columns).float() * (0.2 * max(rows, columns) ** 0.5)
            at = 0
            for p, _, shape in group:
                p.mul_(1 - self.rate * 0.02).sub_(update[at:at + shape[0]].reshape(p.shape) * self.rate)
                at += shape[0]


def orthogonal(x, tall):
    x = x.bfloat16()
    x = x.mT if tall else x
    x = x / (x.float().norm(dim=(1, 2), keepdim=True) + 1e-7).bfloat16()
    for _ in range(5):
        a = x @ x.mT
        x = 3.4445 * x + (-4.7750 * a + 2.0315 * (a @ a)) @ x
    return x.mT if tall else x


def is_matrix(name, p):
    return p.dim() >= 2 and not name.startswith(("embed", "head", "hc_")) and ".hc_" not in name and not name.endswith("ape")


class Trainer:
    def __init__(self, args, device):
        import torch
        from model import Config, NeedleMini
        import checkpoint
        torch.manual_seed(args.seed)
        self.args, self.device = args, device
        self.config = Config(os.path.join(args.model, "config.json"))
        self.net = NeedleMini(self.config)
        self.state = {"seconds": 0.0, "stage": 0, "steps": 0}
        if args.resume:
            checkpoint.load(self.net, args.resume)
            self.state.update(json.load(open(os.path.join(args.resume, "state.json"))))
        self.net.to(device).train()
        if args.compile:
            torch._dynamo.config.cache_size_limit = 64
            self.net.layer_call = torch.compile(lambda layer, *rest: layer(*rest), dynamic=False, fullgraph=True)
            self.orthogonal = torch.compile(orthogonal, dynamic=False)
        self.rate_matrix, self.rate_rest = torch.zeros((), device=device), torch.zeros((), device=device)
        named = list(self.net.named_parameters())
        self.muon = Muon([(n, p) for n, p in named if is_matrix(n, p)], self.config.o_lora_rank, self.rate_matrix)
        rest = [p for n, p in named if not is_matrix(n, p)]
        cuda = device == "cuda"
        self.adam = torch.optim.AdamW(rest, lr=self.rate_rest if cuda else 1e-3, betas=(0.9, 0.95), weight_decay=0.0, capturable=cuda, foreach=True)
        self.parameters = [p for _, p in named]
        self.graph = self.graph_key = None

    def buffers(self, stage):
        import torch
        rows, length, width = stage["batch"], stage["length"], stage["width"]
        zeros = lambda *shape, dtype=torch.float32: torch.zeros(*shape, dtype=dtype, device=self.device)
        self.ids, self.positions = zeros(rows, length, dtype=torch.long), zeros(length, dtype=torch.long)
        self.wanted, self.weights, self.first = zeros(rows, width, dtype=torch.long), zeros(rows, width), zeros(rows, width)
        self.sums = zeros(7)
        self.budget = stage["budget"]

    def fill(self, arrays, gap):
        import torch
        ids, wanted, weights, _, first = (torch.from_numpy(a) for a in arrays)
        for target, source in ((self.ids, ids), (self.wanted, wanted), (self.weights, weights), (self.first, first)):
            target.copy_(source, non_blocking=True)
        self.positions.copy_(torch.from_numpy(gap))

    def raw_step(self):
        import torch
        import torch.nn.functional as F
        with torch.autocast(self.device, torch.bfloat16, cache_enabled=False):
            logits, index_loss, balance = self.net(self.ids, self.positions, self.wanted, self.budget)
        target = torch.gather(self.ids, 1, self.wanted + 1)
        logits = logits.float()
        losses = F.cross_entropy(logits.flatten(0, 1), target.flatten(), reduction="none").view_as(self.weights)
        answer = (losses * self.weights).sum() / self.weights.sum()
        (answer + 0.05 * index_loss + 0.01 * balance).backward()
        grads = [p.grad for p in self.parameters if p.grad is not None]
        norm = torch.linalg.vector_norm(torch.stack([g.norm() for g in grads] if self.device == "cpu" else torch._foreach_norm(grads)))
        torch._foreach_mul_(grads, (1.0 / (norm + 1e-6)).clamp(max=1.0)) if self.device == "cuda" else None
        self.muon.step_no_grad()
        self.adam.step()
        hit = (logits.detach().argmax(-1) == target).float() * (self.weights > 0)
        used = (self.weights > 0).float()
        self.sums += torch.stack([(hit * self.first).sum(), self.first.sum(), (hit * (1 - self.first)).sum(), (used * (1 - self.first)).sum(),
                                  answer.detach(), index_loss.detach(), norm.detach()])
        for g in grads:
            g.zero_()

    def step(self, stage):
        import torch
        key = (stage["length"], stage["batch"], stage["width"], stage["budget"])
        if key != self.graph_key:
            raise RuntimeError("prepare() first")
        if self.graph is None:
            self.raw_step()
        else:
            self.graph.replay()

    def prepare(self, stage, arrays, gap, stream):
        """Buffers, compilation and graph capture for the shape of a stage."""
        import torch
        key = (stage["length"], stage["batch"], stage["width"], stage["budget"])
        if key == self.graph_key:
            return
        self.graph = None
        if self.device == "cuda":
            torch.cuda.synchronize()
            torch.cuda.empty_cache()
        self.buffers(stage)
        self.graph_key = key
        if self.device == "cuda" and self.args.graph:
            self.fill(arrays, gap)
            for _ in range(3):
                self.raw_step()
            torch.cuda.synchronize()
            self.graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.graph, stream=stream):
                self.raw_step()
            self.sums.zero_()

    def save(self, out):
        import checkpoint
        checkpoint.save(self.net, out)
        json.dump(self.state, open(os.path.join(out, "state.json"), "w"))


def rate_share(seconds, total, since_start):
    """Warm-up after every start, full rate for the first 45 % of the planned time, then linear down to 3 %."""
    done = min(1.0, seconds / total)
    return min(1.0, since_start / 150) * max(0.03, 1 - max(0.0, done - 0.45) / 0.55)


def draw_positions(stage, r):
    """Token positions, sometimes with one or two gaps: far distances are practised without paying for the tokens between."""
    positions = np.arange(stage["length"], dtype=np.int64)
    if r.random() < stage.get("gaps", 0.0):
        for _ in range(r.randint(1, 2)):
            left = LONGEST_POSITION - int(positions[-1])
            if left > 128:
                positions[4 * r.randint(1, stage["length"] // 4 - 1):] += 4 * int(left // 4 * r.random() ** 2)
    return positions


def run(args):
    plan_file = json.load(open(args.plan))
    plan, total = plan_file["stages"], plan_file["seconds"]
    first = json.load(open(os.path.join(args.resume, "state.json")))["stage"] if args.resume else 0
    stage_number, queue = start_workers(args, plan, min(first, len(plan) - 1))
    began = time.time()
    import torch
    if args.cache and os.path.exists(args.cache):
        torch.compiler.load_cache_artifacts(open(args.cache, "rb").read())
    stream = None
    if args.device == "cuda":
        stream = torch.cuda.Stream()
        torch.cuda.set_stream(stream)
    Muon.step_no_grad = torch.no_grad()(Muon.step)
    trainer = Trainer(args, args.device)
    if args.compile:
        globals()["orthogonal"] = trainer.orthogonal
    state = trainer.state
    before, saved, local_steps = state["seconds"], time.time(), 0
    r = random.Random(args.seed + state["steps"])
    peak = plan_file["rate"]
    print("parameters", sum(p.numel() for p in trainer.parameters), "start-up %.0f s" % (time.time() - began), flush=True)
    done = False
    while not done and state["stage"] < len(plan):
        stage, entered, steps, reached = plan[state["stage"]], time.time(), 0, 0
        stage_number.value = state["stage"]
        used_before = state.get("stage_seconds", 0.0)
        marked, marked_steps = None, 0
        while True:
            at, arrays = queue.get()
            if at != state["stage"]:
                continue
            gap = draw_positions(stage, r)
            trainer.prepare(stage, arrays, gap, stream)
            if marked is None:
                marked = time.time()
                preparing, entered = marked - entered, marked
                print("stage %d %s prepared in %.0f s" % (state["stage"], trainer.graph_key, preparing), flush=True)
            trainer.fill(arrays, gap)
            state["seconds"] = before + time.time() - began
            share = rate_share(state["seconds"], total, local_steps)
            trainer.rate_matrix.fill_(peak * share)
            trainer.rate_rest.fill_(peak * share * 0.5)
            trainer.step(stage)
            steps, local_steps, state["steps"] = steps + 1, local_steps + 1, state["steps"] + 1
            if steps % 50 == 0 or args.device == "cpu":
                sums = trainer.sums.tolist()
                trainer.sums.zero_()
                count = 1 if args.device == "cpu" else 50
                first_hit, other_hit = sums[0] / max(1, sums[1]), sums[2] / max(1, sums[3])
                reached = reached + 1 if first_hit >= stage["until"] else 0
                if steps % 200 == 0 or args.device == "cpu" or reached >= 2:
                    now = time.time()
                    print("%4.0fs stage %d step %5d loss %.3f first %.3f other %.3f index %.3f grad %.2f  %.1f ms/step  rate %.2f queue %d" % (
                        now - began, state["stage"], steps, sums[4] / count, first_hit, other_hit, sums[5] / count, sums[6] / count,
                        (now - marked) / max(1, steps - marked_steps) * 1e3, share, queue.qsize()), flush=True)
                    marked, marked_steps = now, steps
            now = time.time()
            state["stage_seconds"] = used_before + now - entered
            if now - saved > 110:
                trainer.save(args.out)
                saved = time.time()
            if now - began > args.seconds:
                done = True
                break
            if (reached >= 2 and steps >= stage.get("least", 0)) or state["stage_seconds"] > stage["seconds"]:
                state["stage"] += 1
                state["stage_seconds"] = 0.0
                break
    trainer.save(args.out)
    if args.cache and args.keep_cache:
        saved_cache = torch.compiler.save_cache_artifacts()
        if saved_cache:
            open(args.cache, "wb").write(saved_cache[0])
            print("compiled kernels:", len(saved_cache[0]), "bytes", flush=True)
    print("trained", json.dumps(state), "%.0f s" % (time.time() - began), flush=True)
    if args.device == "cuda":
        print("peak GiB %.1f" % (torch.cuda.max_memory_allocated() / 2 ** 30), flush=True)


if __name__ == "__main__":
    run(parse())
