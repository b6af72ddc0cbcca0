"""Scores the systems of a report, collects their ledgers, and scores them again under the corrected profile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from karat.analysis.differences import LedgerComparison
from karat.analysis.slices.breakdowns import breakdowns
from karat.analysis.slices.slicer import slicer_for
from karat.analysis.summary import scores_of
from karat.errors import InputError, UsageError
from karat.evaluation.corpora import load, way_of
from karat.evaluation.run import Run, declared
from karat.evaluation.tasks import run_of
from karat.report.collection import LedgerCollection
from karat.report.content import Report, report_of
from karat.report.costs import MOST_SINGLY, Costs, Rescored, corrected, costs_of, is_correctable
from karat.report.numbers import ShownSystem, item_features_of, systems_of

if TYPE_CHECKING:
    from karat.analysis.statistics.intervals import Bootstrap
    from karat.evaluation.corpora import Reading, Source, Way
    from karat.evaluation.corpus import Corpus
    from karat.evaluation.evaluation import UnitLedger
    from karat.evaluation.protocol import Bound
    from karat.evaluation.scores import Row


def evaluated(
    bound: Bound,
    sources: Sequence[Source],
    readings: Sequence[Reading],
    bootstrap: Bootstrap | bool,
    *,
    flags: str = "",
) -> Report:
    """Score systems and return the report on them.

    Args:
        bound: the protocol with its options.
        sources: the gold, then the systems.
        readings: how each source is read.
        bootstrap: whether and how intervals are computed.
        flags: the options as the command line has them, which the page quotes.

    """
    sides = Sides(sources, readings)
    gold, *systems = sides.read_for(bound)
    gold.will_be_signed()  # read before scoring, because the slicer needs it
    slicer = slicer_for(bound, breakdowns(item_features_of(bound)), gold, readings[0])
    collection = LedgerCollection()
    runs = [run_of(bound, gold, system, slicer=slicer, witness=collection.next_system()) for system in systems]
    scored = systems_of(bound, runs, bootstrap)
    costs = _costs(bound, sides, scored, collection)
    return report_of(bound, scored, bootstrap, collection.units(), flags=flags, costs=costs)


class Sides:
    """The gold and the systems of a report, read once for all protocols that read them in the same way."""

    def __init__(self, sources: Sequence[Source], readings: Sequence[Reading]) -> None:
        self._sources, self._readings = sources, readings
        self._read: dict[Way, list[Corpus]] = {}

    def read_for(self, bound: Bound) -> list[Corpus]:
        """Return the gold and the systems as a protocol reads them."""
        known = next(iter(self._read.values()), ())
        formats = tuple(None if side.kind == "objects" else side.kind for side in known)
        way = way_of(bound, formats, lines=True, texts=True) if formats else None
        if way is not None and way in self._read:
            return self._read[way]
        sides = load(bound, self._sources, self._readings, lines=True, texts=True, often=True)
        formats = tuple(None if side.kind == "objects" else side.kind for side in sides)
        self._read[way_of(bound, formats, lines=True, texts=True)] = sides
        return sides


def _costs(
    bound: Bound,
    sides: Sides,
    scored: tuple[Sequence[ShownSystem], Row],
    collection: LedgerCollection,
) -> Costs | None:
    """Return what the quirks cost, or None if the protocol has no corrected variant."""
    try:
        variant = corrected(bound)
    except UsageError as error:
        return Costs(None, [f"The corrected profile refuses these options: {error}."])
    if variant is None:
        return None
    regime = scored[1].regime

    def rescore(way: Bound, system: int) -> Rescored:
        read = sides.read_for(way)
        renamed = variant.regime(regime) if way is variant.bound else regime
        comparison = LedgerComparison(regime=regime, renamed=renamed)
        before = collection.ledgers(system)

        def compare(after: UnitLedger) -> None:
            comparison.add(next(before, ()), after.entries)

        run = run_of(way, read[0], read[system + 1], witness=compare)
        for entries in before:
            comparison.add(entries, ())
        return Rescored(scores_of(run, way), comparison.differences())

    published = bound if collection.size() <= MOST_SINGLY and is_correctable(bound, variant) else None
    return costs_of(*scored, variant, rescore, published)


def of_runs(runs: Sequence[Run], bootstrap: Bootstrap | bool) -> Report:
    """Return the report on saved runs, which has numbers but no texts."""
    bound = declared(runs[0])
    return report_of(bound, systems_of(bound, runs, bootstrap), bootstrap)


def check_runs(runs: Sequence[Run], paths: Sequence[str]) -> None:
    """Raise an error for runs of different protocols or options, or against different golds."""
    for run, path in zip(runs, paths, strict=True):
        if run.protocol != runs[0].protocol:
            raise InputError(f"it is a run of {run.protocol}, but {paths[0]} is one of {runs[0].protocol}", path=path)
        if run.options != runs[0].options:
            raise InputError(f"it was scored with other options than {paths[0]}", path=path)
        if run.gold_content != runs[0].gold_content:
            raise InputError(f"it was scored against another gold than {paths[0]}", path=path)
