"""Invented data for the Cold Start benchmark: knowledge bases with queries, and runs with assessed pools."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from karat.vocabularies.coldstart.query_ids import follow_up_digits

NAMES = ("Alice", "Bob", "Carol", "Dan", "Eve", "Frank", "Grace", "Heidi", "Ivan", "Judy")
STRINGS = {
    "per": ("age", "title", "charges", "religion", "origin", "date_of_birth"),
    "org": ("website", "date_founded", "alternate_names"),
    "gpe": (),
}
RELATIONS = {
    "per": (
        ("children", "per", "parents"),
        ("spouse", "per", "spouse"),
        ("employee_or_member_of", "org", "employees_or_members"),
        ("city_of_birth", "gpe", "births_in_city"),
        ("schools_attended", "org", "students"),
    ),
    "org": (
        ("subsidiaries", "org", "parents"),
        ("city_of_headquarters", "gpe", "headquarters_in_city"),
        ("founded_by", "per", "organizations_founded"),
    ),
    "gpe": (("residents_of_city", "per", "cities_of_residence"),),
}
SLOTS = (("per:children", "per:schools_attended"), ("per:spouse", "per:age"), ("org:subsidiaries", "org:website"))
LENGTH = 20_000
KB_QUERIES = 200


def knowledge_base(folder: Path, assertions: int) -> Path:
    """Write a knowledge base, its documents and queries, unless they are there already, and return their folder."""
    made = folder / f"coldstart-kb-{assertions}"
    if not made.exists():
        source = random.Random(assertions)
        documents = [f"NYT_ENG_2013{number:07d}.{number % 10_000:04d}" for number in range(max(20, assertions // 200))]
        lines = ["run1", *islice(_assertions(source, documents), assertions)]
        made.mkdir(parents=True)
        _write(made / "docs.txt", (f"{document}\t{LENGTH}" for document in documents))
        _write(made / "kb", lines)
        _write(made / "queries.xml", _query_file(_kb_queries(source, lines)))
    return made


def _assertions(source: random.Random, documents: Sequence[str]) -> Iterator[str]:
    """Yield assertions without end, entity by entity; those in one document are related to each other."""
    here: dict[str, list[tuple[str, str]]] = {}
    number = 0
    while True:
        number += 1
        kind = source.choice(("per", "per", "per", "org", "gpe"))
        entity = f":Entity_{number:07d}"
        yield f"{entity}\ttype\t{kind.upper()}"
        for document in source.sample(documents, source.randrange(1, 4)):
            yield from _mentions(source, entity, document)
            for other, other_kind in here.setdefault(document, [])[-3:]:
                yield from _relations(source, (entity, kind), (other, other_kind), document)
            for slot in STRINGS[kind]:
                if source.random() < 0.4:
                    value = f"{source.choice(NAMES)}{source.randrange(50)}"
                    yield f'{entity}\t{kind}:{slot}\t"{value}"\t{_place(source, document)}\t{_confidence(source)}'
            here[document].append((entity, kind))


def _mentions(source: random.Random, entity: str, document: str) -> Iterator[str]:
    for mention in range(source.randrange(1, 4)):
        name = f"{source.choice(NAMES)} {source.choice(NAMES)}{source.randrange(1000)}"
        start = source.randrange(LENGTH - 1000)
        place = f"{document}:{start}-{start + len(name) - 1}"
        yield f'{entity}\tmention\t"{name}"\t{place}\t{_confidence(source)}'
        if not mention:
            yield f'{entity}\tcanonical_mention\t"{name}"\t{place}\t1.0'


def _relations(source: random.Random, entity: tuple[str, str], other: tuple[str, str], document: str) -> Iterator[str]:
    """Yield relations between two entities, most of them with their inverse."""
    for slot, kind, inverse in RELATIONS[entity[1]]:
        if kind == other[1] and source.random() < 0.6:
            rest = f"{_place(source, document)}\t{_confidence(source)}"
            yield f"{entity[0]}\t{entity[1]}:{slot}\t{other[0]}\t{rest}"
            if source.random() < 0.9:
                yield f"{other[0]}\t{other[1]}:{inverse}\t{entity[0]}\t{rest}"


def _place(source: random.Random, document: str) -> str:
    start = source.randrange(LENGTH - 1000)
    return f"{document}:{start}-{start + source.randrange(1, 100)}"


def _confidence(source: random.Random) -> str:
    return f"0.{source.randrange(1, 1000):03d}"


Query = tuple[str, str, str, tuple[str, ...]]
"""The id, the name and the place of an entry point, and the slots."""


def _kb_queries(source: random.Random, lines: Sequence[str]) -> Iterator[Query]:
    """Yield queries that begin at a mention of the knowledge base."""
    kinds = {line.split("\t")[0]: line.split("\t")[2].lower() for line in lines if "\ttype\t" in line}
    mentions = [line.split("\t") for line in lines if "\tmention\t" in line]
    for entity, _, name, place, _ in source.sample(mentions, KB_QUERIES):
        kind = kinds[entity]
        slot, following, _ = source.choice(RELATIONS[kind])
        slots = (f"{kind}:{slot}", f"{following}:{source.choice(RELATIONS[following])[0]}")
        yield f"CSSF15_ENG_{source.randrange(16**10):010x}", name.strip('"'), place, slots


def _query_file(queries: Iterator[Query]) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<query_set>'
    for query, name, place, slots in queries:
        document, _, offsets = place.partition(":")
        start, _, end = offsets.partition("-")
        yield f'  <query id="{query}">\n    <name>{name}</name>\n    <docid>{document}</docid>'
        yield f"    <beg>{start}</beg>\n    <end>{end}</end>\n    <enttype>{slots[0][:3]}</enttype>"
        yield from (f"    <slot{hop}>{slot}</slot{hop}>" for hop, slot in enumerate(slots))
        yield "  </query>"
    yield "</query_set>"


def evaluation(folder: Path, queries: int, fills: int) -> Path:
    """Write queries, a run and a pool with so many fills a query, unless they are there, and return their folder."""
    made = folder / f"coldstart-sf-{queries}-{fills}"
    if not made.exists():
        source = random.Random(f"{queries} {fills}")
        documents = [f"D{number}" for number in range(500)]
        asked = [
            (f"CSSF15_ENG_{source.randrange(16**10):010x}", "X", "D1:1-5", source.choice(SLOTS)) for _ in range(queries)
        ]
        run: list[str] = []
        pool: list[str] = []
        for query, _, _, slots in asked:
            _answer(source, documents, query, slots, fills, run, pool)
        made.mkdir(parents=True)
        _write(made / "docs.txt", (f"{document}\t{LENGTH}" for document in documents))
        _write(made / "queries.xml", _query_file(iter(asked)))
        _write(made / "run.tab.txt", run)
        _write(made / "pool.fqec", pool)
    return made


def _answer(
    source: random.Random,
    documents: Sequence[str],
    query: str,
    slots: Sequence[str],
    fills: int,
    run: list[str],
    pool: list[str],
) -> None:
    """Add fills of a query, about half of them right, and one or two of what follows from each."""
    classes = 0
    for _ in range(fills):
        classes += source.random() < 0.6 or not classes
        right = source.random() < 0.5
        name = f"{query}:{source.randint(1, classes)}" if right else "0"
        target = _fill(source, documents, (query, query, slots[0]), name, run, pool)
        for number in range(1, source.randrange(1, 3) if target else 1):
            below = f"{name}:{number}" if right and source.random() < 0.7 else "0"
            _fill(source, documents, (query, target, slots[1]), below, run, pool)


def _fill(
    source: random.Random,
    documents: Sequence[str],
    asked: tuple[str, str, str],
    name: str,
    run: list[str],
    pool: list[str],
) -> str:
    """Add one fill to the pool, and to most runs; return the id of the query it leads to, if it is in the run."""
    first, query, slot = asked
    relation, place = (_place(source, source.choice(documents)) for _ in range(2))
    value = f"{source.choice(NAMES)} {source.randrange(100_000)}"
    judgment = "C" if name != "0" else "W"
    pool.append(f"{first}_{len(pool)}\t{query}:{slot}\t{relation}\t{value}\t{place}\t{judgment}\t{judgment}\t{name}")
    if source.random() > 0.5:
        return ""
    run.append(f"{query}\t{slot}\trun1\t{relation}\t{value}\tPER\t{place}\t{_confidence(source)}")
    return f"{first}_{follow_up_digits(query, value, place)}"


def _write(path: Path, lines: Sequence[str] | Iterator[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
