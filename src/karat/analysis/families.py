"""All protocols of a task on the same data: their numbers side by side, and the items on which they disagree.

An item is identified by its document, its side, its text, and the number of earlier items with that text, because
some protocols have character offsets and others token indices.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import msgspec

from karat.evaluation.ledger import Entry, Item

FAMILIES = ("entities", "linking", "coreference", "relations", "triples")
ItemStanding = Literal["right", "partly", "wrong", "unjudged"]
"""The standing of an item under one number."""
_RIGHT: Mapping[str, ItemStanding] = {"correct": "right", "partial": "partly"}


class RegimeNumbers(msgspec.Struct, frozen=True):
    """The numbers of a protocol under one of its regimes."""

    name: str
    protocol: str
    layer: str
    regime: str
    average: str
    precision: float | None
    recall: float | None
    f1: float | None


class Member(msgspec.Struct, frozen=True):
    """A protocol with its title and references, and its numbers or the reason (``why``) that it has none."""

    name: str
    protocol: str
    title: str
    paper: str
    reference: str
    figures: Sequence[RegimeNumbers] = ()
    signature: str = ""
    notes: Sequence[str] = ()
    why: str = ""


class Divergence(msgspec.Struct, frozen=True):
    """Items with one pattern of disagreement: their number, their standing under each number, and an example."""

    items: int
    standings: Mapping[str, ItemStanding]
    example: Entry


class Family(msgspec.Struct, frozen=True):
    """The protocols of a task on the same data.

    ``items`` is the number of all items that any protocol judges, ``partly_judged`` the number of those that only some
    judge and on which these agree.
    """

    task: str
    system: str
    members: Sequence[Member]
    divergences: Sequence[Divergence]
    items: int
    partly_judged: int
    signature: str

    @property
    def figures(self) -> list[RegimeNumbers]:
        """The numbers of all protocols."""
        return [figure for member in self.members for figure in member.figures]

    def to_dict(self) -> dict[str, Any]:
        """Return plain dictionaries and lists, ready for JSON."""
        return msgspec.to_builtins(self)  # type: ignore[no-any-return]

    def to_pandas(self) -> Any:
        """Return the numbers as a data frame (needs ``karat[frames]``)."""
        from karat.errors import needing

        with needing("Family.to_pandas", "frames"):
            import pandas
        return pandas.DataFrame([msgspec.to_builtins(figure) for figure in self.figures])

    def __str__(self) -> str:
        from karat.display.views.family import render_family

        return render_family("table", [self]).removesuffix("\n")

    def _repr_html_(self) -> str:
        from karat.display.drawing.pages import fragment
        from karat.display.views.family import markup

        return fragment(markup([self]))


class Ledgers:
    """Collects ledgers, and records the standing of every item under each number."""

    def __init__(self) -> None:
        self._standings: dict[tuple[Any, ...], dict[str, ItemStanding]] = {}
        self._entries: dict[tuple[Any, ...], Entry] = {}

    def add(self, entries: Iterable[Entry], figures: Sequence[RegimeNumbers], documents: Mapping[str, str]) -> None:
        """Add the ledger of a protocol; ``documents`` maps its units to their documents."""
        places: Counter[tuple[Any, ...]] = Counter()
        told = sorted(_sides(entries, documents), key=lambda item: (item[0], item[3].span or ()))
        for document, side, entry, item in told:
            for figure in figures:
                if figure.regime in entry.verdicts and figure.layer == entry.layer and not entry.slice:
                    alike = (figure.name, document, side, item.text)
                    key = (*alike[1:], places[alike])
                    places[alike] += 1
                    standing = _RIGHT.get(entry.verdicts[figure.regime], "wrong")
                    self._standings.setdefault(key, {})[figure.name] = standing
                    if _tells_more(entry, self._entries.get(key)):
                        self._entries[key] = entry

    def divergences(self, figures: Sequence[RegimeNumbers]) -> tuple[list[Divergence], int, int]:
        """Return the divergences, the most frequent first, and two counts.

        The counts are those of all items, and of items that only some protocols judge and on which these agree.
        """
        judging = {name for standings in self._standings.values() for name in standings}
        names = [figure.name for figure in figures if figure.name in judging]
        groups: dict[tuple[ItemStanding, ...], list[tuple[Any, ...]]] = {}
        items = partly = 0
        for key, standings in self._standings.items():
            pattern: tuple[ItemStanding, ...] = tuple(standings.get(name, "unjudged") for name in names)
            judged = set(pattern) - {"unjudged"}
            items += bool(judged)
            if len(judged) > 1:
                groups.setdefault(pattern, []).append(key)
            elif judged:
                partly += "unjudged" in pattern
        listed = []
        for pattern, keys in sorted(groups.items(), key=lambda group: (-len(group[1]), group[0])):
            first = next((key for key in keys if _is_pair(self._entries[key])), keys[0])
            standing = dict(zip(names, pattern, strict=True))
            listed.append(Divergence(len(keys), standing, self._entries[first]))
        return listed, items, partly


def _sides(entries: Iterable[Entry], documents: Mapping[str, str]) -> Iterable[tuple[str, str, Entry, Item]]:
    for entry in entries:
        document = documents.get(entry.unit, entry.unit)
        for side, item in (("gold", entry.gold), ("system", entry.system)):
            if item is not None:
                yield document, side, entry, item


def _is_pair(entry: Entry) -> bool:
    return entry.gold is not None and entry.system is not None


def _tells_more(entry: Entry, other: Entry | None) -> bool:
    """Return whether an entry is more informative about an item than another: a pair is, compared with a lone item."""
    return other is None or (_is_pair(entry) and not _is_pair(other))
