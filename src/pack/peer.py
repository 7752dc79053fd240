"""Times Hugging Face's DeepseekV4ForCausalLM on the GPU: peer.py MODEL. Prints lines `row NAME VALUE UNIT`.

The model keeps some of its parts in fp32, so it is loaded whole in fp32 and its products run in bf16 by autocast.
"""
import sys
import time

import torch
from transformers import AutoConfig, AutoModelForCausalLM

folder = sys.argv[1]
torch.manual_seed(1)
config = AutoConfig.from_pretrained(folder)
try:
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    print("weights of", folder)
except Exception as e:  # speed does not depend on the weights
    print("random weights, because:", str(e).splitlines()[0] if str(e) else type(e).__name__)
    model = AutoModelForCausalLM.from_config(config, dtype=torch.float32)
model = model.to("cuda").eval()
DECODED = 64


def timed(length, batch):
    ids = torch.randint(10, 3000, (batch, length), device="cuda")
    with torch.inference_mode(), torch.autocast("cuda", dtype=torch.bfloat16):
        torch.cuda.synchronize()
        start = time.perf_counter()
        out = model(ids, use_cache=True, logits_to_keep=1)
        torch.cuda.synchronize()
        first = time.perf_counter()
        token = out.logits[:, -1:].argmax(-1)
        for _ in range(DECODED):
            out = model(token, past_key_values=out.past_key_values, use_cache=True)
            token = out.logits[:, -1:].argmax(-1)
        torch.cuda.synchronize()
        end = time.perf_counter()
    return length * batch / (first - start), DECODED * batch / (end - first)


failure = None
measured = 0
for length, batch in ((1024, 1), (1024, 8), (8192, 1)):
    try:
        timed(length, batch)
        prefill, decode = timed(length, batch)
        print(f"row {length}x{batch}.prefill {prefill:.0f} tokens/s")
        print(f"row {length}x{batch}.decode {decode:.0f} tokens/s", flush=True)
        measured += 1
    except Exception as e:
        failure = f"{length}x{batch} failed: {type(e).__name__} {str(e)[:500]}"
        print(failure, flush=True)
if measured == 0:
    sys.exit(failure)
