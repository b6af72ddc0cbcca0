"""What PURE and SpERT have in common: how predictions are read, and what is counted for each of their numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from karat.evaluation.protocol import Bound, Sheet
from karat.evaluation.registry import configure
from karat.evaluation.tally import add
from karat.formats.base import Problems
from karat.formats.scierc import read_pairs
from karat.protocols.relations.counted import PROGRAM_REGIMES


class ProgramCounts(NamedTuple):
    """The gold items, system items and correct items behind one number."""

    gold: int = 0
    system: int = 0
    correct: int = 0


CountsByLabel = dict[str | None, ProgramCounts]
"""The counts of each label, and under ``None`` those of all labels together."""


class DraftedFiles(NamedTuple):
    """The documents of both sides, paired and ready to be matched by the protocol."""

    bound: Bound
    sheets: Iterator[Sheet]


def read(profile: str, gold: str, system: str | None = None) -> DraftedFiles:
    """Read two files, or one whose lines have predictions beside the gold."""
    bound = configure("relations", {"profile": profile})
    sheets = _of_pairs(bound, gold) if system is None else _of_files(bound, gold, system)
    return DraftedFiles(bound, sheets)


def _of_pairs(bound: Bound, path: str) -> Iterator[Sheet]:
    """Yield the documents of a file that has both sides; like the programs, print no warnings about them."""
    known = bound.settle(Counter())
    for gold, system in read_pairs(path, Problems()):
        yield from bound.draft(gold, system, known)


def _of_files(bound: Bound, gold: str, system: str) -> Iterator[Sheet]:
    from karat.evaluation.corpora import Reading, load
    from karat.evaluation.evaluation import Evaluation

    sides = load(bound, [gold, system], [Reading(), Reading()])
    yield from Evaluation(bound, *sides).sheets()


def evaluate(files: DraftedFiles) -> dict[str, CountsByLabel]:
    """Return the counts of each regime: entities, relations, and relations with typed ends."""
    bound = files.bound
    total = add(map(bound.book.tally, files.sheets))
    regimes: dict[str, CountsByLabel] = {}
    for regime in PROGRAM_REGIMES:
        columns = [bound.counts.index(f"{regime}-{part}") for part in ProgramCounts._fields]
        rows: CountsByLabel = {None: ProgramCounts()}
        rows |= {group.label: ProgramCounts(*(int(row[column]) for column in columns)) for group, row in total.items()}
        regimes[regime] = {label: row for label, row in rows.items() if label is None or row.gold or row.system}
    return regimes
