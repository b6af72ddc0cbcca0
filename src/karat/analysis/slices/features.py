"""Features of items for breakdowns: a table with one function for each feature."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from karat.analysis.slices.breakdowns import ITEM_FEATURES
from karat.evaluation.ledger import Item
from karat.model import Span


class Nesting(NamedTuple):
    """The spans of a side that lie inside other spans, and those that contain others."""

    inner: frozenset[Span] = frozenset()
    outer: frozenset[Span] = frozenset()

    @classmethod
    def of(cls, spans: Iterable[Span]) -> Nesting:
        """Return the nesting of the spans of one side; equal spans, as from several layers, count as one.

        >>> sorted(Nesting.of([(0, 9), (2, 5), (20, 22)]).inner)
        [(2, 5)]
        """
        ordered = sorted({span for span in spans if any(span)}, key=lambda span: (span[0], -span[1]))
        inner, outer = set(), set()
        farthest = -1
        for span in ordered:
            if span[1] <= farthest:
                inner.add(span)
            farthest = max(farthest, span[1])
        nearest = float("inf")
        for span in reversed(ordered):
            if span[1] >= nearest:
                outer.add(span)
            nearest = min(nearest, span[1])
        return cls(frozenset(inner), frozenset(outer))


class AskedItem(NamedTuple):
    """An item with what features need: its layer, the forms of the gold and of another file, and the nesting."""

    item: Item
    layer: str
    gold: Forms
    seen: Forms
    nesting: Nesting


def _length(asked: AskedItem) -> str:
    words = sum(any(map(str.isalnum, word)) for word in asked.item.text.split())
    return str(words) if words < 5 else "5+"


def _frequency(asked: AskedItem) -> str:
    times = asked.gold.frequency(asked.layer, form_of(asked.item))
    if times < 2:
        return str(times)
    return "2-4" if times < 5 else "5-19" if times < 20 else "20+"


def _ambiguity(asked: AskedItem) -> str:
    readings = len(asked.gold.readings(asked.layer, form_of(asked.item)))
    return str(readings) if readings < 3 else "3+"


def _nesting(asked: AskedItem) -> str:
    if asked.item.span in asked.nesting.inner:
        return "inner"
    return "outer" if asked.item.span in asked.nesting.outer else "flat"


def _seen(asked: AskedItem) -> str:
    readings = asked.seen.readings(asked.layer, form_of(asked.item))
    if not readings:
        return "no"
    return "same-label" if reading_of(asked.item) in readings else "other-label"


class ItemFeature(NamedTuple):
    """A feature of items: the function that returns its value, and its possible values in order.

    With ``of_form``, the value depends only on the layer and the text of an item.
    """

    value: Callable[[AskedItem], str]
    values: Sequence[str]
    of_form: bool = False


FEATURES = {
    "length": ItemFeature(_length, ("0", "1", "2", "3", "4", "5+"), of_form=True),
    "frequency": ItemFeature(_frequency, ("0", "1", "2-4", "5-19", "20+"), of_form=True),
    "ambiguity": ItemFeature(_ambiguity, ("0", "1", "2", "3+"), of_form=True),
    "nesting": ItemFeature(_nesting, ("flat", "inner", "outer")),
    "seen": ItemFeature(_seen, ("no", "other-label", "same-label")),
}
assert list(FEATURES) == list(ITEM_FEATURES)  # noqa: S101 - what is asked for by name is here


Reading = tuple[str, ...]
"""The label of an item, or its link with the alternatives."""
_Readings = tuple[tuple[Reading, int], ...]
"""The counts of a surface form by label."""


def form_of(item: Item) -> str:
    """Return the surface form of an item: its text, with single spaces.

    >>> form_of(Item("LOC", "New  York", (0, 2)))
    'New York'
    """
    return " ".join(item.text.split())


def reading_of(item: Item) -> Reading:
    """Return the label of an item, or its link with the alternatives."""
    return item.label, *item.alternatives


class Forms:
    """Counts of surface forms by layer and label; equal counts are stored once, because most forms share them.

    >>> forms = Forms()
    >>> forms.add("NE", [Item("LOC", "Bern", (0, 1)), Item("PER", "Bern", (7, 8))])
    >>> forms.frequency("NE", "Bern"), forms.readings("NE", "Rome")
    (2, {})
    """

    def __init__(self) -> None:
        self._layers: dict[str, dict[str, _Readings]] = {}
        self._shared: dict[_Readings, _Readings] = {}

    def add(self, layer: str, items: Iterable[Item]) -> None:
        """Count items of a layer."""
        forms = self._layers.setdefault(layer, {})
        for item in items:
            form, reading = form_of(item), reading_of(item)
            counts = dict(forms.get(form, ()))
            counts[reading] = counts.get(reading, 0) + 1
            readings = tuple(counts.items())
            forms[form] = self._shared.setdefault(readings, readings)

    def readings(self, layer: str, form: str) -> dict[Reading, int]:
        """Return the counts of a form by label."""
        return dict(self._layers.get(layer, {}).get(form, ()))

    def frequency(self, layer: str, form: str) -> int:
        """Return how often a form occurs."""
        return sum(self.readings(layer, form).values())

    def __len__(self) -> int:
        return sum(map(len, self._layers.values()))
