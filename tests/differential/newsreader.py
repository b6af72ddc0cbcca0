"""The programs of NewsReader: links that are evaluated, and links that are taken from NAF documents."""

from __future__ import annotations

from pathlib import Path
from random import Random

from tests.differential.comparing import Program, Reference, same
from tests.differential.odd_files import damage
from tests.differential.programs import perl
from tests.fuzz.calling import call

_ODD_SPANS = (
    *(
        "1.2",
        ".",
        "1+",
        "1-2-",
        "-1",
        "--",
        "(1",
        "1|2",
        "t1-t2",
        " 1",
        "1 ",
        "1*",
        "[12]",
        "1$",
        "^1",
        r"\d",
        "1?",
        "1{1}",
    ),
)
_ODD_LINES = (
    *("a.naf\t1\tA", "a.naf\t1", "a.naf", "", "\t", "a.naf\t\tA\tx", "a.naf\t1\t\tx", "a.naf\t1\t0\tx", "\t1\tA\tx"),
    *("c.naf\t1\tA\tx", "a.naf\té\té\tx", "a.naf\t1\tA\tx\ty\tz", "  ", "a.naf\t1\t0.0\tx", "0\t1\tA\tx"),
    *(f"a.naf\t{span}\tA\tx" for span in _ODD_SPANS),
)


def _evaluation(random: Random, room: Path, program: Program) -> str | None:
    """Compare what is printed and written; both are in the order of hashes.

    Without a line that both sides have the program fails.
    """
    common = ["a.naf\t1\tA\tx\n"] if random.random() < 0.9 else []
    for name in ("gold", "system"):
        lines = list(common)
        for _ in range(random.randint(1, 10)):
            span = "-".join(str(random.randint(1, 4)) for _ in range(random.randint(1, 3)))
            lines.append(f"{random.choice('ab')}.naf\t{span}\t{random.choice('AB0')}\t{random.choice('xy')}\n")
        random.shuffle(lines)
        (room / f"{name}.tsv").write_text("".join(lines), "utf-8")
        if random.random() < 0.4:
            damage(room / f"{name}.tsv", random, _ODD_LINES)
    theirs = perl(program.file, ["gold.tsv", "system.tsv", "theirs.tsv"], room)
    ours = call(["newsreader", "evaluate", "gold.tsv", "system.tsv", "ours.tsv"])
    told = same(*((status, "\n".join(sorted(out.split("\n"))), err) for status, out, err in (theirs, ours)))
    return _written(room, "theirs.tsv", "ours.tsv") if told == "" else told


def _written(room: Path, theirs: str, ours: str) -> str:
    """Compare the lines of two files in any order."""
    files = [room / name for name in (theirs, ours)]
    contents = [sorted(file.read_bytes().split(b"\n")) if file.exists() else None for file in files]
    return "" if contents[0] == contents[1] else f"{ours}: writes\n{contents[0]}\nand\n{contents[1]}"


_EXTRACTORS = {
    "goldFiveSentences": ("gold", ["naf", "OUT"], ""),
    "goldFiveSentencesWithRedirects": ("gold-with-redirects", ["naf", "OUT", "tables/"], ""),
    "systemFiveSentences": ("system", ["naf", "spotlight_v1", "OUT", "INFO"], "w"),
    "systemFiveSentencesNotEnglish": ("system-not-english", ["naf", "spotlight_v1", "OUT", "INFO", "tables/"], "w"),
    "systemFiveSentencesWithRedirects": ("system-with-redirects", ["naf", "OUT", "tables/"], "w"),
}
"""Each program with the command for it, its words, and the letter before the ids of tokens."""
_IDS = ("w{}", "t{}", "w0{}", "x", "", "t", "wt{}", "t{}.5", "t-{}", "{} ", " {}", "t{}_1", "1e1", "inf", "nan", "é{}")
_SENTENCES = ("7", "8", "", "x", "0", "-1", "6.5", "1e1", "nan", "inf", " 3")
_TARGETS = (
    *("http://dbpedia.org/resource/Bern", "http://es.dbpedia.org/resource/Z%C3%BCrich"),
    *("http://dbpedia.org/resource/Zürich", "http://dbpedia.org/resource/Łódź", "dbpedia", "http://wikidata.org/Q1"),
    *("http://dbpedia.org/resource/", "", "http://dbpedia.org/resource/A/B", "http://dbpedia.org/resource/A&#10;B"),
    *("http://dbpedia.org/resource/A B", "http://dbpedia.org/x&#9;y", "http://dbpedia.org/resource/0"),
)
_CONFIDENCES = ("1.0", "0.5", "0.9", "", "x", "0", "-1", "nan", "inf", "1e-3", "0,5", "+.7")
_WORDS = ("Bern", "Zürich", "Łódź", "<![CDATA[a<b]]>", "", "a b", "a<x>b</x>c", "&amp;", "0", "a\nb")
_REDIRECTS = (
    *("Bern Berne\n", "Zürich Zurich\n", "Bern\tB\n", "A 0\n", "A\n", " x y\n", "\n", "Łódź Lodz\n", "Bern  X\n"),
    *("0 Null\n", "Bern Berne x\r\n"),
)


