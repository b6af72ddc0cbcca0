"""Differences between two protocols or two systems as text: numbers, left-out items, and entries."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from karat.display.drawing.lines import entry_lines
from karat.display.drawing.pages import marked_up
from karat.display.views._columns import fitted, folded, left_out_note, lines_of
from karat.display.views._grid import ALL
from karat.display.views.ledger import content, joined, json_line, table_cells, table_head, tsv_cells, tsv_head
from karat.display.views.ledger_text import rule
from karat.display.views.numbers import UNDEFINED, digits
from karat.display.views.papers import Tables, TextTable, columns_of, rendered
from karat.display.views.values import csv_line, tsv_line
from karat.errors import many, unknown
from karat.io.terminal import Screen, visible, wrapped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from karat.analysis.differences import Comparison, Difference, Shift
    from karat.display.views.ledger import LedgerView
    from karat.evaluation.ledger import Entry
    from karat.evaluation.scores import Scores

_NAME, _NUMBER = ' class="text"', ' class="n"'
_ABSENT = "has no such entry"

NAMES = ("measure", "regime", "average", "layer", "slice")
"""The fields that identify a number of a protocol."""


def render_comparison(
    comparison: Comparison,
    view: LedgerView | Literal["text"] = "table",
    *,
    regimes: Sequence[str],
    screen: Screen = Screen(),  # noqa: B008 - it cannot change
) -> Iterator[str]:
    """Yield the lines of a comparison, without line ends, with the verdicts under these regimes.

    >>> from karat.analysis.differences import Comparison
    >>> from karat.evaluation.scores import Scores
    >>> from karat.evaluation.tally import Tallies
    >>> one, other = (Scores(name, "team1", (), f"karat:1.0|protocol:{name}", Tallies([], [])) for name in ("a", "b"))
    >>> for line in render_comparison(Comparison(one, other, [], []), regimes=[]): print(line)
    a and b: team1
    <BLANKLINE>
    nothing differs: no number that both have, and no verdict
    <BLANKLINE>
    karat:1.0|protocol:a
    karat:1.0|protocol:b
    """
    views: dict[str, Callable[[Comparison, Sequence[str]], Iterator[str]]]
    views = {"text": partial(_table, screen=screen), "table": _table, "tsv": _tsv, "csv": _csv, "json": _json}
    views |= {"jsonl": _jsonl, "markdown": partial(_paper, view="markdown"), "latex": partial(_paper, view="latex")}
    if view not in views:
        raise unknown("view", view, views)
    judged = {name for difference in comparison.differences for entry in difference.entries for name in entry.verdicts}
    return views[view](comparison, [name for name in regimes if name in judged])


def _table(comparison: Comparison, regimes: Sequence[str], screen: Screen | None = None) -> Iterator[str]:
    """Yield the numbers and items that differ, in columns; with a screen, items are shown in their context."""
    on = screen or Screen()
    yield from _fitting([_heading(comparison)], on)
    items = _item_table(comparison, regimes)
    blocks = [
        _fitting(_summary(comparison), on),
        _numbers(comparison, on),
        _fitting(_remarks(comparison), on),
        lines_of(columns_of(items) if items.lines else [], on)
        if screen is None
        else list(_drawn(comparison, regimes, screen)),
        [line for signature in _signatures(comparison) for line in folded(visible(signature), on)],
    ]
    for block in filter(None, blocks):
        yield ""
        yield from block


def _heading(comparison: Comparison) -> str:
    names = " and ".join(called(comparison))
    first = comparison.first
    return f"{first.protocol}: {names}" if _of_systems(comparison) else f"{names}: {first.system}"


def _paper(comparison: Comparison, regimes: Sequence[str], view: str) -> Iterator[str]:
    """Yield the numbers and the items that differ as tables for papers and pages."""
    blocks = [table for table in (_number_table(comparison), _item_table(comparison, regimes)) if table.lines]
    sentences, remarks = _summary(comparison), list(_remarks(comparison))
    tables = Tables(_heading(comparison), sentences, blocks, remarks, _signatures(comparison))
    return iter(rendered(view, tables).splitlines())


def _fitting(sentences: Iterable[str], screen: Screen) -> list[str]:
    """Return sentences as lines that fit a terminal; elsewhere one line each."""
    shown = [visible(sentence) for sentence in sentences]
    return [line for text in shown for line in wrapped(text, screen.width)] if screen.terminal else shown


def _number_table(comparison: Comparison) -> TextTable:
    """Return the table of numbers that differ, with the fields that identify them."""
    kinds = [kind for kind in NAMES if any(getattr(shift.first, kind) for shift in comparison.shifts)]
    lines = [[*_name_cells(shift, kinds), *_rounded(shift)] for shift in comparison.shifts]
    return TextTable([*kinds, *called(comparison), "difference"], lines, len(kinds))


def _numbers(comparison: Comparison, screen: Screen) -> list[str]:
    """Return the lines of the numbers that differ; if room is short, constant columns are dropped first."""
    if not comparison.shifts:
        return []
    columns = [
        column._replace(spare=int(column.left and len(set(column.cells)) == 1))
        for column in columns_of(_number_table(comparison))
    ]
    kept, left_out = fitted(columns, screen.width) if screen.terminal else (columns, [])
    return [*lines_of(kept, screen), *_fitting(left_out_note(left_out), screen)]


def _item_table(comparison: Comparison, regimes: Sequence[str]) -> TextTable:
    """Return the table of items that differ, a line for each entry; unit and layer are on the first line of an item."""
    head = ["unit", "layer", _kind(comparison), *table_head(regimes)[2:]]
    lines = []
    for difference in comparison.differences:
        is_first = True
        for name, entries in _by_name(comparison, difference):
            for entry in entries or (None,):
                unit, layer, *cells = table_cells(entry or difference.entries[0], regimes)
                if entry is None:
                    cells = [*[UNDEFINED] * (len(cells) - 2), _ABSENT, UNDEFINED]
                lines.append([*((unit, layer) if is_first else ("", "")), name, *cells])
                is_first = False
    return TextTable(head, lines, len(head))


def _by_name(comparison: Comparison, difference: Difference) -> Iterator[tuple[str, Sequence[Entry]]]:
    return zip(called(comparison), (difference.first, difference.second), strict=True)


def _drawn(comparison: Comparison, regimes: Sequence[str], screen: Screen) -> Iterator[str]:
    """Yield the items in context, unit by unit, with the entries of both."""
    unit = None
    for difference in comparison.differences:
        first = difference.entries[0]
        if first.unit != unit:
            unit = first.unit
            yield from [*([""] if difference is not comparison.differences[0] else []), rule(unit, "", screen)]
        for name, entries in _by_name(comparison, difference):
            yield ""
            if not entries:
                yield f"    {screen.tone('soft', visible(name))} {_ABSENT}"
            for entry in entries:
                text = comparison.texts.get(entry.unit, "")
                yield from entry_lines(entry, text, screen, regimes, about=visible(name))


def _tsv(comparison: Comparison, regimes: Sequence[str]) -> Iterator[str]:
    yield tsv_line([*NAMES, *called(comparison), "difference"])
    for shift in comparison.shifts:
        yield tsv_line([*_name_cells(shift, NAMES), *map(digits, _values(shift))])
    yield ""
    yield from map(tsv_line, _item_cells(comparison, regimes))
    for line in (*_summary(comparison), *_remarks(comparison), *_signatures(comparison)):
        yield f"# {visible(line)}"


def _csv(comparison: Comparison, regimes: Sequence[str]) -> Iterator[str]:
    """Yield only the items, because a CSV file has one table."""
    return map(csv_line, _item_cells(comparison, regimes))


def _item_cells(comparison: Comparison, regimes: Sequence[str]) -> Iterator[list[str]]:
    """Yield the cells of a table for programs, the head first: the index of the difference, its side, the entry."""
    yield ["difference", _kind(comparison), *tsv_head(regimes)]
    for position, difference in enumerate(comparison.differences, 1):
        for name, entries in _by_name(comparison, difference):
            yield from ([str(position), name, *tsv_cells(entry, regimes)] for entry in entries)


def _json(comparison: Comparison, regimes: Sequence[str]) -> Iterator[str]:
    """Yield one object, every number and item on a line of its own."""
    about, numbers, items = _objects(comparison, regimes)
    yield f"{json_line(about)[:-1]},"
    yield '"numbers": ['
    yield from joined(map(json_line, numbers))
    yield '], "items": ['
    yield from joined(map(json_line, items))
    yield "]}"


def _jsonl(comparison: Comparison, regimes: Sequence[str]) -> Iterator[str]:
    about, numbers, items = _objects(comparison, regimes)
    counts = {"numbers": len(comparison.shifts), "items": comparison.found}
    yield json_line({"kind": "comparison", **about, **counts})
    yield from (json_line({"kind": "number", **number}) for number in numbers)
    yield from (json_line({"kind": "items", **sides}) for sides in items)


def _objects(
    comparison: Comparison, regimes: Sequence[str]
) -> tuple[dict[str, Any], Iterator[dict[str, Any]], Iterator[dict[str, Any]]]:
    """Return the compared results, the numbers that differ, and the items that differ, as plain dictionaries."""
    first, second = comparison.first, comparison.second
    numbers = (
        {name: getattr(shift.first, name) for name in NAMES}
        | dict(zip(("first", "second", "difference"), _values(shift), strict=True))
        for shift in comparison.shifts
    )
    items = (
        {
            "first": [content(entry, regimes) for entry in difference.first],
            "second": [content(entry, regimes) for entry in difference.second],
        }
        for difference in comparison.differences
    )
    return {"first": _result(first, second), "second": _result(second, first)}, numbers, items


def _result(scores: Scores, other: Scores) -> dict[str, Any]:
    return {
        "protocol": scores.protocol,
        **({"system": scores.system} if scores.protocol == other.protocol else {}),
        "signature": scores.signature,
        "notes": list(scores.notes),
        "only": own_names(scores, other),
    }


def comparison_markup(comparison: Comparison) -> str:
    """Return the numbers that differ, and the notes on both, as HTML."""
    table = _number_table(comparison)
    lines = [f"<h1>{marked_up(' and '.join(called(comparison)))}</h1>"]
    lines += [f"<p>{marked_up(line)}</p>" for line in _summary(comparison)]
    if table.lines:
        heads = "".join(
            f'<th scope="col"{_NAME if column < table.left else _NUMBER}>{marked_up(head)}</th>'
            for column, head in enumerate(table.head)
        )
        lines += ['<div class="wide scroll" tabindex="0"><table>', f"<thead><tr>{heads}</tr></thead>", "<tbody>"]
        for cells in table.lines:
            keys = "".join(f'<th scope="row">{marked_up(cell)}</th>' for cell in cells[: table.left])
            values = "".join(f"<td{_NUMBER}>{marked_up(cell)}</td>" for cell in cells[table.left :])
            lines.append(f"<tr>{keys}{values}</tr>")
        lines.append("</tbody></table></div>")
    lines += [f"<p>{marked_up(line)}</p>" for line in _remarks(comparison)]
    lines += [f"<p><code>{marked_up(line)}</code></p>" for line in _signatures(comparison)]
    return "\n".join(lines) + "\n"


def _of_systems(comparison: Comparison) -> bool:
    """Return whether two systems are compared, rather than two protocols."""
    return comparison.first.protocol == comparison.second.protocol


def _kind(comparison: Comparison) -> str:
    return "system" if _of_systems(comparison) else "protocol"


def called(comparison: Comparison) -> tuple[str, str]:
    """Return the names of both sides; two systems with the same name are numbered."""
    results = comparison.first, comparison.second
    if not _of_systems(comparison):
        return results[0].protocol, results[1].protocol
    first, second = (scores.system for scores in results)
    return (first, second) if first != second else (f"{first} (1)", f"{second} (2)")


def _name_cells(shift: Shift, kinds: Sequence[str]) -> list[str]:
    return [getattr(shift.first, kind) or (ALL if kind == "slice" else "") for kind in kinds]


def _values(shift: Shift) -> tuple[float | None, float | None, float | None]:
    return shift.first.value, shift.second.value, shift.change


def _rounded(shift: Shift) -> list[str]:
    """Return both values and the difference with four decimals, or its magnitude if it would round to 0."""
    *values, change = _values(shift)
    shown = [UNDEFINED if value is None else f"{value:.4f}" for value in values]
    if change is None:
        return [*shown, UNDEFINED]
    return [*shown, f"{change:+.0e}" if abs(change) < 0.00005 else f"{change:+.4f}"]


def _summary(comparison: Comparison) -> list[str]:
    """Return sentences on what does not differ, and on what is not shown."""
    if not comparison.shifts and not comparison.found:
        return ["nothing differs: no number that both have, and no verdict"]
    lines = [] if comparison.shifts else ["no number that both have differs"]
    if not comparison.found:
        lines.append("no verdict differs")
    hidden = comparison.found - len(comparison.differences)
    return [*lines, f"{many(hidden, 'difference')} left out by the filters"] if hidden else lines


def _remarks(comparison: Comparison) -> Iterator[str]:
    """Yield what only one side has, and the notes on both."""
    results, names_of_both = (comparison.first, comparison.second), called(comparison)
    for scores, other, name in zip(results, results[::-1], names_of_both, strict=True):
        parts = [
            f"{kind}{'s' if len(names) > 1 else ''} {', '.join(names)}"
            for kind, names in own_names(scores, other).items()
        ]
        if parts:
            yield f"only {name}: {'; '.join(parts)}"
    for scores, name in zip(results, names_of_both, strict=True):
        yield from (f"note: {name}: {note}" for note in scores.notes)


def _signatures(comparison: Comparison) -> list[str]:
    return [comparison.first.signature, comparison.second.signature]


def own_names(scores: Scores, other: Scores) -> dict[str, list[str]]:
    """Return the regimes, averages, measures, layers and slices of a result that another one does not have."""
    own = {}
    for kind in NAMES:
        known = {getattr(row, kind) for row in other.rows} | {""}
        names = dict.fromkeys(name for row in scores.rows if (name := getattr(row, kind)) not in known)
        if names:
            own[kind] = list(names)
    return own
