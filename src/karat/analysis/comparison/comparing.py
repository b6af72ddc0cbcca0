"""``karat.compare``: which numbers of which systems are compared, over which draws, and the line that says so."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice

import msgspec

from karat.analysis.comparison.cases import case_shares
from karat.analysis.comparison.contest import Contest
from karat.analysis.comparison.contrasts import (
    FEWEST_TESTED,
    TESTS,
    Contrast,
    Request,
    Test,
    alone,
    contrasts_of,
    scored,
    screened,
)
from karat.analysis.comparison.field import Field, Given, System, headline_of, same_contents, signature_of, systems_of
from karat.analysis.slices.breakdowns import Breakdown, By, breakdowns
from karat.analysis.statistics.bootstrap import resampled
from karat.analysis.statistics.draws import MOST_ENUMERATED
from karat.analysis.statistics.intervals import FEW_UNITS, Bootstrap, Method, few_of_many, undefined_draws
from karat.analysis.statistics.randomisation import ARRANGEMENTS
from karat.analysis.summary import broken_down, check_request
from karat.errors import UsageError, many
from karat.evaluation.protocol import Bound
from karat.evaluation.run import Run, declared, other_version
from karat.evaluation.scores import Row, ZeroRule, f_measures_in, row_named
from karat.evaluation.tally import Counts, Group

_VALUES_AT_ONCE = 2**22
"""How many values of resamples are held at a time."""


def compare(
    systems: Mapping[str, Given] | Iterable[Given],
    *,
    rows: Iterable[str] = (),
    by: By = None,
    test: Test = "randomisation",
    ci: Bootstrap | None = None,
    difference_method: Method = "widened",
    zero: ZeroRule = "undefined",
    measures: Sequence[str] = (),
) -> Contest:
    """Compare systems that were scored by one protocol on one gold: all pairs, from their runs alone.

    ``systems`` are runs, scores or paths of run files, by name or in a list; a list of them in the place of one are
    runs of the same system, as from several seeds. ``measures`` are asked for beside those of the protocol, as ``f2``.
    ``rows`` name the numbers; by default those that are mainly shown
    for two systems, and the first F1 for more. ``by="label"`` adds the labels, and other words what :func:`karat.score`
    can break scores down by; with one system alone its parts are compared. ``ci`` says how intervals of scores are
    computed, and from which draws; those of differences are by the ``difference_method``.

    >>> import karat
    >>> gold = [["B-LOC", "O", "B-PER"]] * 8
    >>> first = karat.score("seqeval", gold, gold)
    >>> second = karat.score("seqeval", gold, [["B-LOC", "O", "O"]] * 8)
    >>> contrast = compare({"A": first, "B": second}).of("f1")[0]
    >>> round(contrast.difference, 3), contrast.won, contrast.p_value
    (0.333, 8, 0.0078125)
    """
    check_request(zero)
    asked = breakdowns(by)
    if any(breakdown.name == "unit" and not breakdown.is_key for breakdown in asked):
        raise UsageError("systems cannot be compared unit by unit; expected label, document or another feature")
    if test not in TESTS:
        raise UsageError(f"unknown test {test!r}; expected {', '.join(TESTS)}")
    if difference_method == "wilson":
        raise UsageError("Wilson's interval is of a share of items, not of a difference; use another method")
    known = systems_of(systems)
    if ci is not None and ci.strata and _has_seeds(known):
        raise UsageError("several runs of a system cannot be drawn within strata; leave those, or give one run of each")
    if len(known) < 2 and not asked:
        raise UsageError("a comparison needs two systems or more, or one that is broken down into parts (by)")
    request = Request(test, ci or Bootstrap(), difference_method, zero)
    names = list(rows)
    bound = declared(known[0].runs[0]).asking([*measures, *f_measures_in(names)])
    scored = [broken_down(run, bound, by, zero) for system in known for run in system.runs]
    field = Field.of(bound, known, [tallies for tallies, _ in scored], request.bootstrap)
    every = list({row.name: row for _, own in scored for row in own}.values())
    numbers, parts = _numbers(every, bound, asked, names, alone=len(known) > 2)
    if len(known) < 2:
        return _contest_of_parts(known[0], field, headline_of(numbers), parts, request)
    return _contest(known, field, [*numbers, *parts], {part.name for part in parts}, request)


def _numbers(
    rows: Sequence[Row], bound: Bound, asked: Sequence[Breakdown], names: Iterable[str], *, alone: bool
) -> tuple[list[Row], list[Row]]:
    """Return which numbers are compared, and into which parts they are broken down, without values.

    If none is named, it is the headline ``alone``, or where there are parts, else all that are mainly shown.
    """
    chosen = [row_named(rows, name) for name in names]
    if not chosen:
        prefixes = tuple(f"{breakdown.name}=" for breakdown in asked)
        chosen = [row for row in filter(bound.main.includes, rows) if row.label is None]
        chosen = [row for row in chosen if not (prefixes and row.slice.startswith(prefixes))]
        chosen = chosen or list(rows[:1])
        if alone or asked:
            first = headline_of(chosen)
            chosen = [
                first,
                *(row for row in chosen if row.measure in bound.measures and _same_but_measure(row, first)),
            ]
    parts = [row for row in rows if any(_is_part(row, number, asked) for number in chosen) and row not in chosen]
    plain = [[msgspec.structs.replace(row, value=None, counts={}) for row in group] for group in (chosen, parts)]
    return plain[0], plain[1]


def _same_but_measure(row: Row, other: Row) -> bool:
    return msgspec.structs.replace(row, measure=other.measure).name == other.name


def _is_part(row: Row, number: Row, asked: Sequence[Breakdown]) -> bool:
    """Say whether a row is a part of a number, by label or by what slices are called after."""
    alike = ("measure", "regime", "average", "layer")
    if any(getattr(row, name) != getattr(number, name) for name in alike):
        return False
    names = [breakdown.name for breakdown in asked]
    if row.label is not None:
        return "label" in names and row.slice == number.slice and number.label is None
    return row.slice != number.slice and row.slice.startswith(tuple(f"{name}=" for name in names))


def _contest(
    systems: Sequence[System], field: Field, numbers: Sequence[Row], parts: Collection[str], request: Request
) -> Contest:
    names = [system.name for system in systems]
    rows: dict[str, list[Row]] = {name: [] for name in names}
    contrasts: list[Contrast] = []
    runs = sum(len(system.runs) for system in systems)
    step = max(1, _VALUES_AT_ONCE // (2 * runs * request.bootstrap.resamples))
    coming = iter(numbers)
    while batch := list(islice(coming, step)):
        estimands = [field.estimands(number, request.zero) for number in batch]
        flat = [run for own in estimands for several in own for run in several]
        results = iter(resampled(flat, field.plan, request.bootstrap) if field.plan.drawn > 1 else map(alone, flat))
        for number, own in zip(batch, estimands, strict=True):
            resampled_runs = [[next(results) for _ in several] for several in own]
            for name, several, drawn in zip(names, own, resampled_runs, strict=True):
                rows[name].append(scored(number, several, drawn, request))
            contrasts += contrasts_of(names, number, own, resampled_runs, field.plan, request)
    told = _with_cases(systems, headline_of(numbers), field.bound, screened(contrasts, parts))
    return _summed_up(names, systems, field, numbers, rows, told, request)


def _contest_of_parts(system: System, field: Field, number: Row, parts: Sequence[Row], request: Request) -> Contest:
    """Compare the parts of one system with each other, as its labels: in the same draws, by Student's test."""
    if len(system.runs) > 1:
        raise UsageError("parts of a system are compared in one run of it")
    if len(parts) < 2:
        raise UsageError(f"{system.name} has {len(parts)} parts to compare; expected two or more")
    estimands = [[field.alone(part, request.zero)] for part in parts]
    flat = [run for (run,) in estimands]
    results = [
        [result]
        for result in (resampled(flat, field.plan, request.bootstrap) if field.plan.drawn > 1 else map(alone, flat))
    ]
    names = [f"label={part.label}" if part.label is not None else part.slice for part in parts]
    by_student = request._replace(test="t")
    contrasts = contrasts_of(names, number, estimands, results, field.plan, by_student, of_units=False)
    rows = {
        name: (msgspec.structs.replace(scored(part, own, drawn, request), slice=number.slice, label=number.label),)
        for name, part, own, drawn in zip(names, parts, estimands, results, strict=True)
    }
    contest = _summed_up(names, [system], field, [number], rows, contrasts, by_student)
    return msgspec.structs.replace(contest, parts_of=system.name)


