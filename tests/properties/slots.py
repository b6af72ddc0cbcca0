"""Pools and runs of slot filling for the property tests, and how their ledgers add up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import fsum
from typing import Any

import msgspec
from hypothesis import strategies as st

from karat.evaluation.ledger import Entry
from karat.evaluation.tally import Group, Tally
from karat.model import Document, Mention
from karat.vocabularies.coldstart.query_ids import follow_up_digits

SLOTS = ("per:children", "per:schools_attended")
_A_FEW, _AT_MOST_TWO = st.integers(1, 3), st.integers(0, 2)
Pair = tuple[list[Document], list[Document]]


def fill(query: str, hop: int, number: int, value: str, **more: str) -> Mention:
    """Return a line of a run, or with a judgment and a class one of a pool."""
    start = 10 * number
    attributes = {"query": query, "relation": f"d:{start}-{start + 9}", "place": f"d:{start}-{start + 3}", **more}
    return Mention(str(number), ((start, start + 4),), (SLOTS[hop],), value, attributes=attributes)


@st.composite
def slot_pairs(draw: st.DrawFn) -> Pair:
    """Draw pools in which every line is correct and a class of its own, and runs with some of them and others."""
    gold, system = [], []
    for number in range(draw(_A_FEW)):
        query = f"Q_{number:010x}"
        pool: list[Mention] = []
        for child in range(1, draw(_A_FEW) + 1):
            at = len(pool) + 1
            pool.append(fill(query, 0, at, f"v{at}", judgment="C", **{"class": f"{query}:{child}"}))
            target = f"{query}_{follow_up_digits(query, f'v{at}', pool[-1].attributes['place'])}"
            for school in range(1, draw(_AT_MOST_TWO) + 1):
                at = len(pool) + 1
                pool.append(fill(target, 1, at, f"v{at}", judgment="C", **{"class": f"{query}:{child}:{school}"}))
        kept = draw(st.lists(st.sampled_from(pool), unique_by=lambda one: one.id))
        classes = {one.attributes["class"] for one in kept}
        kept = [one for one in kept if one.labels[0] == SLOTS[0] or one.attributes["class"][:-2] in classes]
        wrong = {"judgment": "W", "class": "0"}
        others = [fill(query, 0, 100 + at, f"x{at}", **wrong) for at in range(draw(_AT_MOST_TWO))]
        gold.append(Document(query, mentions=pool))
        system.append(Document(query, mentions=[msgspec.structs.replace(one) for one in kept] + others))
    return gold, system


def _half(number: int, found: int) -> dict[str, Any]:
    line = fill(f"Q_{number:010x}", 0, 1, "v", judgment="C", **{"class": f"Q_{number:010x}:1"})
    return {"id": f"Q_{number:010x}", "mentions": [msgspec.to_builtins(line)] * found}


SLOTS_HALF_FOUND = ([_half(number, 1) for number in range(6)], [_half(number, number % 2) for number in range(6)])


def slot_summary(entries: Iterable[Entry], counts: Sequence[str]) -> Tally:
    """Return the tally of a ledger: its cases under each regime, and what the queries among them have on average."""
    found: dict[Group, dict[str, dict[str, Counter[str]]]] = {}
    for entry in entries:
        for layer in ("all hops", entry.layer):
            for label in (None, entry.label):
                regimes = found.setdefault(Group(layer, "", label), {})
                for regime in entry.verdicts:
                    query = regimes.setdefault(regime, {}).setdefault(_entry_point(entry), Counter())
                    query[entry.case] += 1
    tally: Tally = {}
    for group, regimes in found.items():
        numbers = {
            name: number for regime, queries in regimes.items() for name, number in _summed(regime, [*queries.values()])
        }
        tally[group] = tuple(numbers.get(name, 0) for name in counts)
    return tally


def _entry_point(entry: Entry) -> str:
    """Return the entry point of an LDC query that an entry is about; other units have one, which needs no name."""
    _, said, name = entry.reason.partition("; entry point ")
    if said or entry.gold is None or "ldc-mean" not in entry.verdicts:
        return name
    return entry.gold.label.partition(":")[0]


def _summed(regime: str, queries: list[Counter[str]]) -> Iterator[tuple[str, float]]:
    if regime != "ldc-mean":
        yield from ((f"{regime}-{case}", number) for case, number in sum(queries, Counter()).items())
    values = [_prf(query) for query in queries]
    if regime == "ldc-mean":
        columns = [[one for one in column if one is not None] for column in zip(*values, strict=True)]
        values = [tuple(fsum(column) / len(column) if column else None for column in columns)]
    known = [one for one in values if one[1] is not None]
    yield f"{regime}-known", len(known)
    yield f"{regime}-answered", sum(one[0] is not None for one in known)
    for name, column in zip(("precision", "recall", "f1"), zip(*known, strict=True), strict=False):
        yield f"{regime}-{name}", fsum(one or 0 for one in column)


def _prf(cases: Counter[str]) -> tuple[float | None, ...]:
    right, gold = cases["right"], cases["right"] + cases["missed"]
    uncounted = ("missed", "alternative", "repeated", "unclassed", "unasked")
    answers = sum(number for case, number in cases.items() if case not in uncounted)
    pairs = ((right, answers), (right, gold), (2 * right, answers + gold))
    return tuple(above / below if below else None for above, below in pairs)
