"""Builds src/main/resources/recall/haystack.json, the one file every recall prompt is made from.

    python3 collect.py SOURCES OUTPUT

SOURCES is a folder with the unpacked packages named in FILLER below (README.md says how to fetch them). Only this step needs them;
everything after it (tokenizer, training, sweep, tests) reads the JSON file alone.
"""
import gzip
import html
import json
import pathlib
import random
import re
import sys

HERE = pathlib.Path(__file__).parent

PD = "public domain"
DEBIAN = "https://packages.debian.org/bookworm/"
# name, kind, held out, path below SOURCES, where it comes from, licence, first character, number of characters
FILLER = [
    ("genesis", "prose", False, "kjv/genesis.txt", DEBIAN + "bible-kjv-text", PD, 0, 120000),
    ("luke", "prose", True, "kjv/luke.txt", DEBIAN + "bible-kjv-text", PD, 0, 60000),
    ("jargon", "prose", False, "debs/x/jargon-text/usr/share/doc/jargon-text/jargon.txt.gz", DEBIAN + "jargon-text", PD, 90000, 130000),
    ("sqlite-prose", "prose", False, "sqlite:atomiccommit,howtocorrupt,queryplanner,foreignkeys,testing,malloc", DEBIAN + "sqlite3-doc", PD, 0, 150000),
    ("sqlite-manual", "prose", True, "sqlite:wal,walformat,datatype3,optoverview", DEBIAN + "sqlite3-doc", PD, 0, 70000),
    ("declaration", "prose", True, "debs/x/miscfiles/usr/share/state/us-declaration.gz", DEBIAN + "miscfiles", PD, 0, 20000),
    ("constitution", "prose", False, "debs/x/miscfiles/usr/share/state/us-constitution.gz", DEBIAN + "miscfiles", PD, 0, 40000),
    ("apache-licence", "licence", False, "/usr/share/common-licenses/Apache-2.0", DEBIAN + "base-files", "Apache-2.0 (the licence text itself)", 0, 12000),
    ("cc0-licence", "licence", False, "/usr/share/common-licenses/CC0-1.0", DEBIAN + "base-files", "CC0-1.0 (the licence text itself)", 0, 8000),
    ("mpl-licence", "licence", True, "/usr/share/common-licenses/MPL-2.0", DEBIAN + "base-files", "MPL-2.0 (the licence text itself; verbatim copies permitted)", 0, 17000),
    ("argparse.py", "code", False, "/usr/lib/python3.11/argparse.py", "https://www.python.org/ CPython 3.11", "PSF-2.0, (c) Python Software Foundation", 3000, 70000),
    ("tarfile.py", "code", False, "/usr/lib/python3.11/tarfile.py", "https://www.python.org/ CPython 3.11", "PSF-2.0, (c) Python Software Foundation", 2000, 50000),
    ("textwrap.py", "code", True, "/usr/lib/python3.11/textwrap.py", "https://www.python.org/ CPython 3.11", "PSF-2.0, (c) Python Software Foundation", 0, 20000),
    ("csv.py", "code", True, "/usr/lib/python3.11/csv.py", "https://www.python.org/ CPython 3.11", "PSF-2.0, (c) Python Software Foundation", 0, 17000),
    ("StringUtils.java", "code", False, "src/org/apache/commons/lang3/StringUtils.java", "https://repo1.maven.org/maven2/ org.apache.commons:commons-lang3:3.14.0", "Apache-2.0, (c) The Apache Software Foundation", 0, 70000),
    ("FilenameUtils.java", "code", True, "src/io/org/apache/commons/io/FilenameUtils.java", "https://repo1.maven.org/maven2/ commons-io:commons-io:2.16.1", "Apache-2.0, (c) The Apache Software Foundation", 0, 40000),
    ("application.js", "code", False, "npm/x/express-4.19.2/package/lib/application.js", "https://www.npmjs.com/package/express 4.19.2", "MIT, (c) TJ Holowaychuk, Roman Shtylman, Douglas Christopher Wilson", 0, 14000),
    ("redis.conf", "config", False, "debs/x/redis-server/etc/redis/redis.conf", DEBIAN + "redis-server", "BSD-3-Clause, (c) Salvatore Sanfilippo", 0, 90000),
    ("apache2.conf", "config", False, "debs/x/apache2/etc/apache2/apache2.conf", DEBIAN + "apache2", "Apache-2.0, (c) The Apache Software Foundation", 0, 8000),
    ("postgresql.conf", "config", True, "debs/x/postgresql-15/usr/share/postgresql/15/postgresql.conf.sample", DEBIAN + "postgresql-15", "PostgreSQL, (c) PostgreSQL Global Development Group, The Regents of the University of California", 0, 30000),
    ("pg_hba.conf", "config", False, "debs/x/postgresql-15/usr/share/postgresql/15/pg_hba.conf.sample", DEBIAN + "postgresql-15", "PostgreSQL, (c) PostgreSQL Global Development Group, The Regents of the University of California", 0, 5000),
    ("mosquitto.conf", "config", True, "debs/x/mosquitto/usr/share/doc/mosquitto/examples/mosquitto.conf", DEBIAN + "mosquitto", "EDL-1.0 (BSD-3-Clause), (c) Roger A. Light", 0, 39000),
    ("spring-metadata.json", "config", False, "sb/META-INF/spring-configuration-metadata.json", "https://repo1.maven.org/maven2/ org.springframework.boot:spring-boot-autoconfigure:3.3.1", "Apache-2.0, (c) Broadcom and contributors", 40000, 70000),
    ("spring-additional.json", "config", True, "sb/META-INF/additional-spring-configuration-metadata.json", "https://repo1.maven.org/maven2/ org.springframework.boot:spring-boot-autoconfigure:3.3.1", "Apache-2.0, (c) Broadcom and contributors", 0, 30000),
    ("express-history", "changelog", False, "npm/x/express-4.19.2/package/History.md", "https://www.npmjs.com/package/express 4.19.2", "MIT, (c) TJ Holowaychuk, Roman Shtylman, Douglas Christopher Wilson", 0, 70000),
    ("axios-changelog", "changelog", False, "npm/x/axios-1.7.2/package/CHANGELOG.md", "https://www.npmjs.com/package/axios 1.7.2", "MIT, (c) Matt Zabriskie and collaborators", 0, 40000),
    ("moment-changelog", "changelog", True, "npm/x/moment-2.30.1/package/CHANGELOG.md", "https://www.npmjs.com/package/moment 2.30.1", "MIT, (c) JS Foundation and other contributors", 0, 40000),
    ("axios-readme", "markdown", False, "npm/x/axios-1.7.2/package/README.md", "https://www.npmjs.com/package/axios 1.7.2", "MIT, (c) Matt Zabriskie and collaborators", 8000, 45000),
    ("ajv-readme", "markdown", False, "npm/x/ajv-6.12.6/package/README.md", "https://www.npmjs.com/package/ajv 6.12.6", "MIT, (c) Evgeny Poberezkin", 6000, 50000),
    ("winston-readme", "markdown", True, "npm/x/winston-3.13.0/package/README.md", "https://www.npmjs.com/package/winston 3.13.0", "MIT, (c) Charlie Robbins", 2000, 30000),
    ("dpkg.log", "log", False, "/var/log/dpkg.log", "written by dpkg while this file was made", "CC0-1.0 (own output)", 0, 90000),
    ("apt-history.log", "log", True, "/var/log/apt/history.log", "written by apt while this file was made", "CC0-1.0 (own output)", 0, 30000),
    ("apt-term.log", "log", False, "/var/log/apt/term.log", "written by apt while this file was made", "CC0-1.0 (own output)", 0, 40000),
    ("zone1970.tab", "table", False, "/usr/share/zoneinfo/zone1970.tab", DEBIAN + "tzdata", PD, 0, 18000),
    ("mime.types", "table", True, "debs/x/media-types/etc/mime.types", DEBIAN + "media-types", PD, 10000, 20000),
]