def _attribute(random: Random, name: str, text: str) -> str:
    return f' {name}="{text}"' if random.random() < 0.95 else ""


def _id(random: Random, letter: str, number: int) -> str:
    form = f"{letter}{{}}" if random.random() < 0.95 else random.choice(_IDS)
    return _attribute(random, "id", form.format(number))


def _reference(random: Random, *, inside: bool = False) -> str:
    others = 0 if inside or random.random() < 0.5 else random.randint(1, 2)
    inner = "".join(_reference(random, inside=True) for _ in range(others))
    target = _attribute(random, "reference", random.choice(_TARGETS))
    resource = _attribute(random, "resource", random.choice(("spotlight_v1", "spotlight_v1", "vua", "")))
    confidence = _attribute(random, "confidence", random.choice(_CONFIDENCES))
    return f"<externalRef{target}{resource}{confidence}>{inner}</externalRef>"


def _naf(random: Random, letter: str) -> str:
    """Return a document with tokens of ten sentences and links, of which ids, sentences and numbers may be odd."""
    size, sentence, parts = random.randint(0, 9), 1, ["<NAF><text>"]
    for number in range(1, size + 1):
        sentence += random.random() < 0.4
        stated = str(sentence) if random.random() < 0.9 else random.choice(_SENTENCES)
        token = f"{_id(random, letter, number)}{_attribute(random, 'sent', stated)}"
        parts.append(f"<wf{token}>{random.choice(_WORDS)}</wf>")
    parts.append("</text><entities>")
    for _ in range(random.randint(0, 5)):
        first = random.randint(1, max(1, size))
        targets = range(first, first + random.choice((1, 1, 2, 3)))
        span = "".join(f"<target{_id(random, letter.replace('w', 't'), number)}/>" for number in targets)
        links = "".join(_reference(random) for _ in range(random.randint(0, 3)))
        parts.append(f"<entity><references><span>{span}</span></references>")
        parts.append(f"<externalReferences>{links}</externalReferences></entity>")
    return "".join([*parts, "</entities></NAF>"])


def _extraction(random: Random, room: Path, program: Program) -> str | None:
    """Compare what is taken from one document: of several, the programs read whichever the system lists first."""
    script, (command, words, letter) = random.choice(list(_EXTRACTORS.items()))
    for folder in ("naf", "tables"):
        (room / folder).mkdir()
    name = random.choice(("a.naf", "a.txt.xml.naf", "a.xml", "é.naf"))
    (room / "naf" / name).write_text(_naf(random, letter), "utf-8")
    table = "".join(random.choices(_REDIRECTS, k=random.randint(0, 4)))
    for side in ("gold", "sys"):
        (room / "tables" / f"mappings_{side}.csv").write_text(table, "utf-8")
    theirs, ours = ([f"{side}-{word}" if word.isupper() else word for word in words] for side in ("their", "our"))
    printed = perl(program.file.with_name(f"{script}.pl"), theirs, room)
    told = same(printed, call(["newsreader", command, *ours]))
    if told == "":
        told = "".join(_written(room, f"their-{name}", f"our-{name}") for name in ("OUT", "INFO"))
    return f"{script}: {told}" if told else told


NEWSREADER = Reference("newsreader", "newsreader/evaluation", "ned-evaluation/evaluate.pl", _evaluation)
NEWSREADER_LINKS = Reference(
    "newsreader-links", "newsreader/evaluation", "ned-evaluation/goldFiveSentences.pl", _extraction
)
