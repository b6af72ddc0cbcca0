"""Metrics of tags in larger programs: of the library evaluate, the MultiCoNER baseline, and spaCy."""

from __future__ import annotations

import json
from importlib import import_module
from math import isclose
from pathlib import Path
from random import Random
from typing import Any

from karat.compat.evaluate.seqeval import compute
from karat.compat.multiconer import span_f1
from tests.differential.comparing import Program, Reference
from tests.differential.scripts.calls import told_of
from tests.differential.scripts.spacy_scores import scored
from tests.differential.tags import SCHEMES, sides_of, unordered

_SCRIPTS = Path(__file__).parent / "scripts"
_ODD = ("O-", "B", "I", "-", "", "E-", "B-a-b", "Bx", "b-PER", "S", "U-", "L-LOC")


def _sprinkled(random: Random, side: list[list[str]], odd: tuple[str, ...], share: float) -> list[list[str]]:
    return [[random.choice(odd) if random.random() < share else tag for tag in tags] for tags in side]


def _evaluate(random: Random, room: Path, program: Program) -> str:
    asked = [_metric_call(random) for _ in range(3)]
    (room / "calls.json").write_text(json.dumps(asked), "utf-8")
    theirs = program.python(_SCRIPTS / "evaluate_scores.py", [str(program.file), "calls.json"], room)
    if theirs.status:
        return theirs.err
    found = json.loads(json.dumps([told_of(compute, (), keywords)[0] for keywords in json.loads(json.dumps(asked))]))
    pairs = zip(asked, map(unordered, json.loads(theirs.out)), map(unordered, found), strict=True)
    return next((f"{keywords}\n{one}\nand\n{two}" for keywords, one, two in pairs if one != two), "")


def _metric_call(random: Random) -> dict[str, Any]:
    scheme = random.choice(list(SCHEMES))
    gold, system = sides_of(random, random.choice((SCHEMES[scheme], "IOBES", "IOB")), least=random.randint(0, 1))
    share = random.choice((0, 0, 0, 0.1))
    keywords: dict[str, Any] = {
        "predictions": _sprinkled(random, system, _ODD, share),
        "references": _sprinkled(random, gold, _ODD, share),
    }
    if random.random() < 0.5:
        keywords["mode"] = random.choice(("strict", "strict", "other"))
    if random.random() < 0.6:
        keywords["scheme"] = random.choice((scheme, scheme, "IOB9"))
    if random.random() < 0.4:
        keywords["zero_division"] = random.choice((0, 1, "warn", 2, "0"))
    if random.random() < 0.1:
        keywords["suffix"] = True
    return keywords


def _multiconer(random: Random, room: Path, program: Program) -> str | None:
    gold, system = sides_of(random, random.choice(("BI", "IOBES", "BIX")), least=1)
    if random.random() < 0.2:
        gold, system = (_sprinkled(random, side, ("B", "I", "B-", "B-O"), 0.1) for side in (gold, system))
    if random.random() < 0.1:
        del system[-1]
    (room / "tags.json").write_text(json.dumps([gold, system]), "utf-8")
    theirs = program.python(_SCRIPTS / "multiconer_scores.py", [str(program.root), "tags.json"], room)
    if theirs.status:
        return None
    wanted, found = json.loads(theirs.out), span_f1(gold, system)
    near = wanted.keys() == found.keys() and all(isclose(found[key], wanted[key], abs_tol=1e-12) for key in wanted)
    return "" if near else f"{gold}\n{system}\n{wanted}\nand\n{found}"


def _spacy_text(random: Random) -> dict[str, Any]:
    words = [random.choice(("a", "bb", "New", "York", "x-y", "!")) for _ in range(random.randint(1, 10))]
    spans = [[_span(random, len(words)) for _ in range(random.randint(0, 4))] for _ in range(2)]
    gold = _apart(spans[0])
    system = _apart([span for span in gold if random.random() < 0.7] + spans[1])
    return {
        "words": words,
        "spaces": [random.random() < 0.8 for _ in words],
        "gold": gold,
        "system": system,
        "unannotated": random.random() < 0.1,
        "tokenized": random.random() < 0.3,
    }


def _span(random: Random, size: int) -> list[Any]:
    start = random.randrange(size)
    return [start, min(size, start + random.randint(1, 3)), random.choice(("PER", "LOC", "ORG"))]


def _apart(spans: list[list[Any]]) -> list[list[Any]]:
    """Return the spans that do not overlap with one before them."""
    kept: list[list[Any]] = []
    for span in spans:
        if all(span[1] <= other[0] or other[1] <= span[0] for other in kept):
            kept.append(span)
    return kept


def _spacy(random: Random, room: Path, program: Program) -> str:
    texts = [_spacy_text(random) for _ in range(random.randint(1, 4))]
    (room / "texts.json").write_text(json.dumps(texts), "utf-8")
    theirs = program.python(_SCRIPTS / "spacy_scores.py", ["texts.json"], room)
    if theirs.status:
        return theirs.err
    wanted, found = json.loads(theirs.out), scored(texts, import_module("karat.compat.spacy").make_scorer())
    return "" if _alike(wanted, found) else f"{texts}\n{wanted}\nand\n{found}"


def _alike(wanted: Any, found: Any) -> bool:
    """Say whether scores are the same; what is undefined is nothing for Karat, and may be 0 for spaCy."""
    if isinstance(wanted, dict):
        return all(_alike(value, (found or {}).get(name)) for name, value in wanted.items())
    return isclose(wanted or 0, found or 0, abs_tol=1e-9)


EVALUATE = Reference(
    "evaluate", "huggingface/evaluate", "metrics/seqeval/seqeval.py", _evaluate, ("evaluate", "seqeval")
)
MULTICONER = Reference("multiconer", "amzn/multiconer-baseline", "utils/metric.py", _multiconer)
SPACY = Reference("spacy", "", "", _spacy, ("spacy",), needs=("spacy",))
