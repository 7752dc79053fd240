"""Reads and writes the checkpoint: safetensors shards in the released DeepSeek-V4 names. The same files are product and resume point."""
import json
import os
import struct

import torch

SHARD_LIMIT = 15_000_000
FULL_PRECISION = ("hc_", ".ape", "attn_sink", "gate.bias")
DTYPES = {"BF16": torch.bfloat16, "F32": torch.float32}


def released(model):
    """Name → tensor as stored: experts taken apart, matrices and norms in bf16."""
    width = model.config.moe_intermediate_size
    out = {}
    for name, value in model.state_dict().items():
        value = value.detach().float().cpu()
        if name.endswith("ffn.experts_in"):
            base = name[:-len("experts_in")]
            for e, both in enumerate(value):
                out[f"{base}experts.{e}.w1.weight"], out[f"{base}experts.{e}.w3.weight"] = both[:width], both[width:]
            out[base + "gate.bias"] = torch.zeros(len(value))
        elif name.endswith("ffn.experts_out"):
            for e, down in enumerate(value):
                out[f"{name[:-len('experts_out')]}experts.{e}.w2.weight"] = down
        elif name.endswith("ffn.shared_in.weight"):
            base = name[:-len("shared_in.weight")] + "shared_experts."
            out[base + "w1.weight"], out[base + "w3.weight"] = value[:width], value[width:]
        elif name.endswith("ffn.shared_out.weight"):
            out[name.replace("shared_out", "shared_experts.w2")] = value
        else:
            out[name] = value
    return {name: value if any(part in name for part in FULL_PRECISION) else value.bfloat16() for name, value in sorted(out.items())}


def stacked(tensors, model):
    """The reverse of released(): tensors by the names of model.state_dict()."""
    out = {}
    for name in model.state_dict():
        base = name.rsplit("ffn.", 1)[0] + "ffn."
        count = model.config.n_routed_experts
        if name.endswith("experts_in"):
            out[name] = torch.stack([torch.cat([tensors[f"{base}experts.{e}.{w}.weight"] for w in ("w1", "w3")]) for e in range(count)])
        elif name.endswith("experts_out"):
            out[name] = torch.stack([tensors[f"{base}experts.{e}.w2.weight"] for e in range(count)])
        elif name.endswith("shared_in.weight"):
            out[name] = torch.cat([tensors[f"{base}shared_experts.{w}.weight"] for w in ("w1", "w3")])
        elif name.endswith("shared_out.weight"):
            out[name] = tensors[f"{base}shared_experts.w2.weight"]
        else:
            out[name] = tensors[name]
    return {name: value.float() for name, value in out.items()}


def raw_bytes(tensor):
    tensor = tensor.contiguous()
    return tensor.view(torch.int16).numpy().tobytes() if tensor.dtype == torch.bfloat16 else tensor.numpy().tobytes()


def write_shard(path, tensors):
    header, offset = {}, 0
    for name, tensor in tensors.items():
        size = tensor.numel() * tensor.element_size()
        dtype = "BF16" if tensor.dtype == torch.bfloat16 else "F32"
        header[name] = {"dtype": dtype, "shape": list(tensor.shape), "data_offsets": [offset, offset + size]}
        offset += size
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for tensor in tensors.values():
            file.write(raw_bytes(tensor))


def save(model, folder):
    """Fills shards up to the limit (4-byte tensors first, so every tensor stays aligned)."""
    tensors = sorted(released(model).items(), key=lambda item: item[1].dtype != torch.float32)
    shards, room = [{}], SHARD_LIMIT
    for name, tensor in tensors:
        size = tensor.numel() * tensor.element_size()
        if size > room:
            shards.append({})
            room = SHARD_LIMIT
        shards[-1][name] = tensor
        room -= size
    os.makedirs(folder, exist_ok=True)
    where, total = {}, 0
    for i, shard in enumerate(shards):
        file = f"model-{i + 1:05d}-of-{len(shards):05d}.safetensors"
        write_shard(os.path.join(folder, file), shard)
        where.update({name: file for name in shard})
        total += sum(t.numel() * t.element_size() for t in shard.values())
    index = {"metadata": {"total_size": total}, "weight_map": dict(sorted(where.items()))}
    with open(os.path.join(folder, "model.safetensors.index.json"), "w") as file:
        json.dump(index, file, indent=1)


def read(folder):
    index = json.load(open(os.path.join(folder, "model.safetensors.index.json")))
    out = {}
    for file in sorted(set(index["weight_map"].values())):
        data = open(os.path.join(folder, file), "rb").read()
        size = struct.unpack("<Q", data[:8])[0]
        for name, entry in json.loads(data[8:8 + size]).items():
            if name == "__metadata__":
                continue
            first, last = entry["data_offsets"]
            raw = bytearray(data[8 + size + first:8 + size + last])
            flat = torch.frombuffer(raw, dtype=torch.int16).view(torch.bfloat16) if entry["dtype"] == "BF16" else torch.frombuffer(raw, dtype=torch.float32)
            out[name] = flat.view(entry["shape"])
    return out


def load(model, folder):
    model.load_state_dict(stacked(read(folder), model))
