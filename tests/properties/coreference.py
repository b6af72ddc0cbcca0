"""Gold and system chains for the property tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

import pytest
from hypothesis import strategies as st
from tests.protocols.coreference.corefud.recount import recounted

from karat.evaluation.ledger import Entry
from karat.evaluation.registry import protocol
from karat.evaluation.tally import Group
from karat.model import Chain, Document, Mention, Span
from karat.protocols.coreference.judgement import Judgement
from karat.protocols.coreference.universal_anaphora.draft import AnaphoraPage, AnaphoraSide
from karat.protocols.coreference.universal_anaphora.judgement import AnaphoraJudgement
from karat.protocols.coreference.universal_anaphora.marks import AnaphoraMark

Pair = tuple[list[Document], list[Document]]
_A_FEW, _YES_OR_NO = st.integers(1, 3), st.booleans()
_TEXT = "Ada met Bo; she liked him and his cat, Cy."


def _document(name: str, clusters: list[list[tuple[int, int]]]) -> Document:
    places = [place for cluster in clusters for place in cluster]
    ids = {place: f"m{number}" for number, place in enumerate(places, 1)}
    mentions = [Mention(ids[place], (place,), text=_TEXT[slice(*place)]) for place in places]
    chains = [Chain(str(number), tuple(ids[one] for one in cluster)) for number, cluster in enumerate(clusters, 1)]
    return Document(name, _TEXT, mentions, chains)


_PLACES = st.tuples(st.integers(0, len(_TEXT) - 4), st.integers(1, 4)).map(lambda at: (at[0], at[0] + at[1]))
_SORTED = st.lists(st.tuples(_PLACES, st.integers(0, 4)), unique_by=lambda one: one[0], max_size=10)


@cache
def _clusters(least: int) -> st.SearchStrategy[list[list[tuple[int, int]]]]:
    """Draw disjoint chains of distinct mentions; every chain has at least so many of them."""

    def gathered(places: list[tuple[tuple[int, int], int]]) -> list[list[tuple[int, int]]]:
        clusters: dict[int, list[tuple[int, int]]] = {}
        for place, cluster in places:
            clusters.setdefault(cluster, []).append(place)
        return [cluster for cluster in clusters.values() if len(cluster) >= least]

    return _SORTED.map(gathered)


@st.composite
def chain_pairs(draw: st.DrawFn, *, least: int = 1) -> Pair:
    """Draw gold documents and what a system makes of them; the first gold document has two chains of two mentions."""
    gold, system = [], []
    for number in range(draw(_A_FEW)):
        clusters = draw(_clusters(least)) if number else [[(0, 3), (12, 15)], [(8, 10), (22, 25)]]
        gold.append(_document(f"d{number}", clusters))
        system.append(_document(f"d{number}", draw(_clusters(least)) if draw(_YES_OR_NO) else clusters))
    return gold, system


_FOUND: dict[str, Any] = {
    "mentions": [{"id": "m1", "spans": [[0, 3]]}, {"id": "m2", "spans": [[12, 15]]}],
    "chains": [{"id": "1", "mentions": ["m1", "m2"]}],
}
CHAINS_HALF_FOUND = (
    [{"id": str(number), "text": _TEXT, **_FOUND} for number in range(6)],
    [{"id": str(number), "text": _TEXT, **(_FOUND if number % 2 else {})} for number in range(6)],
)
"""Six gold documents with a chain each, and a system that finds half of them."""


def _recounted(name: str) -> Callable[..., dict[Group, Any]]:
    """Return what builds the chains again from the mentions of a ledger, and counts them as a protocol does."""
    book: Any = protocol(name).with_options().book

    def summed(entries: Iterable[Entry], counts: Sequence[str]) -> dict[Group, Any]:
        del counts
        chains: tuple[dict[str, list[Span]], dict[str, list[Span]]] = ({}, {})
        for entry in entries:
            if entry.layer == "mentions":
                place = (entry.gold or entry.system).span  # type: ignore[union-attr]
                for side, item in zip(chains, (entry.gold, entry.system), strict=True):
                    if item is not None:
                        side.setdefault(item.label, []).append(place)
        judged = Judgement(*(list(side.values()) for side in chains), lone=book.singletons)
        vector = tuple(book.count(judged))
        return {Group(): pytest.approx(vector)} if any(vector) else {}

    return summed


def anaphora_recounted(entries: Iterable[Entry], counts: Sequence[str]) -> dict[Group, Any]:
    """Return what the chains of a ledger add up to in a document without split antecedents."""
    del counts
    sides: tuple[dict[str, list[Any]], dict[str, list[Any]]] = ({}, {})
    for entry in entries:
        if entry.layer == "mentions":
            place = (entry.gold or entry.system).span  # type: ignore[union-attr]
            for chains, item in zip(sides, (entry.gold, entry.system), strict=True):
                if item is not None:
                    chains.setdefault(item.label, []).append(
                        AnaphoraMark((place,), Mention("", (place,)), (place,), (place,))
                    )
    golds, systems = (AnaphoraSide(list(side.values()), list(side), Document("d"), [], {}) for side in sides)
    page = AnaphoraPage(golds, systems, "exact", only_splits=False)
    book: Any = protocol("universal-anaphora").with_options().book
    vector = tuple(book.count(AnaphoraJudgement(page, lone=True)))
    return {Group(): pytest.approx(vector)} if any(vector) else {}


CHAIN_SUMMARIES = {
    "coref": _recounted("coref"),
    "conll2012": _recounted("conll2012"),
    "coval": _recounted("coval"),
    "corefeval": _recounted("corefeval"),
    "scorch": _recounted("scorch"),
    "corefud": recounted,
    "universal-anaphora": anaphora_recounted,
}
