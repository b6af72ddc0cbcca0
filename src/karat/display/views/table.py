"""The table of scores for a terminal: aligned text with three decimals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.display.views._columns import ScreenColumn, fitted, folded, left_out_note, lines_of, room_of
from karat.display.views._grid import NumberGrid, notes, pivot, signatures, title_of
from karat.display.views._pictures import LEAST_ROOM, MOST_ROOM, bar, bar_axis, intervals_drawn
from karat.display.views.numbers import limits, short, three
from karat.io.terminal import Screen, visible, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from karat.evaluation.scores import Scores

_RIGHT = ("exact", "correct", "right", "same")
"""The names of counts of right items."""
_BAR = 13


def scores_table(scores: Sequence[Scores], *, screen: Screen = Screen()) -> str:  # noqa: B008 - it cannot change
    """Return the table of some systems; counts that do not fit beside the scores are below them.

    No line is wider than the terminal, and numbers are also drawn if there is room.

    >>> from karat.evaluation.scores import Row, Scores
    >>> from karat.evaluation.tally import Tallies
    >>> rows = (Row("f1", "strict", "micro", "NE", 0.5, counts={"correct": 3, "missed": 6}),)
    >>> print(scores_table([Scores("small", "team1", rows, "karat:1.0|protocol:small", Tallies([], []))]), end="")
    small: team1
    <BLANKLINE>
    layer  average  regime     F1  correct  missed
    -----  -------  ------  -----  -------  ------
    NE     micro    strict  0.500        3       6
    <BLANKLINE>
    karat:1.0|protocol:small
    """
    grid = pivot(scores)
    heading = visible(title_of(scores))
    if screen.terminal:
        grid, common = grid.without_constants()
        heading = "  ".join([heading, *map(visible, common)])
    blocks, left_out = _blocks(grid, screen)
    ending = [visible(line) for line in (*notes(scores), *left_out_note(left_out))]
    if screen.terminal:
        ending = [line for note in ending for line in wrapped(note, screen.width)]
    ending += [screen.tone("soft", line) for text in signatures(scores) for line in folded(visible(text), screen)]
    parts = [[screen.tone("strong", heading)], *blocks, ending]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def _blocks(grid: NumberGrid, screen: Screen) -> tuple[list[list[str]], list[str]]:
    """Return the lines of one or two tables, and the heads of columns that had no room."""
    keys, counts = _columns(grid.key_cells(), grid.keys, left=True), _columns(grid.count_cells(), grid.counts)
    measures = [short(measure) for measure in grid.measures]
    numbers = _columns(grid.number_cells(), measures, left=grid.has_intervals)
    whole = [*keys, *numbers, *counts]
    if room_of(whole) <= screen.width:
        return [lines_of([*keys, *numbers, *_picture(grid, screen, whole), *counts], screen)], []
    if not screen.terminal:
        tables = [keys + numbers, *([_group_counts(grid)] if grid.counts else [])]
        return [lines_of(table, screen) for table in tables], []
    first, spared = _on_screen(grid, keys, numbers, screen)
    second, zeros = _counts_on_screen(grid, screen) if grid.counts else ([], [])
    return [lines_of(table, screen) for table in (first, second) if table], [*spared, *zeros]


def _columns(lines: Sequence[Sequence[str]], heads: Sequence[str], *, left: bool = False) -> list[ScreenColumn]:
    return [ScreenColumn(head, [line[index] for line in lines], left=left) for index, head in enumerate(heads)]


def _group_counts(grid: NumberGrid) -> list[ScreenColumn]:
    head, *lines = grid.group_counts()
    columns = _columns(lines, head)
    words = len(head) - len(grid.counts)
    return [column._replace(left=index < words) for index, column in enumerate(columns)]


def _on_screen(
    grid: NumberGrid, keys: Sequence[ScreenColumn], numbers: Sequence[ScreenColumn], screen: Screen
) -> tuple[list[ScreenColumn], list[str]]:
    """Return the scores with a picture of the first F1, its interval in a column, and others if there is room."""
    is_narrow = room_of([*keys, *numbers]) + 2 + LEAST_ROOM > screen.width
    columns = [*keys, *(_apart(grid) if grid.has_intervals and is_narrow else numbers)]
    return fitted([*columns, *_picture(grid, screen, columns)], screen.width)


def _chosen(grid: NumberGrid) -> str:
    return "f1" if "f1" in grid.measures else grid.measures[0]


def _apart(grid: NumberGrid) -> Iterator[ScreenColumn]:
    """Yield the measures without intervals, the main one last, and its interval in a column of its own."""
    for measure in sorted(grid.measures, key=lambda name: name == _chosen(grid)):
        values = [line.numbers.get(measure) for line in grid.lines]
        cells = ["" if row is None else three(row.value) for row in values]
        tone, spare = ("strong", 0) if measure == _chosen(grid) else ("", 1)
        yield ScreenColumn(short(measure), cells, tone=tone, spare=spare)
    rows = [line.numbers.get(_chosen(grid)) for line in grid.lines]
    intervals = [limits(row.interval if row else None) for row in rows]
    yield ScreenColumn(f"{100 * grid.level:g} % interval", intervals, left=True, tone="soft")


def _picture(grid: NumberGrid, screen: Screen, beside: Sequence[ScreenColumn]) -> list[ScreenColumn]:
    """Return a picture of the main number, on its interval or as a bar, if there is room."""
    free = screen.width - room_of(beside) - 2
    rows = [line.numbers.get(_chosen(grid)) for line in grid.lines] if grid.measures else []
    values = [row.value if row else None for row in rows]
    shares = [value for value in values if value is not None and 0 <= value <= 1]
    if not screen.terminal or free < LEAST_ROOM or not shares:
        return []
    if any(row and row.interval for row in rows):
        numbers = [(row.value, row.interval) if row else (None, None) for row in rows]
        picture = intervals_drawn(numbers, min(free, MOST_ROOM))
        return [ScreenColumn(picture.axis, picture.lines, left=True, tone="gold", drawn=True)]
    bars = [bar(value if value in shares else None, LEAST_ROOM) for value in values]
    return [ScreenColumn(bar_axis(LEAST_ROOM), bars, left=True, tone="gold", drawn=True)]


def _counts_on_screen(grid: NumberGrid, screen: Screen) -> tuple[list[ScreenColumn], list[str]]:
    """Return the counts, with the share of right items if there is room; all-zero columns are left out first."""
    columns = _group_counts(grid)
    words = len(columns) - len(grid.counts)
    spared = [
        column if index < words else column._replace(spare=1 + all(cell in ("0", "") for cell in column.cells))
        for index, column in enumerate(columns)
    ]
    spared[words] = spared[words]._replace(spare=0)
    kept, left_out = fitted(spared, screen.width)
    if screen.width - room_of(kept) - 2 >= _BAR and grid.counts[0] in _RIGHT and len(kept) - words > 1:
        shares = [_share(cells) for cells in zip(*(column.cells for column in columns[words:]), strict=True)]
        kept.append(
            ScreenColumn(f"share {grid.counts[0]}", [bar(share, _BAR) for share in shares], True, 0, "full", True)
        )
    return kept, left_out


def _share(counts: Sequence[str]) -> float | None:
    numbers = [float(count) for count in counts if count]
    return numbers[0] / sum(numbers) if sum(numbers) else None
