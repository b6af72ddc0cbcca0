"""Scores of a run: rows, optional breakdowns and intervals, and the signature."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from karat.analysis.slices.breakdowns import UNIT_FEATURES, Breakdown, By, breakdowns, unknown_key
from karat.analysis.slices.units import NONE, by_unit, length_ranges
from karat.analysis.statistics.intervals import FEW_UNITS, Bootstrap, few_of_many, undefined_draws
from karat.errors import UsageError, plural
from karat.evaluation.f_measures import lacking
from karat.evaluation.run import Run, other_version
from karat.evaluation.scores import ZERO_RULES, Row, Scores, ZeroRule, rows_of, unit_rows
from karat.evaluation.tally import Tallies

if TYPE_CHECKING:
    from karat.analysis.slices.items import ItemSlicer
    from karat.evaluation.corpus import Corpus
    from karat.evaluation.protocol import Bound


def check_request(zero: ZeroRule) -> None:
    """Raise an error for an unknown zero rule, before any input is read."""
    if zero not in ZERO_RULES:
        raise UsageError(f"unknown zero rule {zero!r}; expected {', '.join(ZERO_RULES)}")


def scores_of(
    run: Run,
    bound: Bound,
    *,
    by: By = None,
    ci: bool | Bootstrap = False,
    zero: ZeroRule = "undefined",
    only: Callable[[Row], bool] | None = None,
) -> Scores:
    """Return the scores of a run: rows, intervals and breakdowns if requested, and the signature.

    Args:
        run: the run.
        bound: the protocol with its options.
        by: the breakdowns.
        ci: whether and how intervals are computed.
        zero: the value of undefined scores.
        only: a filter of rows; None for all rows.

    """
    check_request(zero)
    names = {breakdown.name for breakdown in breakdowns(by) if not breakdown.is_key}
    tallies, rows = broken_down(run, bound, by, zero)
    details = unit_rows(bound, run.tallies, zero=zero) if "unit" in names else ()
    rows = rows if only is None else tuple(filter(only, rows))
    bootstrap = Bootstrap() if ci is True else ci
    if bootstrap:
        from karat.analysis.statistics.bootstrap import with_intervals

        clusters, strata = (keys_of(run, key) if key else None for key in (bootstrap.clusters, bootstrap.strata))
        rows = with_intervals(bound, tallies, rows, bootstrap, zero=zero, clusters=clusters, strata=strata)
    notes = run.notes + other_version(run, bound) + (_doubts(run, bootstrap, rows) if bootstrap else ())
    if "label" in names and not any(row.label is not None for row in rows):
        notes += ("no label was counted, so there are no scores by label",)
    notes += tuple(lacking(bound.rules.book.figures, bound.measures))
    line = run.signature_of(zero, bootstrap or None, bound.measures)
    return Scores(run.protocol, run.system, rows + details, line, run.tallies, notes, run)


def broken_down(run: Run, bound: Bound, by: By, zero: ZeroRule) -> tuple[Tallies, tuple[Row, ...]]:
    """Return the tallies of a run with those of the requested slices, and the rows of both."""
    asked, tallies = breakdowns(by), run.tallies
    is_labelled = any(breakdown.name == "label" and not breakdown.is_key for breakdown in asked)
    rows = rows_of(bound, tallies, labels=is_labelled, zero=zero)
    for breakdown in asked:
        if breakdown.of_units or breakdown.of_items:
            from karat.analysis.slices.items import slice_rows

            sliced = slices_of(run, breakdown)
            rows += slice_rows(bound, sliced, breakdown, zero)
            both = (tallies.row(unit) | sliced.row(unit) for unit in range(len(tallies)))
            tallies = Tallies(tallies.units, both)
    return tallies, rows


def slices_of(run: Run, breakdown: Breakdown) -> Tallies:
    """Return the tallies of all units by the slices of a breakdown, which is a feature of units or of items."""
    if breakdown.of_items:
        if breakdown.name in run.slices:
            return run.slices[breakdown.name]
        kept = f"it has those by {', '.join(run.slices)}" if run.slices else "it has none"
        again = f"score again with --by {breakdown.name}{'=FILE' if breakdown.name == 'seen' else ''} --save"
        raise UsageError(f"the run of {run.system} was saved without slices by {breakdown.name} ({kept}); {again}")
    return by_unit(run.tallies, breakdown.name, unit_values(run, breakdown))


def unit_values(run: Run, breakdown: Breakdown) -> list[str]:
    """Return the value of every unit for a breakdown: a metadata key, its document, or the length of its document."""
    name = breakdown.name
    if breakdown.is_key:
        if name not in run.metadata:
            raise unknown_key(name, run.unit, set(run.metadata))
        return [NONE if value is None else value for value in run.metadata[name]]
    if name == "document-length":
        if not any(run.words):
            raise UsageError(f"the gold of {run.system} has documents without texts, so they have no length")
        return length_ranges(run.words)
    assert name in UNIT_FEATURES  # noqa: S101 - there are no others
    return list(run.documents)


def keys_of(run: Run, key: str) -> list[str]:
    """Return the metadata value of every unit for a key, or its document; raise an error if no unit has the key."""
    if key == "document":
        return list(run.documents)
    if key not in run.metadata:
        known = ", ".join(["document", *sorted(run.metadata)])
        raise UsageError(f"no {run.unit} of the gold has {key!r} in its metadata; known: {known}")
    return [value or "" for value in run.metadata[key]]


def _doubts(run: Run, bootstrap: Bootstrap, rows: Sequence[Row]) -> tuple[str, ...]:
    """Return the notes on intervals: too few units, and bootstrap samples without a value."""
    drawn = len(set(keys_of(run, bootstrap.clusters))) if bootstrap.clusters else len(run.tallies.units)
    about = f"group by {bootstrap.clusters}" if bootstrap.clusters else run.unit
    if drawn == 1:
        return (f"one {about}: no interval",)
    if drawn < FEW_UNITS:
        named = f"groups by {bootstrap.clusters}" if bootstrap.clusters else plural(run.unit)
        widened = "are widened, and may still" if bootstrap.method in ("studentised", "widened") else "may"
        few = f"{drawn} {named} are few: intervals {widened} cover the true value less often than stated"
        return (few, *undefined_draws(rows))
    return (*few_of_many(rows, run.unit), *undefined_draws(rows))


def evaluate(
    bound: Bound,
    gold: Corpus,
    system: Corpus,
    *,
    by: By = None,
    slicer: ItemSlicer | None = None,
    ci: bool | Bootstrap = False,
    zero: ZeroRule = "undefined",
    strict: bool = False,
) -> Scores:
    """Score a system against gold; breakdowns by features of items need a slicer."""
    from karat.evaluation.tasks import run_of

    check_request(zero)
    run = run_of(bound, gold, system, strict=strict, slicer=slicer)
    return scores_of(run, bound, by=by, ci=ci, zero=zero)
