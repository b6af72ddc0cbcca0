"""The summary of a report: a sentence to quote, and the headline number by system, label and slice in tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from karat.display.views.numbers import limits
from karat.errors import many, plural
from karat.evaluation.scores import Row
from karat.report.charts import Chart, Dot, Shape, limits_of, rows_chart
from karat.report.numbers import MOST_DETAILED, MOST_VALUES, ShownSystem, count, points, row_like, same, three

if TYPE_CHECKING:
    from karat.evaluation.protocol import Bound

MOST_LABELS = 24
"""The largest number of labels in the table; those with the fewest gold items are left out."""
SIDES: dict[int, Sequence[tuple[Shape, float]]] = {1: [("dot", 0.0)], 2: [("square", -0.21), ("dot", 0.21)]}
"""The shape of a system's dots, and their distance from the middle of the row: one system, or two."""
_WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_SLICES = {
    "length": "Words of the item",
    "frequency": "Occurrences of the form in the gold",
    "ambiguity": "Labels of the form in the gold",
    "nesting": "Nesting",
    "document-length": "Words of the document",
}
"""The titles of slices on the page."""
_MEASURES = {"f1": "F1", "precision": "precision", "recall": "recall"}


class ChartLine(NamedTuple):
    """A row of a table beside a piece of a chart: a name, the cells, and the alternative text of the piece."""

    letter: str
    name: str
    cells: Sequence[str]
    alt: str


class ChartTable(NamedTuple):
    """A table with a piece of a chart beside each row."""

    heads: Sequence[str]
    lines: Sequence[ChartLine]
    chart: Chart | None


class SliceTable(NamedTuple):
    """The slices of one feature."""

    title: str
    table: ChartTable


def in_words(number: int) -> str:
    """Return a number in words, for the beginning of a sentence.

    >>> in_words(4), in_words(40)
    ('Four', '40')
    """
    return _WORDS[number].capitalize() if number < len(_WORDS) else count(number)


def title_of(bound: Bound, systems: Sequence[ShownSystem], units: int) -> str:
    """Return the title of the page."""
    shown = systems[0].name if len(systems) == 1 else f"{in_words(len(systems))} systems"
    unit_count = _WORDS[units] if units < len(_WORDS) else count(units)
    return f"{shown} on {unit_count} {bound.unit if units == 1 else plural(bound.unit)}"


def named(row: Row) -> str:
    """Return the name of a number: the regime and the measure.

    >>> named(Row("f1", "strict", "micro", "NE", 0.5))
    'strict F1'
    """
    average = "" if row.average == "micro" else f" ({row.average})"
    return f"{row.regime} {named_short(row)}{average}".strip()


def ranked(systems: Sequence[ShownSystem], wanted: Row) -> list[tuple[ShownSystem, Row | None]]:
    """Return the systems with their number, the best first; undefined ones come last."""
    pairs = [(system, row_like(system.scores, wanted)) for system in systems]
    return sorted(
        pairs, key=lambda pair: -1 if pair[1] is None or pair[1].value is None else pair[1].value, reverse=True
    )


def leaderboard(systems: Sequence[ShownSystem], wanted: Row) -> ChartTable:
    """Return the table of all systems: the number with its interval, precision and recall, and the counts behind."""
    board = ranked(systems, wanted)
    measures = {"P": "precision", "R": "recall"} if wanted.measure == "f1" else {}
    measures = {head: name for head, name in measures.items() if row_like(systems[0].scores, wanted, measure=name)}
    counts = _counts(board)
    counts = counts if len(counts) <= 8 else []
    dots, lines = [], []
    for line_index, (system, row) in enumerate(board):
        if row is not None and row.value is not None:
            dots.append(_dot(line_index, row))
        beside = (row_like(system.scores, wanted, measure=name) for name in measures.values())
        cells = [_shown(row), limits(row.interval if row else None), *map(_shown, beside)]
        cells += [count(row.counts.get(name, 0)) if row else "–" for name in counts]
        alt = f"{system.name}: {cells[0]} {cells[1]}".strip()
        lines.append(ChartLine(system.letter, system.name, cells, alt))
    return ChartTable(
        [named_short(wanted), "95 % interval", *measures, *counts], lines, _chart("leaderboard", dots, len(lines))
    )


def _shown(row: Row | None) -> str:
    return three(row.value if row else None)


def _dot(line_index: int, row: Row) -> Dot:
    low, high = (row.interval.low, row.interval.high) if row.interval else (None, None)
    return Dot(line_index, row.value or 0.0, low, high)


