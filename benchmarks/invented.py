"""Writes invented inputs of any size, the same ones every time."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

LABELS = ("A", "B", "C")
TYPES = ("person", "location", "product", "group")
TOKENS_OF_A_DOCUMENT = 1_000
TOKENS_OF_A_SENTENCE = 20
LENGTH = 20_000
"""Characters of a document of a knowledge base."""
STRING_SLOTS = {"per": ("age", "title", "charges", "religion"), "org": ("website", "date_founded"), "gpe": ()}


def write_conll(folder: Path, tokens: int) -> None:
    """Write ``gold.conll`` with an entity in nine tokens, and the systems ``a.conll`` and ``b.conll``."""
    source = random.Random(1)
    gold = list(islice(_iob_tags(source), tokens))
    for name, errors in (("gold", 0.0), ("a", 0.05), ("b", 0.1)):
        tags = [tag if source.random() >= errors else source.choice(("O", "B-person", "I-location")) for tag in gold]
        _write(folder / f"{name}.conll", _conll_lines(tags))


def _iob_tags(source: random.Random) -> Iterator[str]:
    while True:
        yield from ["O"] * source.randrange(4, 12)
        label = source.choice(TYPES)
        yield from [f"B-{label}", *[f"I-{label}"] * source.randrange(2)]


def _conll_lines(tags: Sequence[str]) -> Iterator[str]:
    for number, tag in enumerate(tags):
        if number % TOKENS_OF_A_DOCUMENT == 0:
            yield "-DOCSTART- -X- -X- O\n\n"
        yield f"w{number * 7919 % 30_011} NN O {tag}\n"
        if number % TOKENS_OF_A_SENTENCE == TOKENS_OF_A_SENTENCE - 1:
            yield "\n"


def write_tags(folder: Path, tokens: int, separator: str) -> None:
    """Write ``tags``: tokens with a gold and a system tag."""
    source = random.Random(2)
    rows = []
    for number, tag in enumerate(islice(_iob_tags(source), tokens)):
        found = tag if source.random() < 0.95 else source.choice(("O", "B-person", "I-group"))
        rows.append(separator.join((f"w{number % 5000}", tag, found)) + "\n" * (1 + (number % 20 == 19)))
    _write(folder / "tags", rows)


def write_relation_labels(folder: Path, lines: int) -> None:
    """Write ``gold`` and ``system``: a label a line, as TACRED has them."""
    _write_labels(folder, ("gold", "system"), lines, [*["no_relation"] * 5, *(f"rel:{number}" for number in range(40))])


def write_directed_labels(folder: Path, lines: int) -> None:
    """Write ``key`` and ``proposed``: a numbered label a line, as SemEval-2010 task 8 has them."""
    names = ("Cause-Effect", "Component-Whole", "Entity-Origin", "Message-Topic")
    labels = ["Other", *(f"{name}({order})" for name in names for order in ("e1,e2", "e2,e1"))]
    _write_labels(folder, ("key", "proposed"), lines, labels, is_numbered=True)


def _write_labels(
    folder: Path, names: tuple[str, str], lines: int, labels: Sequence[str], *, is_numbered: bool = False
) -> None:
    source = random.Random(3)
    gold = [source.choice(labels) for _ in range(lines)]
    system = [label if source.random() < 0.7 else source.choice(labels) for label in gold]
    for name, side in zip(names, (gold, system), strict=True):
        _write(folder / name, (f"{n}\t{one}\n" if is_numbered else f"{one}\n" for n, one in enumerate(side, start=1)))


def write_predictions(folder: Path, documents: int) -> None:
    """Write ``predictions.json``: gold and predicted entities and relations of some sentences, as PURE has them."""
    source = random.Random(4)

    def entities(first: int) -> list[list[object]]:
        starts = source.sample(range(first, first + 20), 4)
        return [[start, start + 1, source.choice(LABELS)] for start in starts]

    def relations(spans: Sequence[Sequence[object]]) -> list[list[object]]:
        return [[*source.choice(spans)[:2], *source.choice(spans)[:2], source.choice(LABELS)] for _ in range(2)]

    lines = []
    for number in range(documents):
        firsts = range(0, 24 * source.randint(4, 7), 24)
        gold = [entities(first) for first in firsts]
        system = [[*source.sample(spans, 3), *entities(first)[:1]] for spans, first in zip(gold, firsts, strict=True)]
        wanted = [relations(spans) for spans in gold]
        found = [[*some[:1], *relations(spans)] for some, spans in zip(wanted, system, strict=True)]
        line = {"doc_key": f"d{number}", "sentences": [["w"] * 24 for _ in firsts], "ner": gold, "relations": wanted}
        lines.append(json.dumps(line | {"predicted_ner": system, "predicted_relations": found}) + "\n")
    _write(folder / "predictions.json", lines)


def write_docred(folder: Path, documents: int, training: int) -> None:
    """Write the folders that DocRED's program reads: ``code/in`` with gold and system, ``data`` with training sets."""
    source = random.Random(5)

    def facts(number: int) -> list[dict[str, object]]:
        slots, ends = ("P17", "P131", "P27", "P150"), range(12)
        return [
            {"r": source.choice(slots), "h": source.choice(ends), "t": source.choice(ends), "evidence": [0, 2]}
            for _ in range(number)
        ]

    def mentions() -> list[dict[str, object]]:
        return [{"name": f"n{source.randrange(3000)}", "sent_id": 0, "pos": [0, 1], "type": "X"} for _ in range(2)]

    def texts(number: int) -> list[dict[str, object]]:
        sentences = [["w"] * 20] * 8
        return [
            {"title": f"T{n}", "vertexSet": [mentions() for _ in range(12)], "labels": facts(12), "sents": sentences}
            for n in range(number)
        ]

    gold = texts(documents)
    found = [
        {"title": text["title"], "h_idx": fact["h"], "t_idx": fact["t"], "r": fact["r"], "evidence": [0, 1]}
        for text in gold
        for fact in [*text["labels"], *facts(4)]  # type: ignore[misc]
        if source.random() < 0.8
    ]
    (folder / "code" / "out").mkdir(parents=True)
    files = {"code/in/ref/dev_test": gold, "code/in/res/result": found}
    files |= {f"data/{name}": texts(training) for name in ("train_annotated", "train_distant")}
    for name, content in files.items():
        _write(folder / f"{name}.json", [json.dumps(content)])