WORDINGS = {
    "object": [
        ("prose", "The {attribute} of the {key} is {value}."),
        ("prose", "The {attribute} for the {key} is {value}."),
        ("prose", "Remember that the {attribute} of the {key} is {value}."),
        ("prose", "For the {key}, the {attribute} is {value}."),
        ("prose", "Please note: the {key} has the {attribute} {value}."),
        ("note", "{attribute} of the {key}: {value}"),
        ("note", "{key} - {attribute}: {value}"),
        ("note", "* {key} {attribute} = {value}"),
        ("table", "| {key} | {attribute} | {value} |"),
        ("log", "{time} INFO  the {attribute} of the {key} is now {value}"),
    ],
    "setting": [
        ("config", "{key}: {value}"),
        ("config", "{key} = {value}"),
        ("config", "{key}={value}"),
        ("config", "  {key}: \"{value}\""),
        ("config", "\"{key}\": \"{value}\","),
        ("config", "export {key}={value}"),
        ("config", "set {key} {value}"),
        ("prose", "The value of {key} is {value}."),
        ("prose", "The setting {key} is set to {value}."),
        ("log", "{time} INFO  config {key} set to {value}"),
        ("log", "{time} DEBUG {key}={value}"),
        ("log", "[{time}] changed {key} to {value}"),
    ],
}
QUESTIONS = {
    "object": {
        "one": ["What is the {attribute} of the {key}?", "What is the {attribute} for the {key}?", "Which {attribute} does the {key} have?",
                "Tell me the {attribute} of the {key}.", "Find the {attribute} of the {key} in the text.",
                "What {attribute} does the text give for the {key}?", "I need the {attribute} of the {key}. What is it?"],
        "all": ["List every {attribute} of the {key}.", "What are all the values given as {attribute} of the {key}?",
                "Give all the {attribute} values of the {key} in order."],
    },
    "setting": {
        "one": ["What is the value of {key}?", "What is {key} set to?", "Which value does {key} have?", "Tell me the value of {key}.",
                "Find the value of {key} in the text.", "What does the text say about {key}?", "What is {key}?"],
        "all": ["List every value of {key}.", "What are all the values of {key}?", "Give all values of {key} in order."],
    },
}
# W an upper-case word, A a random capital, 9 a random digit, x a random hexadecimal digit; anything else stands for itself
SECRETS = ["W-9999-W", "W-9999-W", "W-9999-W", "W-W-9999", "9999-W-9999-W", "AAAA-9999-AAAA", "AAAAA-999-AAAAA", "AA9999-AA9999", "9999-9999-9999",
           "9999 9999 9999 9999", "99999999999999", "AAAAAAAAAAAAAA", "A99-A99-A99-A99", "xxxxxxxx-xxxx-xxxx-xxxx", "xxxxxxxxxxxxxxxxxxxxxxxx", "W_99_W_99_W"]
