"""The counts of a program, from a file that has both sides or from two files."""

from __future__ import annotations

from typing import NamedTuple

from karat.protocols.relations.counted import PROGRAM_REGIMES
from karat.scoring import Evaluation, Reading, configure, load


class Counts(NamedTuple):
    """What a program has counted of one label or of all, for one of its numbers."""

    gold: int
    system: int
    correct: int


def counts_of(profile: str, gold: str, system: str | None = None) -> dict[str, dict[str | None, Counts]]:
    """Return the counts of each regime, over all labels (``None``) and by label."""
    protocol, settings = configure("relations", {"profile": profile})
    readings = [Reading(), Reading()]
    if system is None:
        readings = [Reading("scierc", {"side": side, "repeated": "number"}) for side in ("gold", "predicted")]
    sides = load(protocol, settings, [gold, system or gold], readings)
    total = Evaluation(protocol, settings, *sides).tallies().total()
    regimes: dict[str, dict[str | None, Counts]] = {}
    for regime in PROGRAM_REGIMES:
        places = [protocol.counts.index(f"{regime}-{part}") for part in Counts._fields]
        rows: dict[str | None, Counts] = {None: Counts(0, 0, 0)}
        rows |= {group.label: Counts(*(int(row[place]) for place in places)) for group, row in total.items()}
        regimes[regime] = {label: row for label, row in rows.items() if label is None or row.gold or row.system}
    return regimes
