"""Writing a ledger from verdicts on pairs: what entities and links have in common.

An item that has different partners under different rules has an entry for each of them, with the verdicts of those
rules only. So it has exactly one verdict under every rule.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

from karat.ledger import Entry, Item, Outcome
from karat.protocols.spans.items import Entity
from karat.protocols.spans.pairing import Rows
from karat.protocols.spans.reasons import MISSED, SPURIOUS

Ends = tuple[int | None, int | None]
"""The indices of a gold and a system item; one of them may be missing."""

E = TypeVar("E", bound=Entity)


class Scribe(ABC, Generic[E]):
    """Writes the entries of one layer of a document; ``rows`` are the gold items that each system item touches."""

    def __init__(self, unit: str, layer: str, gold: Sequence[E], system: Sequence[E], rows: Rows) -> None:
        self.unit, self.layer, self.gold, self.system = unit, layer, gold, system
        self.met_systems = {index for index, row in enumerate(rows) if row}
        self.met_golds = {at for row in rows for at in row}

    def order(self, ends: Ends) -> tuple[int, ...]:
        """Return what puts entries in the order of the text, gold before system."""
        gold, system = ends
        one = self.gold[gold] if gold is not None else self.system[system or 0]
        return one.start, one.end, gold is None, gold or 0, -1 if system is None else system

    def entry(self, at: int | None, index: int | None, verdicts: dict[str, Outcome]) -> Entry:
        """Return the entry of a pair, or of an item without a partner."""
        gold = None if at is None else self.gold[at]
        system = None if index is None else self.system[index]
        if gold is not None and system is not None:
            case, reason = self.of_pair(gold, system)
        elif gold is not None:
            case, reason = MISSED, self.why_alone(gold, "system", at in self.met_golds)
        else:
            case, reason = SPURIOUS, self.why_alone(self.system[index or 0], "gold", index in self.met_systems)
        return Entry(
            unit=self.unit,
            layer=self.layer,
            label=(gold or system).label,  # type: ignore[union-attr]
            case=case,
            verdicts=verdicts,
            reason=reason,
            gold=None if gold is None else self.item(gold, 0),
            system=None if system is None else self.item(system, 1),
        )

    @abstractmethod
    def of_pair(self, gold: E, system: E) -> tuple[str, str]:
        """Return the word for what happened to a pair, and the reason."""

    @abstractmethod
    def why_alone(self, one: E, other: str, is_met: bool) -> str:
        """Return why an item has no partner on the other side, although it may touch something there."""

    @abstractmethod
    def item(self, one: E, side: int) -> Item:
        """Return how an item of the gold (0) or the system (1) is shown."""
