"""``python -m benchmarks triples``: Karat at scale on generated triples, under all regimes but the semantic one.

Nobody else computes them, so there is no reference. Half of the system triples of the corpus are gold ones with small
changes: other capitals, another name for the relation, the inverse relation, a longer head. The two large documents
are the worst cases: with few different words almost all triples have something in common, with many hardly any. A
corpus that takes longer than the target is marked with an exclamation mark, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from multiprocessing import Process
from pathlib import Path
from random import Random

from benchmarks.measure import run

HERE = Path(__file__).parent
TARGET = 30.0
"""Seconds of wall time for the corpus."""

NAMES = (
    "part of",
    "has part",
    "P127",
    "owner of",
    "born in",
    "place of birth",
    "has cause",
    "struck",
    "hit",
    "located in",
)
INVERSE = {"part of": "has part", "has part": "part of", "P127": "owner of", "owner of": "P127"}

Row = tuple[str, str, str, str]
"""Document, head, relation, tail."""


def main(words: Sequence[str]) -> None:
    """Measure the corpus and the large documents, and print the table."""
    parser = argparse.ArgumentParser("benchmarks triples", description=__doc__)
    parser.add_argument("--documents", type=int, default=10_000, help="documents of the corpus (default: 10000)")
    parser.add_argument("--triples", type=int, default=10, help="triples of each on either side (default: 10)")
    parser.add_argument("--large", type=int, default=5_000, help="triples of the large documents (default: 5000)")
    parser.add_argument("--limit", type=float, default=600, help="seconds after which a run is stopped")
    arguments = parser.parse_args(words)
    os.environ["PYTHONPATH"] = str(HERE.parent / "src")
    shapes = {
        f"{arguments.documents:,} x {arguments.triples} x {arguments.triples}": (
            arguments.documents,
            arguments.triples,
            300,
        ),
        f"1 x {arguments.large:,} x {arguments.large:,}, 30 words": (1, arguments.large, 30),
        f"1 x {arguments.large:,} x {arguments.large:,}, 30,000 words": (1, arguments.large, 30_000),
    }
    print("| documents x gold x system triples | command | wall s | CPU s | peak MiB | target |")
    print("|---|---|---|---|---|---|")
    missed = False
    for at, (size, shape) in enumerate(shapes.items()):
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            # In a process of its own: the peak memory of this one would be counted as that of the programs it starts.
            generator = Process(target=generate, args=(folder, *shape))
            generator.start()
            generator.join()
            for verb in ("score", "explain"):
                command = [sys.executable, "-m", "karat", verb, "triples", "gold.csv", "system.csv"]
                one = run([*command, "--mapping", "wikidata"], folder, arguments.limit)
                is_late = verb == "score" and not at and one.wall > TARGET
                missed |= is_late
                target = f"{TARGET:g} s{' !' * is_late}" if verb == "score" and not at else ""
                wall = f"{'' if one.finished else '> '}{one.wall:.1f}"
                print(f"| {size} | {verb} | {wall} | {one.cpu:.1f} | {one.memory:.0f} | {target} |", flush=True)
    if missed:
        raise SystemExit(1)


def generate(folder: Path, documents: int, number: int, words: int) -> None:
    """Write ``gold.csv`` and ``system.csv``, with phrases of so many different words."""
    random = Random(7)
    vocabulary = [f"W{at}" for at in range(words)]
    gold = [row for at in range(documents) for row in _triples(random, f"d{at}", number, vocabulary)]
    system: list[Row] = []
    for start in range(0, len(gold), number):
        kept = gold[start : start + number // 2]
        system += [_changed(random, row, vocabulary) for row in kept]
        system += _triples(random, gold[start][0], number - len(kept), vocabulary)
    _write(folder / "gold.csv", gold)
    _write(folder / "system.csv", system)


def _triples(random: Random, document: str, number: int, vocabulary: Sequence[str]) -> Iterator[Row]:
    for _ in range(number):
        yield document, _phrase(random, vocabulary), random.choice(NAMES), _phrase(random, vocabulary)


def _phrase(random: Random, vocabulary: Sequence[str]) -> str:
    return " ".join(random.choices(vocabulary, k=random.randint(1, 4)))


def _changed(random: Random, row: Row, vocabulary: Sequence[str]) -> Row:
    """Return what a tool may say in the place of a gold triple."""
    document, head, name, tail = row
    match random.randrange(4):
        case 0:
            return document, head.lower(), name.replace(" ", "_"), f"the {tail}"
        case 1:
            return document, f"{random.choice(vocabulary)} {head}", name, tail
        case 2 if name in INVERSE:
            return document, tail, INVERSE[name], head
        case _:
            return document, head, random.choice(NAMES), tail


def _write(path: Path, rows: Iterable[Row]) -> None:
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(("id", "head", "relation", "tail"))
        writer.writerows(rows)