def write_chains(folder: Path, documents: int, mentions: int) -> None:
    """Write ``key`` and ``response`` in columns: chains of about four mentions, a tenth of them missed or moved."""
    source = random.Random(6)
    key, response = [], []
    for number in range(documents):
        gold = {8 * at: source.randrange(mentions // 4) for at in range(mentions)}
        system = {at: chain if source.random() < 0.9 else source.randrange(mentions // 4) for at, chain in gold.items()}
        system = {at + (source.random() < 0.05): chain for at, chain in system.items() if source.random() < 0.95}
        for lines, cells in ((key, gold), (response, system)):
            lines.append(f"#begin document (d{number:04}); part 000\n")
            for at in range(8 * mentions):
                cell = f"({cells[at]})" if at in cells else "-"
                lines.append(f"d{number:04}\t0\t{at % 24}\tw{at % 997}\t{cell}\n" + "\n" * (at % 24 == 23))
            lines.append("\n#end document\n")
    _write(folder / "key", key)
    _write(folder / "response", response)


def write_knowledge_base(folder: Path, assertions: int) -> None:
    """Write ``kb``, a knowledge base of Cold Start, and ``docs.txt``, the lengths of its documents."""
    source = random.Random(7)
    documents = [f"NYT_ENG_2013{number:07d}.{number % 10_000:04d}" for number in range(assertions // 200)]
    _write(folder / "docs.txt", (f"{document}\t{LENGTH}\n" for document in documents))
    _write(folder / "kb", ["run1\n", *islice(_assertions(source, documents), assertions)])


def _assertions(source: random.Random, documents: Sequence[str]) -> Iterator[str]:
    """Yield assertions without end: entities with mentions and strings, and parents of the person before.

    Ten entities at a time are in one document, since what a relation is about must be mentioned where it is found.
    """

    def rest() -> str:
        start = source.randrange(LENGTH - 1000)
        return f"{document}:{start}-{start + source.randrange(1, 100)}\t0.{source.randrange(1, 1000):03d}\n"

    number, document, person = 0, "", ""
    while True:
        if number % 10 == 0:
            document, person = source.choice(documents), ""
        number += 1
        kind = source.choice(("per", "per", "per", "org", "gpe"))
        entity = f":Entity_{number:07d}"
        yield f"{entity}\ttype\t{kind.upper()}\n"
        name = f"Ada {source.randrange(1000):03d}"
        place = f"{document}:{number % 1000}-{number % 1000 + len(name) - 1}"
        yield f'{entity}\tmention\t"{name}"\t{place}\t0.9\n'
        yield f'{entity}\tcanonical_mention\t"{name}"\t{place}\t1.0\n'
        for slot in STRING_SLOTS[kind]:
            yield f'{entity}\t{kind}:{slot}\t"{source.randrange(99)}"\t{rest()}'
        if kind == "per":
            if person:
                yield f"{entity}\tper:children\t{person}\t{rest()}"
            person = entity


def _write(path: Path, lines: Iterable[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(lines), "utf-8")