CONFIG_KEYS = ["{s}.{s}.{s}", "{s}.{s}.{s}", "{s}.{s}", "{s}_{s}_{s}", "{s}-{s}-{s}", "{S}_{S}_{S}", "{s}.{s}-{s}", "{s}.{s}.{s}.{s}", "{s}_{s}"]
SYSTEM = ["You are a helpful assistant.", "Answer with the value only.", "You read a text and answer questions about it. Answer briefly.",
          "You are Plumbline's test instrument. If the text does not hold the answer, say: not in the text"]
ACKNOWLEDGE = ["Keep this text in mind.", "Read this text. I will ask about it later.", "Please remember the text above.", "Say noted when you have read the text."]
REMARK = ["Thank you.", "Thanks, that helps.", "Wait a moment.", "Good. Next question soon."]




def sqlite_page(path):
    raw = path.read_text(errors="replace")
    raw = re.sub(r"(?s)<script.*?</script>|<style.*?</style>|<!--.*?-->", "", raw)
    body = raw[raw.find("<h1"):] if "<h1" in raw else raw
    text = html.unescape(re.sub(r"<[^>]+>", "", body))
    return re.sub(r"\n\s*\n+", "\n\n", text).strip() + "\n"


def read_source(root, path):
    if path.startswith("sqlite:"):
        pages = root / "debs/x/sqlite3-doc/usr/share/doc/sqlite3"
        return "\n".join(sqlite_page(pages / (name + ".html")) for name in path[7:].split(","))
    file = pathlib.Path(path) if path.startswith("/") else root / path
    raw = gzip.open(file).read() if path.endswith(".gz") else file.read_bytes()
    text = raw.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n").replace("\f", "")
    return re.sub(r"(?m)^\(Reading database.*\n", "", text)


def filler(root):
    out = []
    for name, kind, held_out, path, source, licence, first, count in FILLER:
        text = read_source(root, path)[first:first + count]
        text = re.sub(r"[ \t]+\n", "\n", text)
        if first:
            text = text[text.index("\n") + 1:]        # begin at a line
        text = text[:text.rindex("\n") + 1]           # and end with one
        out.append({"name": name, "kind": kind, "heldOut": held_out, "source": source, "licence": licence, "text": text})
    return out


def split_words(raw):
    cut = lambda s: s.split("|") if "|" in s else s.split()
    names = [k for k in raw if not k.endswith(".heldOut")]
    return {k: {"train": cut(raw[k]), "heldOut": cut(raw[k + ".heldOut"])} for k in names}


def code_words(root, docs):
    """Words for W: everyday words of 4 to 7 letters met in the training texts that are not scripture; a fifth is held out."""
    known = set((root / "debs/x/miscfiles/usr/share/dict/web2").read_text().split())
    seen = {}
    for doc in docs:
        if doc["name"] not in ("genesis", "luke", "jargon"):
            for w in re.findall(r"\b[a-z]{4,7}\b", doc["text"]):
                seen[w] = seen.get(w, 0) + 1
    common = sorted(w for w in seen if w in known and seen[w] >= 2)
    random.Random(7).shuffle(common)
    held = "zebra omega kestrel falcon raven walrus badger otter lynx osprey condor gamma delta sigma theta lambda cobalt nickel quartz topaz onyx saffron juniper maple willow cedar comet meteor nebula orbit".split()
    train = [w for w in common if w not in held]
    return {"train": [w.upper() for w in train[:600]], "heldOut": [w.upper() for w in held + train[600:700]]}


def main():
    root, output = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    docs = filler(root)
    words = split_words(json.loads((HERE / "words.json").read_text()))
    words["code"] = code_words(root, docs)
    data = {
        "schema": 1,
        "answers": {"absent": "not in the text", "join": ", ", "acknowledge": "noted"},
        "minSecretTokens": 13,
        "words": words,
        "keys": {"object": ["{adjective} {noun}"], "setting": CONFIG_KEYS},
        "secrets": SECRETS,
        "wordings": {k: [{"style": s, "text": t} for s, t in v] for k, v in WORDINGS.items()},
        "questions": QUESTIONS,
        "prompts": {"textFirst": "{text}\n\n{question}", "system": SYSTEM,
                    "acknowledge": ACKNOWLEDGE, "remark": REMARK},
        "filler": docs,
    }
    output.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    for held in (False, True):
        print("held out" if held else "training", sum(len(d["text"]) for d in docs if d["heldOut"] == held), "characters")
    print(output.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
