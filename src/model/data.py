"""Training and evaluation examples from haystack.json.

One example is one token sequence: a text with planted facts, then many questions and answers as chat turns. Loss is taken on answers only.
Packing many questions behind one text gives hundreds of supervised tokens a sequence; the first question is exactly the product's prompt.
"""
import json
import random
import re

import numpy as np

from tokenizer import ASSISTANT, BOS, END_THINK, EOS, USER, Coder

FIRST_TOKEN_WEIGHT = 2.0      # finding the fact is decided by the first token of a value; the rest is copying
SEPARATORS = [": ", " = ", "=", " is ", " - ", " ", ":", " -> "]


class Haystack:
    """The data file, tokenized once. `held_out` chooses the words and fillers of measurement instead of those of training."""

    def __init__(self, path, coder, held_out=False):
        self.data = json.load(open(path, encoding="utf-8"))
        self.coder, self.held_out = coder, held_out
        side = "heldOut" if held_out else "train"
        self.words = {name: lists[side] for name, lists in self.data["words"].items()}
        self.documents = []
        seen = set()
        for doc in self.data["filler"]:
            if doc["heldOut"] == held_out:
                lines = doc["text"].splitlines(keepends=True)
                ids = [coder.encode(line) for line in lines]
                starts = np.cumsum([0] + [len(line) for line in ids])
                self.documents.append((np.array(sum(ids, []), dtype=np.int16), starts))
                if not held_out:
                    seen.update(re.findall(r"\b[a-z]{3,9}\b", doc["text"]))
        # Words of measurement must stay unknown, whatever they come from: lists of another kind, running text or chance.
        self.unseen = {word for lists in self.data["words"].values() for word in lists["heldOut"]}
        self.other_words = sorted(seen - self.unseen)
        self.full_stop = coder.encode(".")[0]
        self.opens_word = [(coder.tokenizer.id_to_token(i) or "").startswith("\u0120") for i in range(coder.tokenizer.get_vocab_size())]


class Fact:
    """kind: object or setting; attribute is empty for settings; values: one or several."""

    def __init__(self, kind, attribute, parts, pattern, values):
        self.kind, self.attribute, self.parts, self.pattern, self.values = kind, attribute, parts, pattern, values

    @property
    def key(self):
        words = iter(self.parts)
        return re.sub(r"{(\w+)}", lambda m: next(words).upper() if m[1] == "S" else next(words), self.pattern)

    @property
    def identity(self):
        return (self.attribute, self.key)


