"""Leaderboards: systems in the order of a number, the ranks they may have, and groups that cannot be told apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

import msgspec

from karat.analysis.comparison.field import Given, headline_of, same_contents, signature_of, systems_of
from karat.analysis.statistics.intervals import Bootstrap
from karat.analysis.statistics.ranking import groups, rank_intervals
from karat.evaluation.run import declared, other_version
from karat.evaluation.scores import Row, Scores, ZeroRule, f_measures_in, mean, row_named

if TYPE_CHECKING:
    from karat.analysis.comparison.contest import Contest
    from karat.analysis.comparison.contrasts import Test

_EQUAL = 1e-12


class Standing(msgspec.Struct, frozen=True, omit_defaults=True):
    """The place of a system: its rank by the number, and those that it may have, chance aside.

    ``group`` are the letters of the groups that it is in: systems that share one cannot be told apart. ``is_best`` says
    that none is known to be better. A system whose number is undefined has no rank and stands behind all others.
    ``others`` are further numbers of the same kind.
    """

    system: str
    row: Row
    signature: str
    rank: int | None = None
    ranks: tuple[int, int] | None = None
    group: str = ""
    is_best: bool = False
    others: tuple[Row, ...] = ()


class Leaderboard(msgspec.Struct, frozen=True):
    """Systems under one protocol, ranked by one number; the ``contest`` has all pairs of them, if it was asked for."""

    protocol: str
    gold: str
    unit: str
    units: int
    number: str
    standings: tuple[Standing, ...]
    signature: str
    contest: Contest | None = None
    notes: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Standing]:
        return iter(self.standings)

    def __len__(self) -> int:
        return len(self.standings)

    def to_dict(self) -> dict[str, Any]:
        """Return plain dictionaries and lists, ready for JSON."""
        names = ("protocol", "gold", "unit", "units", "number", "standings", "notes", "signature")
        fields = msgspec.to_builtins({name: getattr(self, name) for name in names})
        return fields | ({"contest": self.contest.to_dict()} if self.contest else {})  # type: ignore[no-any-return]

    def __str__(self) -> str:
        from karat.display.views.leaderboard import render

        return render([self]).removesuffix("\n")

    def _repr_html_(self) -> str:
        from karat.display.drawing.pages import fragment
        from karat.display.views.leaderboard import markup

        return fragment(markup([self]))


def leaderboard(
    systems: Mapping[str, Given] | Iterable[Given],
    *,
    sort: str = "",
    ci: bool | Bootstrap = True,
    test: Test = "randomisation",
    zero: ZeroRule = "undefined",
    measures: Sequence[str] = (),
    gold: str = "",
) -> Leaderboard:
    """Rank systems that were scored by one protocol on one gold, from their runs alone.

    ``systems`` are what :func:`karat.compare` takes, and ``sort`` names the number, by default the first F1;
    ``measures`` are asked for beside those of the protocol, as ``f2``. Without
    ``ci`` there are ranks and nothing that chance has to do with. ``gold`` is what the gold is called.

    >>> import karat
    >>> gold = [["B-LOC", "O", "B-PER"]] * 8
    >>> runs = {"A": [["B-LOC", "O", "O"]] * 8, "B": gold}
    >>> board = leaderboard({name: karat.score("seqeval", gold, run) for name, run in runs.items()})
    >>> [(standing.system, standing.rank, standing.group) for standing in board]
    [('B', 1, 'a'), ('A', 2, 'b')]
    """
    known = systems_of(systems)
    first = known[0].runs[0]
    bound = declared(first).asking([*measures, *f_measures_in([sort] if sort else [])])
    asked: dict[str, Any] = {"zero": zero, "measures": bound.measures}
    scores = {system.name: [run.scores(**asked) for run in system.runs] for system in known}
    rows = list({row.name: row for several in scores.values() for own in several for row in own}.values())
    shown = list(filter(bound.main.includes, rows))
    number = row_named(rows, sort) if sort else headline_of(shown or rows)
    bootstrap = Bootstrap() if ci is True else ci
    contest = None
    notes = (*same_contents(known), *other_version(first, bound))
    if bootstrap and len(known) > 1:
        from karat.analysis.comparison.comparing import compare

        several = {system.name: list(system.runs) for system in known}
        contest = compare(several, rows=[number.name], test=test, ci=bootstrap, **asked)
        notes = contest.notes
    elif bootstrap:
        scores = {
            name: [own.run.scores(ci=bootstrap, **asked) for own in runs if own.run] for name, runs in scores.items()
        }
        told = {*first.notes, *notes}
        notes += tuple(note for (own, *_) in scores.values() for note in own.notes if note not in told)
    beside = list(_beside(number, shown))
    standings = [_standing(name, runs, number, beside, contest) for name, runs in scores.items()]
    units = contest.units if contest else len(first.tallies.units)
    how = {"ci": str(bootstrap)} if bootstrap else {}
    return Leaderboard(
        protocol=first.protocol,
        gold=gold,
        unit=first.unit,
        units=units,
        number=number.name,
        standings=tuple(_ranked(standings, contest)),
        signature=contest.signature if contest else signature_of(known, zero, units, how, bound.measures),
        contest=contest,
        notes=notes,
    )


def _beside(number: Row, rows: Sequence[Row]) -> Iterator[Row]:
    """Yield the numbers that stand beside the one that decides: other measures of its kind, and its other averages."""
    about = (number.regime, number.layer, number.slice, number.label)
    for row in rows:
        if (row.regime, row.layer, row.slice, row.label) != about or row.name == number.name:
            continue
        if number.average == row.average or number.measure == row.measure:
            yield row


def _standing(
    name: str, runs: Sequence[Scores], number: Row, beside: Sequence[Row], contest: Contest | None
) -> Standing:
    """Return a system with its numbers, and no rank yet."""
    row = contest.row(name, number.name) if contest else _together(runs, number)
    others = tuple(_together(runs, other) for other in beside)
    return Standing(name, row, " + ".join(own.signature for own in runs), others=others)


def _together(runs: Sequence[Scores], number: Row) -> Row:
    """Return a number of a system: of several runs the mean, which is undefined if that of one of them is."""
    rows = [next((row for row in own if row.name == number.name), None) for own in runs]
    values = [None if row is None else row.value for row in rows]
    if len(rows) == 1 and rows[0] is not None:
        return rows[0]
    value = None if None in values else mean(values)
    return msgspec.structs.replace(number, value=value, counts={}, interval=None)


def _ranked(standings: Sequence[Standing], contest: Contest | None) -> Iterator[Standing]:
    """Yield the systems in their order: those with a number by its value, the others behind them, both by name."""
    defined = sorted(
        (standing for standing in standings if standing.row.value is not None),
        key=lambda standing: (-(standing.row.value or 0.0), standing.system),
    )
    order = [standing.system for standing in defined]
    better = set(_better(contest)) if contest else set()
    intervals = rank_intervals(order, better) if contest else {}
    letters = _letters(order, better) if contest else {}
    worse = {second for _, second in better}
    for standing in defined:
        ahead = sum((other.row.value or 0.0) > (standing.row.value or 0.0) + _EQUAL for other in defined)
        yield msgspec.structs.replace(
            standing,
            rank=1 + ahead,
            ranks=intervals.get(standing.system),
            group=letters.get(standing.system, ""),
            is_best=standing.system not in worse if contest else not ahead,
        )
    rest = (standing for standing in standings if standing.row.value is None)
    yield from sorted(rest, key=lambda standing: standing.system)


def _better(contest: Contest) -> Iterator[tuple[str, str]]:
    """Yield the pairs that are told apart, the better system first."""
    for contrast in contest.contrasts:
        if contrast.is_told_apart(contest.level) and contrast.difference is not None:
            names = contrast.first, contrast.second
            yield names if contrast.difference > 0 else names[::-1]


def _letters(order: Sequence[str], better: set[tuple[str, str]]) -> dict[str, str]:
    """Return for each system the letters of its groups, the best group first."""
    names = (prefix + letter for prefix, letter in product(["", *ascii_lowercase], ascii_lowercase))
    lettered = dict.fromkeys(order, "")
    for letter, members in zip(names, groups(order, better), strict=False):
        for member in members:
            lettered[member] += letter
    return lettered
