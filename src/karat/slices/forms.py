"""The surface forms of gold items: how often each stands there, and with which labels."""

from __future__ import annotations

from collections.abc import Iterable

from karat.ledger import Item

Reading = tuple[str, ...]
"""What an item says of its form: a label, or a link with its alternatives."""


def form_of(item: Item) -> str:
    """Return the surface form of an item: its text, with single spaces.

    >>> form_of(Item("LOC", "New  York", (0, 2)))
    'New York'
    """
    return " ".join(item.text.split())


def reading_of(item: Item) -> Reading:
    """Return the label of an item with its alternatives."""
    return item.label, *item.alternatives


class Forms:
    """The forms of some items, layer by layer: what is annotated twice is not there twice.

    >>> forms = Forms()
    >>> forms.add("NE", [Item("LOC", "Bern", (0, 1)), Item("PER", "Bern", (7, 8))])
    >>> forms.frequency("NE", "Bern"), forms.readings("NE", "Rome")
    (2, {})
    """

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], dict[Reading, int]] = {}

    def add(self, layer: str, items: Iterable[Item]) -> None:
        """Count items of a layer."""
        for item in items:
            readings = self._known.setdefault((layer, form_of(item)), {})
            reading = reading_of(item)
            readings[reading] = readings.get(reading, 0) + 1

    def readings(self, layer: str, form: str) -> dict[Reading, int]:
        """Return how often a form has which label."""
        return self._known.get((layer, form), {})

    def frequency(self, layer: str, form: str) -> int:
        """Return how often a form stands there."""
        return sum(self.readings(layer, form).values())

    def __len__(self) -> int:
        return len(self._known)
