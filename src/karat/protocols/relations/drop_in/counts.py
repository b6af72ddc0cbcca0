"""The counts of a program, from a file that has both sides or from two files."""

from __future__ import annotations

from typing import Any, NamedTuple

from karat.formats.base import Problems
from karat.formats.scierc import read_pairs
from karat.protocols import protocol as protocol_named
from karat.protocols.base import Protocol
from karat.protocols.relations.counted import PROGRAM_REGIMES
from karat.protocols.relations.paired import tallies_of
from karat.tally import Tally, add


class ProgramCounts(NamedTuple):
    """What a program has counted of one label or of all, for one of its numbers."""

    gold: int
    system: int
    correct: int


def counts_of(profile: str, gold: str, system: str | None = None) -> dict[str, dict[str | None, ProgramCounts]]:
    """Return the counts of each regime, over all labels (``None``) and by label."""
    protocol = protocol_named("relations")
    settings = protocol.configure({"profile": profile})
    if system is None:
        total = add(tallies_of(read_pairs(gold, Problems()), protocol, settings))
    else:
        total = _total_of_files(protocol, settings, gold, system)
    regimes: dict[str, dict[str | None, ProgramCounts]] = {}
    for regime in PROGRAM_REGIMES:
        places = [protocol.counts.index(f"{regime}-{part}") for part in ProgramCounts._fields]
        rows: dict[str | None, ProgramCounts] = {None: ProgramCounts(0, 0, 0)}
        rows |= {group.label: ProgramCounts(*(int(row[place]) for place in places)) for group, row in total.items()}
        regimes[regime] = {label: row for label, row in rows.items() if label is None or row.gold or row.system}
    return regimes


def _total_of_files(protocol: Protocol, settings: Any, gold: str, system: str) -> Tally:
    from karat.scoring import Evaluation, Reading, load

    sides = load(protocol, settings, [gold, system], [Reading(), Reading()])
    return Evaluation(protocol, settings, *sides).tallies().total()
