"""What became of a mention or a chain, in words."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from karat.errors import many
from karat.ledger import Outcome
from karat.measures.coreference import Contingency

_NAMED = 5
"""How many chains a sentence names."""
_LEFT_OUT = "CEAFe leaves out system chains of one mention"
_NEARER = "its system chain is nearer to another"


class Fate(NamedTuple):
    """What became of a chain."""

    case: str
    outcome: Outcome
    reason: str


def why_there(common: int, gold: int, system: int) -> str:
    """Say how well a mention is off in its system chain: how many of its gold chain are there, how many others.

    >>> why_there(3, 4, 5)
    'with 2 of the 3 other mentions of its chain, and 2 foreign mentions'
    >>> why_there(2, 2, 2)
    'with its whole chain'
    """
    if common == gold == system:
        return "with its whole chain" if gold > 1 else "alone, as it should be"
    company = f"with {common - 1} of the {many(gold - 1, 'other mention')} of its chain" if gold > 1 else "not alone"
    return f"{company}, and {many(system - common, 'foreign mention')}" if system > common else company


class Fates:
    """Says of every chain what became of it, by the overlaps and the alignment of the chains of both sides.

    ``left_out`` are the system chains that are not there to be aligned.
    """

    def __init__(
        self,
        table: Contingency,
        aligned: Mapping[int, int],
        names: tuple[Sequence[str], Sequence[str]],
        left_out: Collection[int] = (),
    ) -> None:
        self.table, self.aligned, self.names, self.left_out = table, aligned, names, left_out
        self.rows: list[dict[int, int]] = [{} for _ in table.gold]
        self.columns: list[dict[int, int]] = [{} for _ in table.system]
        for (gold, system), common in table.found.items():
            self.rows[gold][system] = common
        for (gold, system), common in table.given.items():
            self.columns[system][gold] = common

    def of_gold(self, gold: int) -> Fate:
        """Say what became of a gold chain: exact, incomplete, extended, split, merged, or missed."""
        size, row, partner = self.table.gold[gold], self.rows[gold], self.aligned.get(gold)
        found = sum(row.values())
        if not found:
            return Fate("missed" if size else "empty", "missed", _none(size, "found"))
        parts = [f"{size - found} of {many(size, 'mention')} missed"] if found < size else []
        if len(row) > 1:
            parts.append(f"split over {len(row)} system chains ({_listed(row, self.names[1])})")
        if partner is None:
            parts.append(f"aligned with none, because {self._why_unaligned(row)}")
            return Fate("unaligned", "missed", "; ".join(parts))
        column = self.columns[partner]
        merged = {chain: common for chain, common in column.items() if chain != gold}
        if merged:
            parts.append(f"merged with {many(len(merged), 'gold chain')} ({_listed(merged, self.names[0])})")
        invented = self.table.system[partner] - sum(column.values())
        if invented > 0:
            parts.append(f"{many(invented, 'invented mention')} in its system chain")
        if not parts:
            return Fate(
                "exact", "correct", f"all {many(size, 'mention')}, and no other" if size > 1 else "its one mention"
            )
        case = "-and-".join(name for name, true in (("split", len(row) > 1), ("merged", merged)) if true)
        return Fate(case or ("incomplete" if found < size else "extended"), "partial", "; ".join(parts))

    def of_system(self, system: int) -> Fate:
        """Say why a system chain has no partner: left out, invented, or a surplus part of gold chains."""
        size, column = self.table.system[system], self.columns[system]
        if system in self.left_out:
            return Fate("left-out", "spurious", f"{_LEFT_OUT}, and this is one")
        if not column:
            return Fate("invented" if size else "empty", "spurious", _none(size, "in the gold"))
        reason = f"holds a part of {many(len(column), 'gold chain')} ({_listed(column, self.names[0])})"
        return Fate("surplus", "spurious", f"{reason}, aligned with other system chains")

    def _why_unaligned(self, row: Mapping[int, int]) -> str:
        return _LEFT_OUT if self.left_out and all(chain in self.left_out for chain in row) else _NEARER


def _none(size: int, where: str) -> str:
    """Say that no mention of a chain is there.

    >>> _none(2, "found"), _none(1, "in the gold")
    ('none of its 2 mentions is found', 'its one mention is not in the gold')
    """
    if not size:
        return "it holds no mention"
    return f"none of its {size} mentions is {where}" if size > 1 else f"its one mention is not {where}"


def _listed(chains: Mapping[int, int], names: Sequence[str]) -> str:
    """Name chains with how many mentions they hold, the largest part first."""
    ordered = sorted(chains.items(), key=lambda chain: (-chain[1], chain[0]))
    shown = ", ".join(f"{names[chain]}: {shared}" for chain, shared in ordered[:_NAMED])
    return shown + (", …" if len(ordered) > _NAMED else "")
