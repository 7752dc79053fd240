"""The recall table of a checkpoint: one question a prompt, held-out words and fillers, exact match of the whole answer (teacher-forced, which under
greedy decoding is the same: an answer is exact only if every token is the most likely one after the right ones).

    python3 measure.py --model FOLDER --haystack F [--cells 100] [--lengths 1024,16384:25] [--budgets 0] [--families single,absent] [--out table.json]

A budget of 0 means the model's own index_topk; LENGTH:CELLS sets the number of prompts for one length.
"""
import argparse
import json
import multiprocessing
import os
import time

import numpy as np


def prepare(job):
    from data import Haystack, Writer, measure_example
    from tokenizer import Coder
    global HELD
    haystack, tokenizer, family, length, cell = job
    if "HELD" not in globals():
        HELD = Haystack(haystack, Coder(tokenizer), True)
    one = measure_example(Writer(HELD, f"{family}/{length}/{cell}"), family, length)
    start, weights, _ = one.answers[-1]
    return np.array(one.ids, dtype=np.int16), start, len(weights)


def exact(net, jobs, budget, device, rows):
    """Share of prompts whose whole answer is right, and the share whose first token is."""
    import torch
    window = net.config.sliding_window
    hits, firsts = [], []
    for i in range(0, len(jobs), rows):
        part = jobs[i:i + rows]
        length = -(-max(len(ids) for ids, _, _ in part) // window) * window
        width = max(count for _, _, count in part)
        ids = np.ones((len(part), length), dtype=np.int64)
        wanted = np.zeros((len(part), width), dtype=np.int64)
        for row, (tokens, start, count) in enumerate(part):
            ids[row, :len(tokens)] = tokens
            wanted[row] = start - 1
            wanted[row, :count] = np.arange(start - 1, start - 1 + count)
        ids, wanted = torch.from_numpy(ids).to(device), torch.from_numpy(wanted).to(device)
        with torch.no_grad(), torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            dtype = torch.bfloat16 if device == "cuda" else torch.float32
            logits = net(ids, torch.arange(length, device=device), wanted, budget or net.config.index_topk, dtype=dtype)[0]
        right = logits.argmax(-1) == torch.gather(ids, 1, wanted + 1)
        hits += right.all(-1).tolist()
        firsts += right[:, 0].tolist()
    return sum(hits) / len(hits), sum(firsts) / len(firsts)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", required=True)
    parser.add_argument("--haystack", required=True)
    parser.add_argument("--cells", type=int, default=100)
    parser.add_argument("--lengths", default="1024,4096,8192,16384,22597")
    parser.add_argument("--budgets", default="0")
    parser.add_argument("--families", default="")
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--out")
    args = parser.parse_args()
    from data import FAMILIES
    families = args.families.split(",") if args.families else FAMILIES
    lengths = [(int(x.split(":")[0]), int(x.split(":")[1]) if ":" in x else args.cells) for x in args.lengths.split(",")]
    budgets = [int(x) for x in args.budgets.split(",")]
    tokenizer = os.path.join(args.model, "tokenizer.json")
    began, table = time.time(), []
    cells = [(f, n, [(args.haystack, tokenizer, f, n, c) for c in range(count)]) for n, count in lengths for f in families]
    pool = multiprocessing.Pool(max(1, (os.cpu_count() or 2) - 2))
    made = [(f, n, pool.map_async(prepare, jobs, chunksize=4)) for f, n, jobs in cells]
    import torch
    import checkpoint
    from model import Config, NeedleMini
    net = NeedleMini(Config(os.path.join(args.model, "config.json")))
    checkpoint.load(net, args.model)
    net.to(args.device).eval()
    for family, length, jobs in made:
        jobs = jobs.get()
        for budget in budgets:
            if time.time() - began > args.seconds:
                continue
            whole, first = exact(net, jobs, budget, args.device, max(1, 40000 // length))
            table.append({"family": family, "length": length, "budget": budget or net.config.index_topk, "cells": len(jobs), "exact": whole, "first": first})
            print("%-15s %6d  budget %3d  exact %.3f  first %.3f  %.0fs" % (family, length, table[-1]["budget"], whole, first, time.time() - began), flush=True)
            if args.out:
                json.dump(table, open(args.out, "w"), indent=0)
    pool.terminate()


if __name__ == "__main__":
    main()
