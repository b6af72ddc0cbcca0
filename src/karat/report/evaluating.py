"""Scoring for a report: every system by the protocol, its ledger, and what it would get without the quirks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from karat.analysis.differences import differences
from karat.analysis.slices.asking import breakdowns
from karat.analysis.slices.slicing import slicer_for
from karat.analysis.summary import scores_of
from karat.display.drawing.reader.gathering import Gathering
from karat.errors import InputError, UsageError
from karat.evaluation.corpora import load
from karat.evaluation.evaluation import Evaluation
from karat.evaluation.run import Run, declared
from karat.evaluation.running import run_of
from karat.report.building import Report, report_of
from karat.report.costs import MOST_SINGLY, Costs, Rescored, corrected, costs_of, shown
from karat.report.numbers import ShownSystem, item_features_of, systems_of

if TYPE_CHECKING:
    from karat.analysis.statistics.intervals import Bootstrap
    from karat.evaluation.corpora import Corpus, Reading, Source
    from karat.evaluation.protocol import Protocol
    from karat.evaluation.scores import Row


def evaluated(
    protocol: Protocol,
    settings: Any,
    sources: Sequence[Source],
    readings: Sequence[Reading],
    bootstrap: Bootstrap | bool,
    *,
    flags: str = "",
) -> Report:
    """Return the report on systems against the gold, which is the first of the sources."""
    gold, *sides = load(protocol, settings, sources, readings, lines=True, texts=True, often=True)
    gold.will_be_signed()  # the slicer reads it before it is scored
    slicer = slicer_for(protocol, settings, breakdowns(item_features_of(protocol)), gold, readings[0])
    gathering = Gathering()
    runs = [run_of(protocol, settings, gold, side, slicer=slicer, witness=gathering.next_system()) for side in sides]
    named = systems_of(protocol, runs, bootstrap)
    costs = _costs(protocol, settings, sources, readings, named, (gold, sides), gathering.size())
    return report_of(protocol, named, bootstrap, gathering, flags=flags, costs=costs)


def _costs(
    protocol: Protocol,
    settings: Any,
    sources: Sequence[Source],
    readings: Sequence[Reading],
    named: tuple[Sequence[ShownSystem], Row],
    sides: tuple[Corpus, Sequence[Corpus]],
    items: int,
) -> Costs | None:
    """Return what the quirks cost, if the protocol has a corrected variant."""
    try:
        variant = corrected(protocol, settings)
    except UsageError as error:
        return Costs(None, [f"The corrected profile refuses these options: {error}."])
    if variant is None:
        return None
    gold, systems = sides

    def rescore(way: Protocol, other: Any, system: int) -> Rescored:
        own = [sources[0], sources[system + 1]], [readings[0], readings[system + 1]]
        sides = load(way, other, *own, lines=True, often=True)
        run = run_of(way, other, *sides)
        before = Evaluation(protocol, settings, gold, systems[system]).entries()
        after = Evaluation(way, other, *sides).entries()
        regime = named[1].regime
        renamed = variant.regime(regime) if other is variant.settings else regime
        return Rescored(scores_of(run, way), differences(before, after, regime=regime, renamed=renamed))

    published = shown(protocol, settings, variant) if items <= MOST_SINGLY else None
    return costs_of(*named, variant, rescore, published)


def of_runs(runs: Sequence[Run], bootstrap: Bootstrap | bool) -> Report:
    """Return the report on runs that were kept: numbers without texts."""
    protocol = declared(runs[0])
    return report_of(protocol, systems_of(protocol, runs, bootstrap), bootstrap)


def check_runs(runs: Sequence[Run], paths: Sequence[str]) -> None:
    """Refuse runs that do not belong on one page: of another protocol, or another gold."""
    for run, path in zip(runs, paths, strict=True):
        if run.protocol != runs[0].protocol:
            raise InputError(f"it is a run of {run.protocol}, but {paths[0]} is one of {runs[0].protocol}", path=path)
        if run.gold_content != runs[0].gold_content:
            raise InputError(f"it was scored against another gold than {paths[0]}", path=path)
