"""The comparison of systems in a report: the sentence, statistical ties, and the differences of all pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from karat.analysis.comparison import Contest, Contrast, compare
from karat.analysis.comparison.items import favoured
from karat.analysis.statistics.ranking import groups
from karat.display.views.numbers import in_brackets, p_value, points
from karat.report.charts import Dot, limits_of, rows_chart
from karat.report.numbers import ShownSystem
from karat.report.summary import ChartLine, ChartTable, ranked

if TYPE_CHECKING:
    from collections.abc import Iterable

    from karat.analysis.statistics.intervals import Bootstrap
    from karat.display.drawing.reader.units import ReaderRow, ReaderUnit
    from karat.evaluation.ledger import Outcome
    from karat.evaluation.scores import Row

MOST_PAIRS = 15
"""The largest number of pairs; with more systems, each is compared only with the best."""
MOST_BRACKETS = 4
"""The number of groups with brackets; further groups have only letters."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Tie(NamedTuple):
    """The tie groups of a system: their letters, and the pieces of their brackets in its row."""

    letters: str
    pieces: Sequence[str]


class ContestSummary(NamedTuple):
    """The comparison of systems: a sentence on the best two, ties in ranking order, and the differences of pairs."""

    sentence: str
    ties: Sequence[Tie]
    differences: ChartTable
    test: str


def standing(
    systems: Sequence[ShownSystem], wanted: Row, units: Iterable[ReaderUnit] | None, bootstrap: Bootstrap | None
) -> ContestSummary | None:
    """Return the comparison of the systems in one number, or None for a single system."""
    if len(systems) < 2:
        return None
    contest = compare({system.name: system.scores for system in systems}, rows=[wanted.name], ci=bootstrap)
    order = [system for system, _ in ranked(systems, wanted)]
    best = _between(contest, order[0], order[1])
    items = None if units is None else _deciding(units, systems, best, wanted)
    said = contest.sentence(best, items)
    return ContestSummary(said, _ties(contest, order), _differences(contest, order), contest.test)


def _between(contest: Contest, first: ShownSystem, second: ShownSystem) -> Contrast:
    names = {first.name, second.name}
    return next(contrast for contrast in contest.of() if {contrast.first, contrast.second} == names)


def _deciding(
    units: Iterable[ReaderUnit], systems: Sequence[ShownSystem], contrast: Contrast, wanted: Row
) -> tuple[int, int] | None:
    """Return how many items only the first and only the second system has right, or None without verdicts."""
    names = [system.name for system in systems]
    system_indices = names.index(contrast.first), names.index(contrast.second)
    spoken: Counter[int] = Counter()
    for unit in units:
        for row in unit.rows:
            if (row.layer, row.slice) == (wanted.layer, wanted.slice):
                outcomes = [_outcomes(row, system_index, wanted.regime) for system_index in system_indices]
                if any(outcomes):
                    spoken[favoured(*outcomes)] += 1
    return (spoken[1], spoken[-1]) if spoken else None


def _outcomes(row: ReaderRow, system: int, regime: str) -> list[Outcome]:
    return [verdict.verdicts[regime] for verdict in row.judged.get(system, ()) if regime in verdict.verdicts]


def _ties(contest: Contest, order: Sequence[ShownSystem]) -> list[Tie]:
    """Return the tie groups of each system."""
    better = set()
    for contrast in contest.of():
        if contrast.is_told_apart(contest.level):
            pair = contrast.first, contrast.second
            better.add(pair if (contrast.difference or 0) > 0 else pair[::-1])
    together = groups([system.name for system in order], better)
    return _brackets([[system.name in group for group in together] for system in order])


def _brackets(rows: Sequence[Sequence[bool]]) -> list[Tie]:
    """Return the bracket pieces of each row: start, middle or end of the bracket of a group, or a single row.

    >>> _brackets([[True, False], [True, True], [False, True]])[1]
    Tie(letters='a b', pieces=['end', 'start'])
    """
    places = [[row for row, inside in enumerate(column) if inside] for column in zip(*rows, strict=True)]

    def piece(row: int, group: Sequence[int]) -> str:
        if not group or not group[0] <= row <= group[-1]:
            return ""
        return "alone" if len(group) == 1 else "start" if row == group[0] else "end" if row == group[-1] else "on"

    return [
        Tie(
            " ".join(letter for letter, inside in zip(_LETTERS, row, strict=False) if inside),
            [piece(index, group) for group in places[:MOST_BRACKETS]],
        )
        for index, row in enumerate(rows)
    ]


def _differences(contest: Contest, order: Sequence[ShownSystem]) -> ChartTable:
    """Return the table of pairs in ranking order, with the better system first."""
    pairs = list(combinations(order, 2))
    if len(pairs) > MOST_PAIRS:
        pairs = [(order[0], system) for system in order[1:]]
    lines, dots = [], []
    for row, (first, second) in enumerate(pairs):
        contrast = _between(contest, first, second)
        turned = contrast.first != first.name
        sign = -1 if turned else 1
        apart = contrast.is_told_apart(contest.level)
        difference = None if contrast.difference is None else sign * contrast.difference
        interval = contrast.interval
        if difference is not None:
            ends = sorted(sign * edge for edge in (interval.low, interval.high)) if interval else (None, None)
            dots.append(Dot(row, difference, ends[0], ends[1], "dot" if apart else "open"))
        shown = "–" if difference is None else points(difference, signed=True)
        cells = [
            shown,
            in_brackets(interval, turned=turned),
            "–" if contrast.holm is None else p_value(contrast.holm),
            "significant" if apart else "tie",
        ]
        name = f"{first.letter} − {second.letter}"
        lines.append(
            ChartLine("", name, cells, f"{first.name} minus {second.name}: {' '.join(cells[:2])} points, {cells[3]}")
        )
    edges = [edge for dot in dots for edge in (dot.value, dot.low, dot.high, 0.0)]
    limits = limits_of(edges, floor_at=-1.0)
    chart = rows_chart("differences", dots, len(lines), limits=limits, zero=True, points=True) if dots else None
    return ChartTable(["Points", "95 % interval", "p", ""], lines, chart)
