"""The programs that compare columns of tags or lines of labels: conlleval, WNUT-17, TACRED and SemEval-2010.

Of a share of the inputs some lines have blanks, ends or bytes that programs differ about.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

from tests.differential.comparing import Program, Reference
from tests.differential.programs import Printed, perl, python2
from tests.fuzz.calling import Called, call

_CLASSES = ("Cause-Effect", "Component-Whole", "Entity-Origin", "Message-Topic")
_RELATIONS = ("no_relation", "org:founded", "per:age", "per:title")


def _differing(theirs: Printed, ours: Called) -> str:
    """Compare what is printed and whether it went well; where the program fails, ours only has to fail, too."""
    if bool(theirs.status) != bool(ours.status):
        return f"status {theirs.status} and {ours.status}: {theirs.err[-300:]} {ours.err}"
    if not theirs.status and theirs.out != ours.out:
        return f"prints\n{theirs.out[-800:]}\nand\n{ours.out[-800:]}"
    return ""


_ODD = ("\u00a0", "\u2003", "\u2028", "\x0b", "\x0c", "\x85", "\x1c", "\ufeff", "\u200b", "\xe9", " ", "\t", "\r")
"""Characters that some take for a blank or the end of a line, and others do not."""


def _text(random: Random, lines: Sequence[str], share: float = 0.3) -> bytes:
    """Return lines as a file has them, of a share of files with odd ends, blanks and bytes."""
    end = "\n"
    lines = list(lines)
    if random.random() < share:
        end = random.choice(("\n", "\n", "\n", "\r\n", "\r"))
        for _ in range(random.randint(0, 2)):
            place = random.randrange(len(lines) + 1)
            at = random.randint(0, len(lines[place])) if place < len(lines) else 0
            odd = random.choice(_ODD)
            if place < len(lines) and random.random() < 0.7:
                lines[place] = lines[place][:at] + odd + lines[place][at:]
            else:
                lines.insert(place, random.choice(("", odd)))
    text = "".join(f"{line}{end}" for line in lines).encode()
    if random.random() < share / 5:
        text = text.rstrip(b"\r\n")
    return text


def _conlleval(random: Random, room: Path, program: Program) -> str:
    raw = random.random() < 0.2
    letters = random.choice(("BI", "BIE", "BIES", "BI[].", "I"))
    tags = ["O", *(f"{letter}-{label}" for letter in letters for label in ("LOC", "PER", "A-B", "0", ""))]
    tags = ["NN", "VB", "O", "X"] if raw else tags
    options = [*(["-r"] if raw else []), *(["-l"] if random.random() < 0.2 else [])]
    options += ["-o", "X"] if random.random() < 0.1 else []
    delimiter = random.choice((" ", " ", "\t", "_"))
    options += ["-d", delimiter] if delimiter != " " else []
    lines = []
    for _ in range(random.randint(0, 30)):
        gold = random.choice(tags)
        system = gold if random.random() < 0.6 else random.choice(tags)
        words = (
            ["w", "NN", gold, system][random.choice((0, 0, 0, 1)) :] if random.random() < 0.02 else ["w", gold, system]
        )
        boundary = random.random()
        lines.append("" if boundary < 0.1 else delimiter.join(("-X-", "O", "O") if boundary < 0.13 else words))
    (room / "input").write_bytes(_text(random, lines))
    theirs = perl(program.file, options, room, room / "input")
    return _differing(theirs, call(["conlleval", *options, "<", "input"]))


def _wnut17(random: Random, room: Path, program: Program) -> str | None:
    tags = ["O", "O", *(f"{letter}-{label}" for letter in "BI" for label in ("person", "group", "creative-work"))]
    tags += ["O-person"] if random.random() < 0.1 else []
    fewest = random.choice((3, 3, 2, 1))
    lines = []
    for _ in range(random.randint(1, 25)):
        gold = random.choice(tags)
        system = gold if random.random() < 0.6 else random.choice(tags)
        words = [random.choice("abc"), gold, system, "O"][: random.choice((3, 3, 3, 3, 3, 4, fewest))]
        lines.append("" if random.random() < 0.15 else "\t".join(words))
    (room / "input").write_bytes(_text(random, lines))
    theirs = python2(program.file, [], room, room / "input")
    return _differing(theirs, call(["wnut17", "<", "input"]))


def _wnut17_first(random: Random, room: Path, program: Program) -> str | None:
    letters = random.choice(("BI", "BI", "BIE", "BIES", "BI[]."))
    labels = ("person", "group", "creative-work", "0", "")
    tags = ["O", "O", *(f"{letter}-{label}" for letter in letters for label in labels)]
    delimiter, boundary = random.choice(("", "", "\t", "|")), random.choice(("-X-", "-X-", "###"))
    options = [*(["-d", delimiter] if delimiter else []), *(["-b", boundary] if boundary != "-X-" else [])]
    separator = delimiter or random.choice((" ", "\t", "  "))
    lines = []
    for _ in range(random.randint(0, 22)):
        gold = random.choice(tags)
        words = (random.choice(("a", "b", "Ab", "c\xe9")), gold, gold if random.random() < 0.6 else random.choice(tags))
        chance = random.random()
        lines.append("" if chance < 0.1 else separator.join((boundary, "O", "O") if chance < 0.13 else words))
    (room / "input").write_bytes(_text(random, lines))
    theirs = python2(program.file, options, room, room / "input")
    if theirs.status:
        return None
    return _differing(theirs, call(["wnut17", "--profile", "first", *options, "<", "input"]))


def _tacred(random: Random, room: Path, program: Program) -> str:
    size = random.randint(0, 30)
    gold = [random.choice(_RELATIONS) for _ in range(size)]
    system = [label if random.random() < 0.5 else random.choice((*_RELATIONS, "other")) for label in gold]
    if random.random() < 0.1:
        system = ["no_relation"] * size
    if random.random() < 0.05:
        system.append("no_relation")
    for name, labels in (("gold", gold), ("system", system)):
        (room / name).write_bytes(_text(random, labels, 0.2))
    theirs = program.python(program.file, ["gold", "system"], room)
    return _differing(theirs, call(["tacred", "gold", "system"]))


def _semeval2010(random: Random, room: Path, program: Program) -> str | None:
    labels = ["Other", *(f"{name}({order})" for name in _CLASSES for order in ("e1,e2", "e2,e1"))]
    key = {number: random.choice(labels) for number in range(1, random.randint(2, 40))}
    known = sorted(set(key.values())) if random.random() < 0.6 else labels
    proposed = {
        number: label if random.random() < 0.5 else random.choice(known)
        for number, label in key.items()
        if random.random() < 0.9
    }
    if random.random() < 0.05:
        proposed[99] = "Other"
    for name, side in (("key", key), ("proposed", proposed)):
        (room / name).write_bytes(_text(random, [f"{number}\t{label}" for number, label in side.items()], 0.1))
    theirs = perl(program.file, ["proposed", "key"], room)
    return _differing(theirs, call(["semeval2010", "score", "proposed", "key"]))


CONLLEVAL = Reference("conlleval", "chakki-works/seqeval", "tests/conlleval.pl", _conlleval)
WNUT17 = Reference("wnut17", "noisy-text/noisy-text.github.io", "2017/files/wnuteval.py", _wnut17, runs_by="python2.7")
WNUT17_FIRST = Reference(
    "wnut17 first",
    "noisy-text/noisy-text.github.io",
    "2017/files/wnuteval.py",
    _wnut17_first,
    commit="21dc918b5cc1",
    runs_by="python2.7",
)
TACRED = Reference("tacred", "yuhaozhang/tacred-relation", "utils/scorer.py", _tacred)
SEMEVAL2010 = Reference("semeval2010", "monologg/R-BERT", "eval/semeval2010_task8_scorer-v1.2.pl", _semeval2010)
