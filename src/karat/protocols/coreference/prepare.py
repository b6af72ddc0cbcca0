"""From two corpora to sheets: for every document the chains of both sides, arranged as a program arranges them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Any, NamedTuple

from karat.errors import many
from karat.measures.coreference import Chains
from karat.model import Document
from karat.pairing import Surplus
from karat.pairing import paired as all_pairs
from karat.protocols.base import Case, Prepared
from karat.protocols.coreference.clusterings import Clustering, Identity, clusterings
from karat.protocols.coreference.places import named
from karat.tally import Group, Tally

Counting = Callable[[Chains, Chains], Sequence[Sequence[float]]]


class Sheet(NamedTuple):
    """The chains of a document as they are compared, and how they are counted."""

    gold: Clustering
    system: Clustering
    counting: Counting


class Arranged(NamedTuple):
    """The clusterings of a document after a program has arranged them, and how many things it left out, by name."""

    gold: Clustering
    system: Clustering
    dropped: dict[str, int]
    links: bool = True
    """Whether pairs of mentions can be counted, as BLANC does; not if mentions are repeated in too many ways."""


Arrange = Callable[[Clustering, Clustering, Any], Arranged]


class Habits(NamedTuple):
    """What is peculiar to a program besides its options."""

    arrange: Arrange
    counting: Counting
    identity: Identity = "place"
    surplus: Surplus | None = None
    """What system documents mean that the gold lacks, if that does not go by the option ``missing``."""
    repeated_documents: bool = False
    """Whether the last of several documents with one name stands for all."""
    without_links: Counting | None = None
    """How documents are counted if the links of one of them are not; all that needs links is undefined then."""


def prepare(gold: Iterable[Document], system: Iterable[Document], options: Any, *, habits: Habits) -> Prepared:
    """Pair the documents by their ids, read the chains off each and arrange them."""
    sides = list(gold), list(system)
    dropped: dict[str, int] = {}
    if habits.repeated_documents:
        last = _last_of_each(sides[0]), _last_of_each(sides[1])
        for side, before, after in zip(("gold", "system"), sides, last, strict=True):
            dropped[f"repeated {side} document"] = len(before) - len(after)
        sides = last
    pairing = all_pairs(*sides, options.missing, surplus=habits.surplus)
    found: dict[str, Arranged] = {}
    for left, right in pairing.pairs:
        found[left.id] = arranged = habits.arrange(*clusterings(left, right, habits.identity), options)
        for what, number in arranged.dropped.items():
            dropped[what] = dropped.get(what, 0) + number
    notes = [f"left out {many(number, what)}" for what, number in dropped.items() if number]
    countless = [name for name, arranged in found.items() if not arranged.links]
    counting = habits.counting
    if countless and habits.without_links:
        counting = habits.without_links
        notes.append(f"BLANC is not counted: mentions are repeated in too many ways in {', '.join(countless[:5])}")
    cases = [Case(name, Sheet(arranged.gold, arranged.system, counting)) for name, arranged in found.items()]
    return Prepared(cases, [*pairing.notes, *notes, *_without_chains(*sides)])


def _last_of_each(documents: Sequence[Document]) -> list[Document]:
    return list({document.id: document for document in documents}.values())


def _without_chains(gold: Sequence[Document], system: Sequence[Document]) -> list[str]:
    return [
        f"no document of the {side} has a chain"
        for side, documents in (("gold", gold), ("system", system))
        if documents and not any(document.chains for document in documents)
    ]


def tally(case: Case) -> Tally:
    """Count one document."""
    sheet: Sheet = case.content
    with named(case):
        counts = sheet.counting(sheet.gold.chains, sheet.system.chains)
    return {Group(): tuple(chain.from_iterable(counts))}
