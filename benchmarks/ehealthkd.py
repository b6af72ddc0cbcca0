"""``python -m benchmarks ehealthkd``: the eHealth-KD 2021 scorer and Karat on generated corpora, as a Markdown table.

The reference is not part of this repository: check out ehealthkd/corpora (commit aff4b53) somewhere and point at it
with --reference; it needs nothing but Python. Both programs score entities and relations (scenario 1) and must say the
same. Sentences have as many words, entities and relations as those of the training corpora of 2021 on average; sparse
ones have about 5 entities and 5 relations.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.measure import Run, best

HERE = Path(__file__).parent
SIZES = (5_000, 100_000)
SCENARIO = "scenario1-main"
VOCABULARY = 20_000
LABELS = ("Concept", "Concept", "Concept", "Action", "Predicate", "Reference")
ATTRIBUTES = ("Negated", "Uncertain", "Diminished", "Emphasized")
RELATIONS = ("target", "subject", "in-context", "is-a", "domain", "arg", "causes", "in-place", "has-property")


class Density(NamedTuple):
    """The least and the most entities and relations of a sentence, and how the folder of such a corpus ends."""

    entities: tuple[int, int]
    relations: tuple[int, int]
    suffix: str = ""


DENSITIES = {"usual": Density((5, 10), (4, 10)), "sparse": Density((3, 7), (3, 7), "-sparse")}


class Entity(NamedTuple):
    """A label, the first word and the word behind the last, and an attribute or none."""

    label: str
    first: int
    last: int
    attribute: str = ""


Relation = tuple[str, int, int]
"""A label and two entities by their indices."""


class Sentence(NamedTuple):
    """Words and what is said about them."""

    words: list[str]
    entities: list[Entity]
    relations: list[Relation]


def main(words: Sequence[str]) -> None:
    """Measure every size and print the table."""
    arguments = _arguments(words)
    head = ["sentences", "program", "wall s", "CPU s", "CPU µs a sentence", "peak MiB"]
    head += ["wall ratio", "CPU ratio", "memory ratio"]
    rows = []
    for size in arguments.sizes:
        rows.append(_row(size, corpus(HERE / "data", size, DENSITIES[arguments.density]), arguments))
        print(rows[-1], file=sys.stderr, flush=True)
    print(f"| {' | '.join(head)} |")
    print(f"|{'---|' * len(head)}")
    print("\n".join(rows))


def _arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "benchmarks ehealthkd", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--reference", default=os.environ.get("KARAT_EHEALTHKD"), help="checkout of the corpora")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="sentences")
    parser.add_argument("--density", choices=tuple(DENSITIES), default="usual", help="how much sentences say")
    parser.add_argument("--limit", type=float, default=300, help="seconds after which a program is stopped")
    parser.add_argument("--repeats", type=int, default=3, help="runs of each program, of which the best counts")
    return parser.parse_args(words)


def _row(size: int, data: Path, arguments: argparse.Namespace) -> str:
    words = ["--gold", str(data / "gold"), "--submit", str(data / "system"), "--scenarios", "1", "--runs", "1"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command = [sys.executable, "-m", "karat", "ehealthkd", "score", *words]
        ours = best(command, folder, limit=arguments.limit, repeats=arguments.repeats)
        said = _said(folder)
        rows = [_line(size, "Karat", ours, None)]
        if arguments.reference:
            command = [sys.executable, str(Path(arguments.reference) / "scripts" / "score.py"), *words]
            theirs = best(command, folder, limit=arguments.limit, repeats=arguments.repeats)
            if theirs.finished and _said(folder) != said:
                raise SystemExit(f"the results differ on {size:,} sentences")
            rows.append(_line(size, "score.py", theirs, ours))
    return "\n".join(rows)


def _said(folder: Path) -> list[bytes]:
    """Return the lines of the last run, sorted: the report and the summary go to two streams."""
    return sorted((folder / "output.txt").read_bytes().split(b"\n"))


def _line(size: int, program: str, run: Run, ours: Run | None) -> str:
    more = "" if run.finished else "> "
    cells = [f"{size:,}", program, f"{more}{run.wall:.2f}", f"{more}{run.cpu:.2f}", f"{more}{run.cpu / size * 1e6:.0f}"]
    cells.append(f"{run.memory:.0f}")
    if ours is None:
        return f"| {' | '.join([*cells, '', '', ''])} |"
    cells += [f"{more}{run.wall / ours.wall:.1f}", f"{more}{run.cpu / ours.cpu:.1f}", f"{run.memory / ours.memory:.1f}"]
    return f"| {' | '.join(cells)} |"


def corpus(data: Path, sentences: int, density: Density) -> Path:
    """Write the gold and the run of a system, unless they are there already, and return their folder."""
    folder = data / f"ehealthkd2021-{sentences}{density.suffix}"
    if not folder.exists():
        source = random.Random(sentences)
        letters = "aaaabcdeeeefghiiijlmnñooopqrrsstuvyzáéíóú"
        vocabulary = ["".join(source.choices(letters, k=source.randint(1, 10))) for _ in range(VOCABULARY)]
        gold = [_sentence(source, vocabulary, density) for _ in range(sentences)]
        _write(folder / "gold" / SCENARIO, gold)
        _write(folder / "system" / "run1" / SCENARIO, [_with_errors(source, one) for one in gold])
    return folder


def _sentence(source: random.Random, vocabulary: Sequence[str], density: Density) -> Sentence:
    """Return a sentence of about 17 words; one entity in eight has several."""
    words = source.choices(vocabulary, k=source.randint(10, 24))
    entities = []
    for first in sorted(source.sample(range(len(words)), source.randint(*density.entities))):
        last = min(first + (source.randint(2, 3) if source.random() < 0.125 else 1), len(words))
        attribute = source.choice(ATTRIBUTES) if source.random() < 0.02 else ""
        entities.append(Entity(source.choice(LABELS), first, last, attribute))
    relations = [_relation(source, len(entities)) for _ in range(source.randint(*density.relations))]
    return Sentence(words, entities, relations)


def _relation(source: random.Random, entities: int) -> Relation:
    label = "same-as" if source.random() < 0.02 else source.choice(RELATIONS)
    one, two = source.sample(range(entities), 2)
    return label, one, two


def _with_errors(source: random.Random, gold: Sentence) -> Sentence:
    """Return what a system makes of a sentence: wrong labels, other spans, things missed and things invented."""
    seen: dict[Entity, int] = {}
    for index, entity in enumerate(gold.entities):
        luck = source.random()
        if luck < 0.1:
            entity = entity._replace(label=source.choice(LABELS))
        elif luck < 0.2:
            entity = entity._replace(first=max(entity.first - 1, 0), last=min(entity.last + 1, len(gold.words)))
        if luck < 0.9:
            seen[entity] = index
    for _ in range(source.choice((0, 0, 1, 2)) if len(seen) > 1 else 2):
        first = source.randrange(len(gold.words))
        seen.setdefault(Entity(source.choice(LABELS), first, first + 1), -1)
    entities = sorted(seen, key=_position)
    new = {seen[entity]: index for index, entity in enumerate(entities)}
    kept = [
        relation for relation in gold.relations if source.random() < 0.7 and relation[1] in new and relation[2] in new
    ]
    relations = [
        (label if source.random() < 0.9 else source.choice(RELATIONS), new[one], new[two]) for label, one, two in kept
    ]
    if len(entities) > 1:
        relations += [_relation(source, len(entities)) for _ in range(source.choice((0, 1, 2)))]
    return Sentence(gold.words, entities, relations)


def _position(entity: Entity) -> tuple[int, int]:
    return entity.first, entity.last


def _write(folder: Path, sentences: Sequence[Sentence]) -> None:
    folder.mkdir(parents=True)
    text = "\n".join([" ".join(sentence.words) for sentence in sentences])
    (folder / "output.txt").write_text(text, encoding="utf-8")
    (folder / "output.ann").write_text("".join(_annotations(sentences)), encoding="utf-8")


def _annotations(sentences: Sequence[Sentence]) -> Iterator[str]:
    """Yield the lines of the corpora: of each sentence the entities, each with its attribute, then the relations."""
    begin = entities = relations = attributes = 0
    for sentence in sentences:
        spans = []
        for word in sentence.words:
            spans.append(f"{begin} {begin + len(word)}")
            begin += len(word) + 1
        for number, (label, first, last, attribute) in enumerate(sentence.entities, start=entities + 1):
            yield f"T{number}\t{label} {';'.join(spans[first:last])}\t{' '.join(sentence.words[first:last])}\n"
            if attribute:
                yield f"A{attributes}\t{attribute} T{number}\n"
                attributes += 1
        for label, one, two in sentence.relations:
            one, two = one + entities + 1, two + entities + 1
            if label == "same-as":
                yield f"*\tsame-as T{one} T{two}\n"
            else:
                yield f"R{relations}\t{label} Arg1:T{one} Arg2:T{two}\n"
                relations += 1
        entities += len(sentence.entities)
