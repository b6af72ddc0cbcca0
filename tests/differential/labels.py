"""The programs that compare columns of tags or lines of labels: conlleval, WNUT-17, TACRED and SemEval-2010."""

from __future__ import annotations

from pathlib import Path
from random import Random

from tests.differential.comparing import Program, Reference
from tests.differential.programs import Printed, perl
from tests.fuzz.calling import Called, call

_WITH_REDUCE = Path(__file__).parent / "scripts" / "with_reduce.py"
_CLASSES = ("Cause-Effect", "Component-Whole", "Entity-Origin", "Message-Topic")
_RELATIONS = ("no_relation", "org:founded", "per:age", "per:title")


def _differing(theirs: Printed, ours: Called) -> str:
    """Compare what is printed and whether it went well; where the program fails, ours only has to fail, too."""
    if bool(theirs.status) != bool(ours.status):
        return f"status {theirs.status} and {ours.status}: {theirs.err[-300:]} {ours.err}"
    if not theirs.status and theirs.out != ours.out:
        return f"prints\n{theirs.out[-800:]}\nand\n{ours.out[-800:]}"
    return ""


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
    (room / "input").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    theirs = perl(program.file, options, room, room / "input")
    return _differing(theirs, call(["conlleval", *options, "<", "input"]))


def _wnut17(random: Random, room: Path, program: Program) -> str | None:
    tags = ["O", "O", *(f"{letter}-{label}" for letter in "BI" for label in ("person", "group", "creative-work"))]
    lines = []
    for _ in range(random.randint(1, 25)):
        gold = random.choice(tags)
        system = gold if random.random() < 0.6 else random.choice(tags)
        lines.append("" if random.random() < 0.15 else "\t".join((random.choice("abc"), gold, system)))
    (room / "input").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    theirs = program.python(_WITH_REDUCE, [str(program.file), "input"], room)
    return _differing(theirs, call(["wnut17", "<", "input"]))


def _tacred(random: Random, room: Path, program: Program) -> str:
    size = random.randint(0, 30)
    gold = [random.choice(_RELATIONS) for _ in range(size)]
    system = [label if random.random() < 0.5 else random.choice((*_RELATIONS, "other")) for label in gold]
    if random.random() < 0.1:
        system = ["no_relation"] * size
    if random.random() < 0.05:
        system.append("no_relation")
    for name, labels in (("gold", gold), ("system", system)):
        (room / name).write_text("".join(f"{label}\n" for label in labels), "utf-8")
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
        (room / name).write_text("".join(f"{number}\t{label}\n" for number, label in side.items()), "utf-8")
    theirs = perl(program.file, ["proposed", "key"], room)
    return _differing(theirs, call(["semeval2010", "score", "proposed", "key"]))


CONLLEVAL = Reference("conlleval", "chakki-works/seqeval", "tests/conlleval.pl", _conlleval)
WNUT17 = Reference("wnut17", "noisy-text/noisy-text.github.io", "2017/files/wnuteval.py", _wnut17)
TACRED = Reference("tacred", "yuhaozhang/tacred-relation", "utils/scorer.py", _tacred)
SEMEVAL2010 = Reference("semeval2010", "monologg/R-BERT", "eval/semeval2010_task8_scorer-v1.2.pl", _semeval2010)
