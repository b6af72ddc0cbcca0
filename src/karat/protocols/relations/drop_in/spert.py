"""What PURE and SpERT count, in a file that has both sides or in two files, and the tables that SpERT prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from karat.evaluation.protocol import Protocol
from karat.evaluation.registry import protocol as protocol_named
from karat.evaluation.tally import Tally, add
from karat.formats.base import Problems
from karat.formats.scierc import read_pairs
from karat.measures.published import PRF, whole_zero_prf
from karat.protocols.relations.counted import ENTITIES, PROGRAM_REGIMES, REL, REL_PLUS
from karat.protocols.relations.drop_in.pure import ProgramCounts

_ENTITIES = """--- Entities (named entity recognition (NER)) ---
An entity is considered correct if the entity type and span is predicted correctly
"""
_WITHOUT = (
    "A relation is considered correct if the relation type and the spans of the two related entities are predicted "
    "correctly (entity type is not considered)\n"
)
_WITH = (
    "A relation is considered correct if the relation type and the two related entities are predicted correctly "
    "(in span and entity type)\n"
)


Regime = Mapping[str | None, ProgramCounts]


def evaluate(profile: str, gold: str, system: str | None = None) -> dict[str, dict[str | None, ProgramCounts]]:
    """Return the counts of each regime, over all labels (``None``) and by label."""
    protocol = protocol_named("relations")
    settings = protocol.configure({"profile": profile})
    if system is None:
        total = add(_tallies_of_pairs(protocol, settings, gold))
    else:
        total = _total_of_files(protocol, settings, gold, system)
    regimes: dict[str, dict[str | None, ProgramCounts]] = {}
    for regime in PROGRAM_REGIMES:
        places = [protocol.counts.index(f"{regime}-{part}") for part in ProgramCounts._fields]
        rows: dict[str | None, ProgramCounts] = {None: ProgramCounts()}
        rows |= {group.label: ProgramCounts(*(int(row[column]) for column in places)) for group, row in total.items()}
        regimes[regime] = {label: row for label, row in rows.items() if label is None or row.gold or row.system}
    return regimes


def _tallies_of_pairs(protocol: Protocol, settings: Any, path: str) -> Iterator[Tally]:
    """Yield the tallies of a file that has both sides; what was noted on the way is not told."""
    known = protocol.settle(Counter(), settings)
    for gold, system in read_pairs(path, Problems()):
        yield from map(protocol.book.tally, protocol.draft(gold, system, known, settings))


def _total_of_files(protocol: Protocol, settings: Any, gold: str, system: str) -> Tally:
    from karat.evaluation.corpora import Reading, load
    from karat.evaluation.evaluation import Evaluation

    sides = load(protocol, settings, [gold, system], [Reading(), Reading()])
    return Evaluation(protocol, settings, *sides).tallies().total()


def _prf(counts: ProgramCounts) -> PRF:
    return whole_zero_prf(counts.correct, counts.system, counts.gold)


def printed(regimes: Mapping[str, Regime]) -> str:
    """Return the three tables of SpERT, with types in the order of their names."""
    parts = ["Evaluation\n", _ENTITIES, *_table(regimes[ENTITIES]), "\n--- Relations ---\n"]
    parts += ["\nWithout named entity classification (NEC)\n" + _WITHOUT, *_table(regimes[REL])]
    parts += ["\nWith named entity classification (NEC)\n" + _WITH, *_table(regimes[REL_PLUS])]
    return parts[0] + "\n" + "".join(parts[1:])


def _table(regime: Regime) -> Iterator[str]:
    """Yield the rows of a table; where nothing is right, support is no whole number any more."""
    total = regime[None]
    labels = sorted(label for label in regime if label is not None)
    rows = {label: [100 * share for share in _prf(regime[label])] for label in labels}
    means = [sum(row[column] for row in rows.values()) / len(rows) if rows else float("nan") for column in range(3)]
    is_fraction = bool(labels) and not total.correct

    def row(name: str, shares: list[float], support: int) -> str:
        cells = [f"{share:.2f}" for share in shares]
        return _row(name, *cells, str(float(support) if is_fraction else support))

    yield "\n" + _row("type", "precision", "recall", "f1-score", "support")
    yield from (row(label, rows[label], regime[label].gold) for label in labels)
    yield "\n"
    yield row("micro", [100 * share for share in _prf(total)], total.gold)
    yield row("macro", means, total.gold)


def _row(name: str, *cells: str) -> str:
    return f"{name:>20}" + "".join(f" {cell:>12}" for cell in cells) + "\n"
