"""The pivot of all tables: from one number per row to one line per regime with a column for each measure."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from karat.display.views.numbers import limits, short, three

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from karat.evaluation.scores import Row, Scores

ALL = "ALL"
"""The name of all labels together, and of all data, among labels and slices."""
KEYS = ("system", "layer", "slice", "label", "average", "regime")


class NumberLine(NamedTuple):
    """The numbers of one system, layer, slice, label, average and regime, by measure, and the counts behind.

    ``result`` is the index of its result, because two systems may have the same name.
    """

    result: int
    keys: tuple[str, ...]
    numbers: dict[str, Row]
    counts: dict[str, float]


class NumberGrid(NamedTuple):
    """The lines of a table, with the names of its shown keys, and of all measures and counts."""

    keys: tuple[str, ...]
    measures: tuple[str, ...]
    counts: tuple[str, ...]
    lines: tuple[NumberLine, ...]

    @property
    def has_intervals(self) -> bool:
        """Whether any number comes with an interval."""
        return any(row.interval for line in self.lines for row in line.numbers.values())

    @property
    def level(self) -> float:
        """The level of the intervals."""
        return next((row.interval.level for line in self.lines for row in line.numbers.values() if row.interval), 0.95)

    def without_constants(self) -> tuple[NumberGrid, list[str]]:
        """Return the grid without keys that are the same in every line, and these keys; the system is always kept."""
        columns = range(len(self.keys))
        same = [
            column
            for column in columns
            if self.keys[column] != "system" and len({line.keys[column] for line in self.lines}) == 1
        ]
        kept = [column for column in columns if column not in same]
        if not kept or not self.lines:
            return self, []
        lines = tuple(line._replace(keys=tuple(line.keys[column] for column in kept)) for line in self.lines)
        told = [self.lines[0].keys[column] for column in same]
        return self._replace(keys=tuple(self.keys[column] for column in kept), lines=lines), told

    def key_cells(self) -> list[list[str]]:
        """Return the keys of each line; from the left, keys that repeat those above are blank."""
        return _behind_keys(self.lines, [[] for _ in self.lines])

    def number_cells(self) -> list[list[str]]:
        """Return the numbers of each line, with their intervals."""
        return [[_number(line.numbers.get(name)) for name in self.measures] for line in self.lines]

    def count_cells(self) -> list[list[str]]:
        """Return the counts of each line."""
        return [[_count(line, name) for name in self.counts] for line in self.lines]

    def scores(self) -> list[list[str]]:
        """Return the cells, the head first: keys, then measures."""
        head = [*self.keys, *(short(measure) for measure in self.measures)]
        return [head, *_behind_keys(self.lines, self.number_cells())]

    def scores_and_counts(self) -> list[list[str]]:
        """Return the cells, the head first: keys, then measures, then counts."""
        counts = [self.counts, *self.count_cells()]
        return [[*cells, *more] for cells, more in zip(self.scores(), counts, strict=True)]

    def group_counts(self) -> list[list[str]]:
        """Return the counts once for each system, layer, slice and label, or for each line if regimes differ."""
        width = sum(key not in ("average", "regime") for key in self.keys)
        counted = [line for line in self.lines if line.counts]
        groups = {(line.result, line.keys[:width]): line for line in counted}
        if any(line.counts != groups[line.result, line.keys[:width]].counts for line in counted):
            lines, width = counted, len(self.keys)
        else:
            lines = [line._replace(keys=group) for (_, group), line in groups.items()]
        body = [[_count(line, name) for name in self.counts] for line in lines]
        return [[*self.keys[:width], *self.counts], *_behind_keys(lines, body)]


def pivot(scores: Sequence[Scores], shown: Sequence[str] = ()) -> NumberGrid:
    """Return the rows of some systems as a grid, in the order of their first appearance.

    Keys that are not in ``shown`` are shown if they are informative: the system if there are several, and a layer,
    slice, label or regime if any row has one.
    """
    lines: dict[tuple[int, tuple[str, ...]], NumberLine] = {}
    rows = [(index, row) for index, result in enumerate(scores) for row in result.rows]
    for index, row in rows:
        keys = (scores[index].system, row.layer, row.slice or ALL, label_of(row), row.average, row.regime)
        line = lines.setdefault((index, keys), NumberLine(index, keys, {}, {}))
        line.numbers[row.measure] = row
        line.counts.update(row.counts)
    telling = {
        "system": len(scores) > 1,
        "slice": any(row.slice for _, row in rows),
        "label": any(row.label is not None for _, row in rows),
        "layer": any(row.layer for _, row in rows),
        "regime": any(row.regime for _, row in rows),
    }
    chosen = [column for column, key in enumerate(KEYS) if key in shown or telling.get(key, True)]
    return NumberGrid(
        keys=tuple(KEYS[column] for column in chosen),
        measures=tuple(dict.fromkeys(row.measure for _, row in rows)),
        counts=tuple(dict.fromkeys(name for _, row in rows for name in row.counts)),
        lines=tuple(line._replace(keys=tuple(line.keys[column] for column in chosen)) for line in lines.values()),
    )


def label_of(row: Row) -> str:
    """Return the label of a row, as shown."""
    return ALL if row.label is None else row.label


def title_of(scores: Sequence[Scores]) -> str:
    """Return the title of scores: the protocol and, if there is only one, the system."""
    protocol = ", ".join(dict.fromkeys(result.protocol for result in scores))
    return f"{protocol}: {scores[0].system}" if len(scores) == 1 else protocol


def notes(scores: Sequence[Scores]) -> list[str]:
    """Return the notes on all results, as lines."""
    return [f"note: {_about(result, scores)}{note}" for result in scores for note in result.notes]


def signatures(scores: Sequence[Scores]) -> list[str]:
    """Return the signature of each result, as lines; with several results, after the name of the system."""
    return [_about(result, scores) + result.signature for result in scores]


def _about(result: Scores, among: Sequence[Scores]) -> str:
    return f"{result.system}: " if len(among) > 1 else ""


def _behind_keys(lines: Sequence[NumberLine], body: Iterable[list[str]]) -> list[list[str]]:
    """Return the cells of each line with its keys before them; repeated keys of a result are blank."""
    cells = [[*line.keys, *own] for line, own in zip(lines, body, strict=True)]
    return once(cells, len(lines[0].keys) if lines else 0, [line.result for line in lines])


def once(lines: Sequence[Sequence[str]], left: int, groups: Sequence[int] = ()) -> list[list[str]]:
    """Return lines in which, from the left, names that repeat those above are blank, within each group."""
    shown = [list(line) for line in lines[:1]]
    for index, (above, line) in enumerate(pairwise(lines), 1):
        is_other = bool(groups) and groups[index] != groups[index - 1]
        pairs = enumerate(zip(line[:left], above[:left], strict=True))
        same = 0 if is_other else next((column for column, (name, upper) in pairs if name != upper), 0)
        shown.append([""] * same + list(line[same:]))
    return shown


def _number(row: Row | None) -> str:
    return "" if row is None else f"{three(row.value)} {limits(row.interval)}".rstrip()


def _count(line: NumberLine, name: str) -> str:
    count = line.counts.get(name)
    if count is None:
        return ""
    return str(int(count)) if float(count).is_integer() else f"{count:.3f}"
