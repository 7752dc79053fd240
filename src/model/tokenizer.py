"""The tokenizer of needle-mini: trained once on haystack.json, then frozen in tokenizer.json.

    python3 tokenizer.py HAYSTACK OUTPUT        (needs the `tokenizers` package)

It is a byte-level BPE whose pre-tokenizer keeps every digit, sign, line break and capital of an all-capitals run apart. So a secret such as
ZEBRA-4492-OMEGA is spelt character by character (it spans at least four compressed entries of four tokens) and the same characters are the same
tokens wherever they stand, which is what lets a very small model copy words it never met.
"""
import json
import re
import sys

SPECIAL = ["<｜begin▁of▁sentence｜>", "<｜end▁of▁sentence｜>", "<｜User｜>", "<｜Assistant｜>", "<think>", "</think>", "｜DSML｜", "<｜latest_reminder｜>",
           "<｜action｜>", "<｜query｜>", "<｜authority｜>", "<｜domain｜>", "<｜title｜>", "<｜read_url｜>", "<｜extracted_url｜>"]
BOS, EOS, USER, ASSISTANT, END_THINK = 0, 1, 2, 3, 5
VOCABULARY = 3072

# In this order: a word with its space, unless digits follow (then each letter stands alone, as in 9f3ac1); a run of spaces; a run beyond ASCII; any one character.
PIECE = r" ?[A-Z]?[a-z]+(?![a-z]*[0-9])| +|[^\x00-\x7f]+|[\x00-\x7f]"


def train(haystack, output):
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(PIECE), "isolated"),
                                                       pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(vocab_size=VOCABULARY, special_tokens=SPECIAL, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
                                  show_progress=False)
    data = json.load(open(haystack, encoding="utf-8"))
    texts = [doc["text"] for doc in data["filler"] if not doc["heldOut"]]
    for words in data["words"].values():                 # key words count more than their share of the fillers
        texts += [" " + word.lower() for word in words["train"]] * 20 + [word.lower() for word in words["train"]] * 10
    for kind in data["questions"].values():
        texts += [re.sub(r"{\w+}", "", text) for form in kind.values() for text in form] * 40
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.save(output)


class Coder:
    """Encodes like the tokenizer, faster for short pieces: each piece of the pre-tokenizer is looked up once."""

    def __init__(self, tokenizer_json):
        from tokenizers import Tokenizer
        self.tokenizer = Tokenizer.from_file(tokenizer_json)
        self.pieces = re.compile(PIECE)
        self.known = {}

    def encode(self, text):
        out = []
        known = self.known
        for piece in self.pieces.findall(text):
            ids = known.get(piece)
            if ids is None:
                ids = self.tokenizer.encode(piece, add_special_tokens=False).ids
                if len(known) < 200000:
                    known[piece] = ids
            out += ids
        return out

    def decode(self, ids):
        return self.tokenizer.decode(ids, skip_special_tokens=False)


if __name__ == "__main__":
    train(sys.argv[1], sys.argv[2])