def _summed_up(
    names: Sequence[str],
    systems: Sequence[System],
    field: Field,
    numbers: Sequence[Row],
    rows: Mapping[str, Iterable[Row]],
    contrasts: Iterable[Contrast],
    request: Request,
) -> Contest:
    """Return the contest of what is compared under these names: the systems, or parts of one."""
    first, own = systems[0].runs[0], {name: tuple(several) for name, several in rows.items()}
    return Contest(
        protocol=first.protocol,
        unit=first.unit,
        units=len(field.places),
        systems=tuple(names),
        headline=headline_of(numbers).name,
        numbers=tuple(number.name for number in numbers),
        rows=own,
        contrasts=tuple(contrasts),
        level=request.bootstrap.level,
        test="seeds" if _has_seeds(systems) else request.test,
        signature=_signature(systems, field, request),
        notes=tuple(_notes(systems, field, request.bootstrap, [row for several in own.values() for row in several])),
        clusters=request.bootstrap.clusters,
    )


def _with_cases(
    systems: Sequence[System], number: Row, bound: Bound, contrasts: Sequence[Contrast]
) -> Iterator[Contrast]:
    """Yield the contrasts, those in the first number with the counts behind them, if it is one of summed counts."""
    keys = (number.measure, number.regime, number.average)
    figure = next(figure for figure in bound.figures if (figure.measure, figure.regime, figure.average) == keys)
    groups = _counted_groups(systems, number)
    counts = {system.name: [_counts(run, groups, len(bound.counts)) for run in system.runs] for system in systems}
    for contrast in contrasts:
        if contrast.number == number.name and groups:
            sides = counts[contrast.first], counts[contrast.second]
            cases = case_shares(bound, figure, *sides, contrast.difference, groups[0].label)
            yield msgspec.structs.replace(contrast, cases=tuple(cases))
        else:
            yield contrast


