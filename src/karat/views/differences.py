"""Two protocols or two systems side by side: numbers that differ, what was left out, and entries that differ."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from karat.differences import NAMES, own_names
from karat.drawing.lines import entry_lines
from karat.drawing.pages import marked_up
from karat.errors import many, unknown
from karat.terminal import Screen, aligned, visible, widths, wrapped
from karat.views._columns import ScreenColumn, fitted, folded, left_out_note, lines_of
from karat.views._grid import ALL
from karat.views.ledger import content, joined, json_line, table_cells, table_head, tsv_cells, tsv_head
from karat.views.ledger_text import rule
from karat.views.numbers import UNDEFINED, digits
from karat.views.papers import Tables, TextTable, rendered
from karat.views.values import csv_line, tsv_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from karat.differences import Comparison, Difference, Shift
    from karat.scores import Scores
    from karat.views.ledger import LedgerView

_NAME, _NUMBER = ' class="text"', ' class="n"'
_ABSENT = "has no such entry"


def render_comparison(
    comparison: Comparison,
    view: LedgerView | Literal["text"] = "table",
    *,
    regimes: Sequence[str],
    screen: Screen = Screen(),  # noqa: B008 - it cannot change
) -> Iterator[str]:
    """Yield the lines of a comparison, without line ends, with the verdicts of these regimes as far as there are any.

    >>> from karat.differences import Comparison
    >>> from karat.scores import Scores
    >>> from karat.tally import Tallies
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
    """Yield the numbers and items that differ: in columns or, where there is a screen, items in their words."""
    names = called(comparison)
    on = screen or Screen()
    yield from _fitting([_heading(comparison)], on)
    blocks = [
        _fitting(_summary(comparison), on),
        _numbers(comparison, names, on),
        _fitting(_remarks(comparison), on),
        _block(*_items(comparison, names, regimes))
        if screen is None
        else list(_drawn(comparison, names, regimes, screen)),
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
    """Yield the numbers and the items that differ as tables for people that are no screen's."""
    names = called(comparison)
    kinds = _kinds(comparison)
    numbers = [[*_name_cells(shift, kinds), *_rounded(shift)] for shift in comparison.shifts]
    head, items = _items(comparison, names, regimes)
    blocks = [TextTable([*kinds, *names, "difference"], numbers, len(kinds))] if numbers else []
    blocks += [TextTable(head, items, len(head))] if items else []
    sentences, remarks = _summary(comparison), list(_remarks(comparison))
    tables = Tables(_heading(comparison), sentences, blocks, remarks, _signatures(comparison))
    return iter(rendered(view, tables).splitlines())


def _fitting(sentences: Iterable[str], screen: Screen) -> list[str]:
    """Return sentences in lines that fit on a terminal; elsewhere each is a line."""
    shown = [visible(sentence) for sentence in sentences]
    return [line for text in shown for line in wrapped(text, screen.width)] if screen.terminal else shown


def _numbers(comparison: Comparison, names: Sequence[str], screen: Screen) -> list[str]:
    """Return the numbers that differ; on a terminal what is the same for all of them goes first where room lacks."""
    if not comparison.shifts:
        return []
    kinds = _kinds(comparison)
    heads = (*kinds, *names, "difference")
    lines = [[*_name_cells(shift, kinds), *_rounded(shift)] for shift in comparison.shifts]
    columns = [
        ScreenColumn(head, cells, left=place < len(kinds), spare=int(place < len(kinds) and len(set(cells)) == 1))
        for place, (head, cells) in enumerate(zip(heads, zip(*lines, strict=True), strict=True))
    ]
    kept, left_out = fitted(columns, screen.width) if screen.terminal else (columns, [])
    return [*lines_of(kept, screen), *_fitting(left_out_note(left_out), screen)]


def _items(comparison: Comparison, names: Sequence[str], regimes: Sequence[str]) -> tuple[list[str], list[list[str]]]:
    """Return the head and the lines of the table of items."""
    head = ["unit", "layer", _kind(comparison), *table_head(regimes)[2:]]
    lines = (line for difference in comparison.differences for line in _difference_cells(difference, names, regimes))
    return head, list(lines)


def _drawn(comparison: Comparison, names: Sequence[str], regimes: Sequence[str], screen: Screen) -> Iterator[str]:
    """Yield the items in the words around them, unit by unit, each as both have judged it."""
    unit = None
    for difference in comparison.differences:
        first = difference.entries[0]
        if first.unit != unit:
            unit = first.unit
            yield from [*([""] if difference is not comparison.differences[0] else []), rule(unit, "", screen)]
        for name, entries in zip(names, (difference.first, difference.second), strict=True):
            yield ""
            if not entries:
                yield f"    {screen.tone('soft', visible(name))} {_ABSENT}"
            for entry in entries:
                text = comparison.texts.get(entry.unit, "")
                yield from entry_lines(entry, text, screen, regimes, about=visible(name))


def _block(head: list[str], lines: Sequence[list[str]]) -> list[str]:
    """Align the lines under the head; without lines there is no head either."""
    if not lines:
        return []
    shown = [[visible(cell) for cell in line] for line in (head, *lines)]
    columns = widths(shown)
    shown.insert(1, ["-" * room for room in columns])
    return [aligned(line, columns, left=len(head)) for line in shown]


def _difference_cells(difference: Difference, names: Sequence[str], regimes: Sequence[str]) -> Iterator[list[str]]:
    """Yield a line for each entry; unit and layer stand on the first."""
    first = True
    for name, entries in zip(names, (difference.first, difference.second), strict=True):
        for entry in entries or (None,):
            unit, layer, *cells = table_cells(entry or difference.entries[0], regimes)
            if entry is None:
                cells = [*[UNDEFINED] * (len(cells) - 2), _ABSENT, UNDEFINED]
            yield [*((unit, layer) if first else ("", "")), name, *cells]
            first = False


def _tsv(comparison: Comparison, regimes: Sequence[str]) -> Iterator[str]:
    names = called(comparison)
    yield tsv_line([*NAMES, *names, "difference"])
    for shift in comparison.shifts:
        yield tsv_line([*_name_cells(shift, NAMES), *map(digits, _values(shift))])
    yield ""
    yield from map(tsv_line, _item_cells(comparison, regimes))
    for line in (*_summary(comparison), *_remarks(comparison), *_signatures(comparison)):
        yield f"# {visible(line)}"


def _csv(comparison: Comparison, regimes: Sequence[str]) -> Iterator[str]:
    """Yield the items alone: a file of values is one table."""
    return map(csv_line, _item_cells(comparison, regimes))


def _item_cells(comparison: Comparison, regimes: Sequence[str]) -> Iterator[list[str]]:
    """Yield the cells of a table for programs, the head first: what differs by its number, and whose entry it is."""
    yield ["difference", _kind(comparison), *tsv_head(regimes)]
    names = called(comparison)
    for position, difference in enumerate(comparison.differences, 1):
        for name, entries in zip(names, (difference.first, difference.second), strict=True):
            for entry in entries:
                yield [str(position), name, *tsv_cells(entry, regimes)]


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
    """Return what is compared, the numbers that differ, and the items that do, as plain dictionaries."""
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
    """Return the numbers that differ, and what is said of both, as a piece of a page."""
    names = called(comparison)
    kinds = _kinds(comparison)
    lines = [f"<h1>{marked_up(' and '.join(names))}</h1>"]
    lines += [f"<p>{marked_up(line)}</p>" for line in _summary(comparison)]
    if comparison.shifts:
        heads = "".join(
            f'<th scope="col"{_NAME if place < len(kinds) else _NUMBER}>{marked_up(head)}</th>'
            for place, head in enumerate((*kinds, *names, "difference"))
        )
        lines += ['<div class="wide scroll" tabindex="0"><table>', f"<thead><tr>{heads}</tr></thead>", "<tbody>"]
        for shift in comparison.shifts:
            keys = "".join(f'<th scope="row">{marked_up(cell)}</th>' for cell in _name_cells(shift, kinds))
            values = "".join(f"<td{_NUMBER}>{marked_up(cell)}</td>" for cell in _rounded(shift))
            lines.append(f"<tr>{keys}{values}</tr>")
        lines.append("</tbody></table></div>")
    lines += [f"<p>{marked_up(line)}</p>" for line in _remarks(comparison)]
    lines += [f"<p><code>{marked_up(line)}</code></p>" for line in _signatures(comparison)]
    return "\n".join(lines) + "\n"


def _kinds(comparison: Comparison) -> list[str]:
    """Return what tells the numbers that differ from each other."""
    return [kind for kind in NAMES if any(getattr(shift.first, kind) for shift in comparison.shifts)]


def _of_systems(comparison: Comparison) -> bool:
    """Say whether two systems are compared, by one protocol."""
    return comparison.first.protocol == comparison.second.protocol


def _kind(comparison: Comparison) -> str:
    return "system" if _of_systems(comparison) else "protocol"


def called(comparison: Comparison) -> tuple[str, str]:
    """Return what the two are called: two systems by their names, which may be the same."""
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
    """Return both values and the difference with four decimals, or its magnitude if it would vanish behind them."""
    *values, change = _values(shift)
    shown = [UNDEFINED if value is None else f"{value:.4f}" for value in values]
    if change is None:
        return [*shown, UNDEFINED]
    return [*shown, f"{change:+.0e}" if abs(change) < 0.00005 else f"{change:+.4f}"]


def _summary(comparison: Comparison) -> list[str]:
    """Say what does not differ, and what is not shown."""
    if not comparison.shifts and not comparison.found:
        return ["nothing differs: no number that both have, and no verdict"]
    lines = [] if comparison.shifts else ["no number that both have differs"]
    if not comparison.found:
        lines.append("no verdict differs")
    hidden = comparison.found - len(comparison.differences)
    return [*lines, f"{many(hidden, 'difference')} left out by the filters"] if hidden else lines


def _remarks(comparison: Comparison) -> Iterator[str]:
    """Yield what only one of the two has, and the notes on both."""
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