class Writer:
    """Draws words, keys, secrets and sentences."""

    def __init__(self, haystack, seed, plain=False):
        self.h, self.r, self.plain = haystack, random.Random(seed), plain or haystack.held_out
        self.code = haystack.coder.encode

    def allowed(self, draw):
        """Draws again while the result is a word held out for measurement."""
        while True:
            drawn = draw()
            if self.h.held_out or drawn not in self.h.unseen:
                return drawn

    def word(self, name):
        return self.allowed(lambda: self.any_word(name))

    def any_word(self, name):
        """Mostly from the list; in training also any filler word or random letters, so that unknown names work."""
        u = self.r.random()
        if self.plain or u < 0.6:
            return self.r.choice(self.h.words[name])
        if u < 0.85:
            return self.r.choice(self.h.other_words)
        return "".join(self.r.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(self.r.randint(3, 8)))

    def attribute(self):
        return self.allowed(self.any_attribute)

    def any_attribute(self):
        """From the list; in training half of the time any word and the list's last one (code, number, ...), so that unknown attributes work."""
        listed = self.r.choice(self.h.words["attribute"])
        return listed if self.plain or self.r.random() < 0.5 else self.word("noun") + " " + listed.split()[-1]

    def code_word(self):
        return self.allowed(self.any_code_word)

    def any_code_word(self):
        if self.plain or self.r.random() < 0.3:
            return self.r.choice(self.h.words["code"])
        return "".join(self.r.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ") for _ in range(self.r.randint(3, 7)))

    def secret(self):
        draw = {"W": self.code_word, "A": lambda: self.r.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), "9": lambda: self.r.choice("0123456789"),
                "x": lambda: self.r.choice("0123456789abcdef")}
        while True:
            text = "".join(draw[c]() if c in draw else c for c in self.r.choice(self.h.data["secrets"]))
            if len(self.code(text)) >= self.h.data["minSecretTokens"]:
                return text

    def fact(self, kind=None):
        kind = kind or self.r.choice(("object", "setting"))
        pattern = self.r.choice(self.h.data["keys"][kind])
        names = [{"s": "segment", "S": "segment"}.get(n, n) for n in re.findall(r"{(\w+)}", pattern)]
        attribute = self.attribute() if kind == "object" else ""
        return Fact(kind, attribute, [self.word(n) for n in names], pattern, [self.secret()])

    def near_word(self, word):
        return self.allowed(lambda: self.any_near_word(word))

    def any_near_word(self, word):
        """A word that shares letters, and so tokens, with this one: north and south, eastern and western."""
        letters = "abcdefghijklmnopqrstuvwxyz"
        count = self.r.randint(1, max(1, min(3, len(word) - 2)))
        other = "".join(self.r.choice(letters) for _ in range(count))
        return other + word[count:] if self.r.random() < 0.5 else word[:-count] + other

    def look_alike(self, fact):
        """The same fact with exactly one word of key or attribute changed, and a value of its own."""
        parts, attribute = list(fact.parts), fact.attribute
        place = self.r.randrange(len(parts) + (1 if attribute else 0))
        if place == len(parts):
            attribute = self.attribute()
        else:
            names = re.findall(r"{(\w+)}", fact.pattern)
            near = not self.plain and self.r.random() < 0.25
            parts[place] = self.near_word(parts[place]) if near else self.word({"s": "segment", "S": "segment"}.get(names[place], names[place]))
        return Fact(fact.kind, attribute, parts, fact.pattern, [self.secret()])

    def time(self):
        r = self.r
        return f"20{r.randint(10, 29)}-{r.randint(1, 12):02d}-{r.randint(1, 28):02d} {r.randint(0, 23):02d}:{r.randint(0, 59):02d}:{r.randint(0, 59):02d}"

    def fill(self, form, fact, value=""):
        form = form.replace("{key}", fact.key).replace("{attribute}", fact.attribute).replace("{value}", value)
        return form.replace("{time}", self.time()) if "{time}" in form else form

    def needles(self, fact, repeat=1):
        """One line per value, all in one wording."""
        wording = self.r.choice(self.h.data["wordings"][fact.kind])["text"]
        return [self.fill(wording, fact, value) for value in fact.values for _ in range(repeat)]

    def question(self, fact, every=False):
        return self.fill(self.r.choice(self.h.data["questions"][fact.kind]["all" if every else "one"]), fact)


class Example:
    """Tokens and the supervised answers in them."""

    def __init__(self):
        self.ids, self.answers = [], []           # answers: (first position, [weights], family)

    def add(self, ids):
        self.ids += ids

    def answer(self, ids, weights, family):
        self.answers.append((len(self.ids), weights + [FIRST_TOKEN_WEIGHT if family == "several" else 1.0], family))
        self.ids += ids + [EOS]