def _counted_groups(systems: Sequence[System], number: Row) -> list[Group]:
    """Return the groups whose summed counts a number comes from: one, or for a mean over labels one for each."""
    if number.average == "micro":
        return [Group(number.layer, number.slice, number.label)]
    if number.average != "macro-label":
        return []
    known = {group for system in systems for run in system.runs for group in run.tallies.groups}
    groups = (group for group in known if group[:2] == (number.layer, number.slice) and group.label is not None)
    return sorted(groups, key=lambda group: group.label or "")


def _counts(run: Run, groups: Sequence[Group], width: int) -> list[Counts]:
    """Return the summed counts of each group."""
    total = run.tallies.total()
    return [total.get(group, (0,) * width) for group in groups]


def _signature(systems: Sequence[System], field: Field, request: Request) -> str:
    """Return the line that says which comparison this is."""
    bootstrap, seeds = request.bootstrap, _has_seeds(systems)
    enumerated = not seeds and request.test == "randomisation" and field.plan.drawn <= MOST_ENUMERATED
    tests = {
        "randomisation": f"{ARRANGEMENTS}/seed{bootstrap.seed}",
        "bootstrap": f"{ARRANGEMENTS}/seed{bootstrap.seed}",
    }
    test = "seeds" if seeds else request.test + ("/all" if enumerated else tests.get(request.test, ""))
    of_runs = "seeds+" if seeds else ""
    how = {"ci": f"{of_runs}{bootstrap}", "difference": f"{of_runs}{request.method}", "test": test, "adjusted": "holm"}
    return signature_of(systems, request.zero, len(field.places), how, field.bound.measures)


def _has_seeds(systems: Sequence[System]) -> bool:
    return any(len(system.runs) > 1 for system in systems)


def _notes(systems: Sequence[System], field: Field, bootstrap: Bootstrap, rows: Sequence[Row]) -> Iterator[str]:
    """Yield what is to be said of so few units, of draws without a value, and of runs."""
    key, drawn = bootstrap.clusters, field.plan.drawn
    first = systems[0].runs[0]
    unit = first.unit
    told = (f"{drawn} groups by {key}" if drawn > 1 else f"one group by {key}") if key else many(drawn, unit)
    if drawn < FEWEST_TESTED:
        yield f"{told}: too few to tell systems apart; {FEWEST_TESTED} are the least"
    elif drawn < FEW_UNITS:
        yield f"{told} are few: intervals and tests may miss more often than they say"
    else:
        yield from few_of_many(rows, unit)
    yield from undefined_draws(rows)
    yield from same_contents(systems)
    yield from other_version(first, declared(first))
    alone = [system.name for system in systems if len(system.runs) == 1]
    if len(alone) < len(systems) and alone:
        yield f"{', '.join(alone)}: one run, so that how much runs vary is not known"