def _counts(board: Sequence[tuple[ShownSystem, Row | None]]) -> list[str]:
    """Return the names of the counts that are not 0 for every system."""
    counts = [row.counts for _, row in board if row]
    return [
        name
        for name in dict.fromkeys(name for cases in counts for name in cases)
        if any(cases.get(name) for cases in counts)
    ]


def _chart(name: str, dots: Sequence[Dot], rows: int) -> Chart | None:
    if not dots:
        return None
    edges = [edge for dot in dots for edge in (dot.value, dot.low, dot.high)]
    return rows_chart(name, dots, rows, limits=limits_of(edges))


def by_label(systems: Sequence[ShownSystem], wanted: Row) -> ChartTable | None:
    """Return the number of each label for the first systems, the most frequent labels first."""
    shown = systems[:MOST_DETAILED]
    rows: dict[str, list[Row | None]] = {}
    for index, system in enumerate(shown):
        for row in system.details:
            if row.label is not None and same(row, wanted, label=row.label):
                rows.setdefault(row.label, [None] * len(shown))[index] = row
    if len(rows) < 2:
        return None
    sizes = {label: max(map(_size, several)) for label, several in rows.items()}
    labels = sorted(rows, key=lambda label: (-sizes[label], label))[:MOST_LABELS]
    whole = [row_like(system.scores, wanted) for system in shown]
    return beside("labels", shown, [("all", whole), *((label or "without a label", rows[label]) for label in labels)])


def slice_tables(systems: Sequence[ShownSystem], wanted: Row) -> list[SliceTable]:
    """Return a table for each feature with more than one slice; two systems are side by side."""
    shown = systems[:MOST_DETAILED]
    features: dict[str, dict[str, list[Row | None]]] = {}
    for index, system in enumerate(shown):
        for row in system.details:
            key, is_slice, value = row.slice.partition("=")
            if is_slice and same(row, wanted, slice=row.slice):
                features.setdefault(key, {}).setdefault(value, [None] * len(shown))[index] = row
    several = {key: slices for key, slices in features.items() if len(slices) > 1}
    return [
        SliceTable(_SLICES.get(key, key), beside(f"slice-{index}", shown, list(slices.items())[:MOST_VALUES]))
        for index, (key, slices) in enumerate(several.items())
    ]


def beside(
    name: str,
    systems: Sequence[ShownSystem],
    parts: Sequence[tuple[str, Sequence[Row | None]]],
    *,
    intervals: bool = True,
) -> ChartTable:
    """Return a table of parts of the data, with the number of one system, or of two systems side by side.

    With one system, the table has a column of ``intervals``, if they are wanted.
    """
    lines, dots = [], []
    for line_index, (part, rows) in enumerate(parts):
        for row, (shape, shift) in zip(rows, SIDES[len(systems)], strict=True):
            if row is not None and row.value is not None:
                dots.append(_dot(line_index, row)._replace(shape=shape, shift=shift))
        lines.append(_part_line(part, rows, systems, intervals=intervals))
    if len(systems) == 1:
        heads = [systems[0].letter, *(["interval"] if intervals else [])]
        return ChartTable(heads, lines, _chart(name, dots, len(lines)))
    first, second = (system.letter for system in systems)
    return ChartTable([f"□ {first}", f"● {second}", f"{second} − {first}"], lines, _chart(name, dots, len(lines)))


def _part_line(part: str, rows: Sequence[Row | None], systems: Sequence[ShownSystem], *, intervals: bool) -> ChartLine:
    values = [row.value if row else None for row in rows]
    brackets = [limits(row.interval if row else None) for row in rows]
    cells = list(map(three, values))
    told = zip(systems, cells, brackets, strict=True)
    alt = "; ".join(f"{system.letter} {value} {interval}".strip() for system, value, interval in told)
    if len(values) == 1:
        return ChartLine("", part, [*cells, *(brackets if intervals else [])], f"{part}: {alt}")
    first, second = values
    difference = None if first is None or second is None else second - first
    return ChartLine("", part, [*cells, points(difference)], f"{part}: {alt}")


def named_short(row: Row) -> str:
    """Return the name of a measure alone."""
    return _MEASURES.get(row.measure, row.measure)


def _size(row: Row | None) -> float:
    """Return the approximate number of items behind a number."""
    return sum(row.counts.values()) if row else 0


def sentence(bound: Bound, systems: Sequence[ShownSystem], wanted: Row, units: int) -> str:
    """Return the sentence to quote about one system."""
    system, row = ranked(systems, wanted)[0]
    reached = f"{system.name} reaches {_shown(row)} {named(wanted)} {limits(row.interval if row else None)}".rstrip()
    return f"{reached} on {many(units, bound.unit)}."