def plain_example(writer, level, length, qa_share):
    """Levels 0 and 1 of the curriculum: short lines of key and value. On level 0 the value follows the key with nothing between, in the text and in the
    questions: without that stage copying does not start (see README.md)."""
    r, code = writer.r, writer.code
    out = Example()
    out.add([BOS] + code("\n") * r.randint(0, 3))
    facts, used = [], 0
    budget = int(length * (1 - qa_share)) - 8
    while True:
        key = code(" ".join(writer.word(r.choice(("adjective", "noun", "segment"))) for _ in range(r.randint(1, 3))))
        if facts and r.random() < 0.3:                   # share part of another key
            other = r.choice(facts)[0]
            key = other[:len(other) // 2] + key
        value = code(writer.secret())
        if r.random() < 0.5:
            value = value[:r.randint(3, 8)]              # short values first make the association the larger part of the loss
        line = key + (code(r.choice(SEPARATORS)) if level else []) + value + code("\n")
        if used + len(line) > budget:
            break
        used += len(line)
        facts.append((key, value))
        out.add(line)
    order = list(range(len(facts)))
    r.shuffle(order)
    for i in order:
        key, value = facts[i]
        ask = [USER] + key + ([ASSISTANT, END_THINK] if level else [])
        if len(out.ids) + len(ask) + len(value) + 1 > length:
            break
        out.add(ask)
        out.answer(value, [FIRST_TOKEN_WEIGHT] + [1.0] * (len(value) - 1), "plain")
    return out


def draw_filler(haystack, r, budget):
    """Lines of real text: stretches of one to six documents, sometimes shuffled or made into noise."""
    lines, used = [], 0
    stretch = max(200, budget // r.randint(1, 6))
    while used < budget:
        ids, starts = haystack.documents[r.randrange(len(haystack.documents))]
        i = r.randrange(len(starts) - 1)
        taken, stop = [], used + stretch
        while i < len(starts) - 1 and used < min(stop, budget):
            line = ids[starts[i]:starts[i + 1]]
            if used + len(line) <= budget + 64:
                taken.append(line)
                used += len(line)
            i += 1
        if not haystack.held_out and r.random() < 0.15:
            r.shuffle(taken)
        lines += taken
        if not taken:
            used += 1
    return lines


def plant(writer, filler, needles):
    """Puts the needle lines at random line borders (prose sometimes after a sentence inside a line), groups of several values in their order."""
    r, code = writer.r, writer.code
    slots = {}
    for group in needles:
        for place, text in zip(sorted(r.randint(0, len(filler)) for _ in group), group):
            slots.setdefault(place, []).append(text)
    out = []
    for i in range(len(filler) + 1):
        line = filler[i] if i < len(filler) else None
        for text in slots.get(i, ()):
            alone = line is not None and len(slots[i]) == 1
            inside = sentence_ends(writer.h, line) if alone and text[0].isupper() and text[-1] == "." and r.random() < 0.3 else []
            if inside:
                at = r.choice(inside)
                line = np.concatenate([line[:at], np.array(code(" " + text), dtype=np.int16), line[at:]])
            else:
                out.append(code(text + "\n"))
        if line is not None:
            out.append(line)
    return out


def sentence_ends(haystack, line):
    """Places inside a line after a full stop that a word with its space follows."""
    stops = np.flatnonzero(line[:-1] == haystack.full_stop) + 1
    return [at for at in stops.tolist() if haystack.opens_word[line[at]]]


def look_alike_count(r, budget):
    """Up to 31 look-alikes, as many as the remaining budget of tokens allows."""
    return min(r.choice((1, 2, 4, 8, 16, 31)), 1 + int(max(0, budget) / 26))


def compose_facts(writer, level, budget, lookalike_share):
    """Groups of facts until their needle lines fill the budget. Returns the facts with repeats, the needle groups and keys that are nowhere."""
    r = writer.r
    facts, groups, absent, known, used = [], [], [], set(), 0

    def put(fact, repeat=1):
        nonlocal used
        if fact.identity in known:
            return False
        known.add(fact.identity)
        lines = writer.needles(fact, repeat)
        used += sum(len(writer.code(line)) + 1 for line in lines)
        groups.append(lines)
        facts.append((fact, "several" if len(fact.values) > 1 else "repeated" if repeat > 1 else "single"))
        return True

    while used < budget or not facts:
        fact = writer.fact()
        u = r.random()
        if level >= 4 and u < 0.32:
            fact.values += [writer.secret() for _ in range(r.randint(1, 2))]
            put(fact)
        elif level >= 3 and u < 0.40:
            put(fact, r.choice((2, 3, 8)) if budget - used > 200 else 2)
        elif level >= 4 and u < 0.60:                   # a key that is nowhere although many of its look-alikes are there
            known.add(fact.identity)
            absent.append(fact)
            for _ in range(look_alike_count(r, budget - used)):
                put(writer.look_alike(fact))
        elif put(fact) and level >= 3 and r.random() < lookalike_share:
            for _ in range(look_alike_count(r, budget - used)):
                other = writer.look_alike(fact if r.random() < 0.8 else r.choice(facts)[0])
                if put(other) and other.kind == fact.kind:
                    facts[-1] = (other, "many keys")
            facts = [(f, "many keys" if f is fact else family) for f, family in facts]
    if level >= 4:
        for _ in range(1 + len(facts) // 4):
            other = writer.look_alike(r.choice(facts)[0]) if r.random() < 0.8 else writer.fact()
            if other.identity not in known:
                absent.append(other)
    return facts, groups, absent


def chat_example(writer, level, length, qa_share, needle_share, lookalike_share=0.5, questions=None):
    """Levels 2 to 4: real wordings, real filler, chat turns."""
    r, code, data = writer.r, writer.code, writer.h.data
    room = int(length * (1 - qa_share)) - 24
    out = Example()
    out.add([BOS])
    low, high = needle_share
    facts, groups, absent = compose_facts(writer, level, room * r.uniform(low, high), lookalike_share)
    needle_tokens = sum(len(code(line)) + 1 for group in groups for line in group)
    lines = plant(writer, draw_filler(writer.h, r, max(0, room - needle_tokens)) if room - needle_tokens > 30 else [], groups)
    text = np.concatenate([np.asarray(line, dtype=np.int16) for line in lines]).tolist()
    in_system = r.random() < 0.15
    if in_system:
        out.add(text + [USER])
    else:
        out.add((code(r.choice(data["prompts"]["system"])) if r.random() < 0.25 else []) + [USER] + text + code("\n"))
    if level >= 4 and r.random() < 0.2:
        ask(out, writer, r.choice(data["prompts"]["acknowledge"]), [data["answers"]["acknowledge"]], "acknowledge", first=True)
    todo = facts + [(fact, "absent") for fact in absent]
    r.shuffle(todo)
    first = not out.answers
    for fact, family in todo[:questions]:
        values = [data["answers"]["absent"]] if family == "absent" else fact.values
        size = len(out.ids)
        if size + 40 + sum(len(code(v)) + 2 for v in values) > length:
            break
        ask(out, writer, writer.question(fact, family == "several"), values, family, first)
        first = False
        if level >= 4 and r.random() < 0.04 and len(out.ids) + 40 < length:
            ask(out, writer, r.choice(data["prompts"]["remark"]), [data["answers"]["acknowledge"]], "acknowledge")
    return out


def ask(out, writer, question, values, family, first=False):
    """One chat turn. The first follows the text inside the same message; the others open a message of their own."""
    code = writer.code
    out.add(([] if first else [USER]) + code(question) + [ASSISTANT, END_THINK])
    ids, weights = [], []
    for i, value in enumerate(values):
        part = (code(writer.h.data["answers"]["join"]) if i else []) + code(value)
        join = len(part) - len(code(value))
        weights += [FIRST_TOKEN_WEIGHT] * (join + 1) + [1.0] * (len(code(value)) - 1)       # whether another value follows is hard too
        ids += part
    out.answer(ids, weights, family)


def example(writer, stage):
    """stage: length, levels {level: share}, qa_share, needle_share, lookalike_share."""
    level = writer.r.choices(list(stage["levels"]), list(stage["levels"].values()))[0]
    if int(level) < 2:
        return plain_example(writer, int(level), stage["length"], 0.5)
    few = writer.r.random() < stage.get("few", 0.0)
    return chat_example(writer, int(level), stage["length"], 0.02 + 150 / stage["length"] if few else stage["qa_share"], stage["needle_share"],
                        stage.get("lookalike_share", 0.5), writer.r.randint(1, 3) if few else None)


def batch(examples, length, width):
    """Arrays of one step: tokens, positions predicting an answer token, their weights, their question (-1: none) and whether they predict a first token."""
    count = len(examples)
    ids = np.full((count, length), EOS, dtype=np.int16)
    wanted = np.zeros((count, width), dtype=np.int32)
    weights = np.zeros((count, width), dtype=np.float32)
    question = np.full((count, width), -1, dtype=np.int32)
    first = np.zeros((count, width), dtype=np.float32)
    families, number = [], 0
    for row, one in enumerate(examples):
        ids[row, :min(length, len(one.ids))] = one.ids[:length]
        at = 0
        for start, weight, family in one.answers:
            if at + len(weight) > width or start + len(weight) > length:
                break
            span = slice(at, at + len(weight))
            wanted[row, span] = np.arange(start - 1, start - 1 + len(weight))
            weights[row, span], question[row, span], first[row, at] = weight, number, 1.0
            at += len(weight)
            number += 1
            families.append(family)
    return ids, wanted, weights, question, first, families


# ---- measurement: one question behind one text, as the product asks it ----

FAMILIES = ("single", "many keys", "several values", "repeated", "earlier turn", "absent")


def measure_example(writer, family, length):
    """One prompt of a family, of about `length` tokens, with the needle at a random depth."""
    r, code, data = writer.r, writer.code, writer.h.data
    fact = writer.fact()
    needles, others = [], []
    if family == "several values":
        fact.values += [writer.secret() for _ in range(r.randint(1, 2))]
    if family in ("many keys", "absent"):
        known = {fact.identity}
        for _ in range(r.choice((4, 8, 16, 32)) if length >= 2048 else 4):
            other = writer.look_alike(fact)
            if other.identity not in known:
                known.add(other.identity)
                needles.append(writer.needles(other))
    if family == "earlier turn":
        others = [writer.fact() for _ in range(r.randint(1, 3))]
        needles += [writer.needles(other) for other in others]
    if family != "absent":
        needles.append(writer.needles(fact, 8 if family == "repeated" else 1))
    room = length - 60 - sum(len(code(line)) + 1 for group in needles for line in group) - 45 * len(others)
    lines = plant(writer, draw_filler(writer.h, r, max(room, 0)), needles)
    out = Example()
    out.add([BOS, USER] + np.concatenate([np.asarray(line, dtype=np.int16) for line in lines]).tolist() + code("\n"))
    if family == "earlier turn":
        ask(out, writer, r.choice(data["prompts"]["acknowledge"]), [data["answers"]["acknowledge"]], "", True)
        for other in others:
            if r.random() < 0.7:
                ask(out, writer, writer.question(other), other.values, "")
            else:
                ask(out, writer, r.choice(data["prompts"]["remark"]), [data["answers"]["acknowledge"]], "")
        out.answers.clear()
    values = [data["answers"]["absent"]] if family == "absent" else fact.values
    ask(out, writer, writer.question(fact, family == "several values"), values, family, family != "earlier turn")
    return out


if __name__ == "__main__":      # python3 data.py HAYSTACK TOKENIZER: prints samples and speed
    import sys
    import time
    coder = Coder(sys.argv[2])
    haystack = Haystack(sys.argv[1], coder)
    writer = Writer(haystack, 1)
    for level, length in ((0, 256), (1, 256), (2, 512), (4, 1024)):
        stage = {"length": length, "levels": {level: 1}, "qa_share": 0.45, "needle_share": (0.3, 0.9)}
        sample = example(writer, stage)
        print(f"---- level {level}: {len(sample.ids)} tokens, {len(sample.answers)} answers\n{coder.decode(sample.ids)}")
        start = time.time()
        for _ in range(50):
            example(writer, stage)
        print(f"---- {(time.time() - start) * 20:.1f} ms a sequence")
    held = Writer(Haystack(sys.argv[1], coder, True), 2)
    for family in FAMILIES:
        sample = measure_example(held, family, 700)
        print(f"==== {family}: {len(sample.ids)}\n{coder.decode(sample.ids)[-420:]}")
