"""Runs forward.py on a longer prompt and keeps its logits: python3 long.py (needs numpy and the golden files beside it).
Writes long.safetensors: input_ids int32 [2176], logits fp32 [2176, 128], topk.layer1 int32 [2176, 8] (-1 = none), and
cut_gap.layer1 fp32 [2176]: the score gap at the cut, relative to the score there (a selection is only comparable where
the gap is wide; 1e9 where everything visible is selected)."""
import io, json, os, struct
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
LENGTH = 2176
source = open(os.path.join(HERE, "forward.py")).read()
ids = np.random.default_rng(20261129).integers(0, 128, LENGTH)
source = source.replace("ids=gold['input_ids'][0]", "ids=LONG_IDS")
source = source.split("d=np.abs(gold['logits'][0]-logits)")[0]
source = source.replace("vis=vis&sel", "SELECTED.append(sel); SCORES.append(sc); vis=vis&sel")
space = {"LONG_IDS": ids, "SELECTED": [], "SCORES": [], "__file__": os.path.join(HERE, "forward.py")}
exec(compile(source, "forward.py", "exec"), space)

topk = np.full((LENGTH, 8), -1, np.int32)
gap = np.full(LENGTH, 1e9, np.float32)
for t in range(LENGTH):
    chosen = np.flatnonzero(space["SELECTED"][0][t])
    topk[t, : len(chosen)] = chosen
    ordered = np.sort(space["SCORES"][0][t])[::-1]
    if (t + 1) // 4 > 8:
        gap[t] = (ordered[7] - ordered[8]) / max(abs(ordered[7]), 1e-9)
tensors = {
    "input_ids": ids.astype(np.int32),
    "logits": space["logits"].astype(np.float32),
    "topk.layer1": topk,
    "cut_gap.layer1": gap,
}
header, body = {}, io.BytesIO()
for name, value in tensors.items():
    begin = body.tell()
    body.write(value.tobytes())
    dtype = "I32" if value.dtype == np.int32 else "F32"
    header[name] = {"dtype": dtype, "shape": list(value.shape), "data_offsets": [begin, body.tell()]}
text = json.dumps(header).encode()
text += b" " * (-len(text) % 8)
with open(os.path.join(HERE, "long.safetensors"), "wb") as out:
    out.write(struct.pack("<Q", len(text)) + text + body.getvalue())
print("logits", tensors["logits"].shape, "smallest gap", gap.min())
