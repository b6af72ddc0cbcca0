"""All protocols of a task side by side, as text: their numbers, references, failures and disagreements."""

from __future__ import annotations

from functools import partial
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from karat.display.drawing.pages import page
from karat.display.views import writable
from karat.display.views._columns import ScreenColumn, fitted, folded, left_out_note, lines_of, room_of
from karat.display.views._pictures import LEAST_ROOM, MOST_ROOM, bar, bar_axis
from karat.display.views.numbers import three
from karat.display.views.papers import Tables, TextTable, rendered, tables_markup
from karat.display.views.values import csv_of, json_of, jsonl_of, tsv_of
from karat.errors import many, unknown
from karat.io.terminal import Screen, clipped, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from karat.analysis.families import Divergence, Family, Member, RegimeNumbers
    from karat.evaluation.ledger import Item

WIDTH = 80
"""The width of the table without a terminal."""
_WIDEST = 120
"""The largest width of sentences, because longer lines are hard to read."""
MOST = 8
"""The largest number of divergences in the views for people."""
_LONGEST = 28
"""The width of the text of an item in an example."""
_HEAD = ("number", "P", "R", "F1")
_COLUMNS = (
    *("task", "system", "number", "protocol", "layer", "regime", "average", "precision", "recall", "f1"),
    *("paper", "reference", "signature"),
)
_WORDS = {"right": "right for", "partly": "partly for", "wrong": "wrong for", "unjudged": "not judged by"}


def render_family(view: str, families: Sequence[Family], screen: Screen = Screen(WIDTH)) -> str:  # noqa: B008
    """Return some families as text that ends with a line end; an unknown view is an error with suggestions."""
    if view not in _VIEWS:
        raise unknown("view", view, _VIEWS)
    return writable(_VIEWS[view](families, screen))


def _table(families: Sequence[Family], screen: Screen) -> str:
    shown = screen if screen.terminal else screen._replace(width=WIDTH)
    return "\n".join("\n".join(_lines(family, shown)) + "\n" for family in families)


def _lines(family: Family, screen: Screen) -> Iterator[str]:
    heading = visible(_heading(family))
    yield screen.tone("strong", clipped(heading, screen.width) if screen.terminal else heading)
    yield from _folded(_summary(family), screen)
    yield ""
    kept, left_out = fitted(_columns(family, screen), screen.width)
    yield from lines_of(kept, screen)
    yield from left_out_note(left_out)
    yield ""
    for line in (*_published(family), *_unable(family), *_notes(family)):
        yield from _folded(line, screen, indent="  ")
    yield ""
    yield from _disagreements(family, screen)
    yield ""
    yield from (screen.tone("soft", line) for line in folded(visible(family.signature), screen))


def _heading(family: Family) -> str:
    judging = sum(bool(member.figures) for member in family.members)
    share = f"{judging} of " if judging < len(family.members) else ""
    return f"{family.task}: {family.system}, by {share}{many(len(family.members), 'protocol')}"


def _columns(family: Family, screen: Screen) -> list[ScreenColumn]:
    """Return the columns of the numbers of all protocols, with bars of F1 if there is room."""
    lines = [[figure.name, *_rounded(figure)] for figure in family.figures]
    cells = list(zip(*lines, strict=True)) or [()] * len(_HEAD)
    columns = [ScreenColumn(head, own, left=head == _HEAD[0]) for head, own in zip(_HEAD, cells, strict=True)]
    room = screen.width - room_of(columns) - 2
    if screen.terminal and room >= LEAST_ROOM:
        room = min(room, MOST_ROOM)
        bars = [bar(figure.f1, room) for figure in family.figures]
        columns.append(ScreenColumn(bar_axis(room), bars, left=True, spare=1, drawn=True))
    return columns


def _disagreements(family: Family, screen: Screen) -> Iterator[str]:
    yield from _folded(_disagreement(family), screen)
    for divergence in family.divergences[:MOST]:
        yield ""
        start = f"{divergence.items:>5}  "
        for line in _standings(divergence, family):
            yield from _folded(line, screen, start=start, indent=" " * 11)
            start = " " * 7
        yield from _folded(f"e.g. {_example(divergence)}", screen, start=start, indent=" " * 11)
    hidden = family.divergences[MOST:]
    if hidden:
        yield ""
        yield f"{sum(rest.items for rest in hidden):>5}  in {many(len(hidden), 'other way')}"


def _summary(family: Family) -> str:
    """Return a sentence on the range of F1."""
    defined = [figure for figure in family.figures if figure.f1 is not None]
    if not defined:
        return "F1 is undefined under all of them"
    low, high = (extreme(defined, key=lambda figure: figure.f1 or 0.0) for extreme in (min, max))
    lowest, highest = three(low.f1), three(high.f1)
    if lowest == highest:
        return f"F1 is {lowest} under all of them"
    return f"F1 ranges from {lowest} ({low.name}) to {highest} ({high.name})"


def _published(family: Family) -> Iterator[str]:
    """Yield the title, paper and reference of each protocol with numbers."""
    for member in family.members:
        if member.figures:
            yield f"{member.name}: {'; '.join(filter(None, (member.title, member.paper, member.reference)))}"


def _disagreement(family: Family) -> str:
    if not family.items:
        return "none of them judges items one by one"
    differing = sum(divergence.items for divergence in family.divergences)
    partly_judged = f"; {family.partly_judged} are judged by some only" if family.partly_judged else ""
    items = f"{many(family.items, 'item')} of gold and system"
    if not differing:
        return f"they agree on {items}{partly_judged}"
    return f"they disagree on {differing} of {items}{partly_judged}:"


def _unable(family: Family) -> Iterator[str]:
    """Yield the protocols without numbers, grouped by reason."""
    names: dict[str, list[str]] = {}
    for member in family.members:
        if member.why:
            names.setdefault(member.why, []).append(member.name)
    yield from (f"{', '.join(several)} cannot judge this: {why}" for why, several in names.items())


def _notes(family: Family) -> Iterator[str]:
    """Yield the notes of the protocols with numbers, each once."""
    names: dict[str, list[str]] = {}
    for member in family.members:
        for note in member.notes if member.figures else ():
            names.setdefault(note, []).append(member.name)
    yield from (f"note: {' '.join(note.split())} ({', '.join(several)})" for note, several in names.items())


def _standings(divergence: Divergence, family: Family) -> Iterator[str]:
    """Yield the numbers by standing of the items; the longest list is called "the others"."""
    named = {standing: _grouped(divergence, standing, family) for standing in _WORDS}
    longest = max(named, key=lambda standing: len(named[standing]))
    for standing, words in _WORDS.items():
        if names := named[standing]:
            yield f"{words} {'the others' if standing == longest and len(names) > 1 else ', '.join(names)}"


def _grouped(divergence: Divergence, standing: str, family: Family) -> list[str]:
    """Return the names of the numbers with a standing; a protocol whose numbers all have it is named once."""
    names = []
    for member in family.members:
        judging = [figure.name for figure in member.figures if figure.name in divergence.standings]
        having = [name for name in judging if divergence.standings[name] == standing]
        names += [member.name] if having and having == judging else having
    return names


def _example(divergence: Divergence) -> str:
    """Return an example item with its partner and a reason."""
    entry = divergence.example
    sides = {"gold": entry.gold, "system": entry.system}
    said = ", ".join(f"{side} {_item(item)}" for side, item in sides.items() if item is not None)
    return f"{entry.unit}: {said} ({entry.reason})"


def _item(item: Item) -> str:
    text = repr(clipped(item.text, _LONGEST))
    return f"{item.label} {text}" if item.label else text


def _folded(text: str, screen: Screen, *, start: str = "", indent: str = "") -> list[str]:
    width = min(screen.width, _WIDEST)
    return wrap(visible(text), width, initial_indent=start, subsequent_indent=indent, break_on_hyphens=False) or [""]


def _rounded(figure: RegimeNumbers) -> list[str]:
    return list(map(three, (figure.precision, figure.recall, figure.f1)))


def _tsv(families: Sequence[Family]) -> str:
    remarks = (line for family in families for line in (*_remarks(family), family.signature))
    return tsv_of([_COLUMNS, *_cells(families)], remarks)


def _cells(families: Sequence[Family]) -> Iterator[list[str | float | None]]:
    for family in families:
        for member, figure in _pairs(family):
            names = (figure.name, figure.protocol, figure.layer, figure.regime, figure.average)
            numbers = (figure.precision, figure.recall, figure.f1)
            yield [family.task, family.system, *names, *numbers, member.paper, member.reference, member.signature]


def _remarks(family: Family) -> Iterator[str]:
    """Yield the failures, the notes and every divergence, each as a line."""
    yield from (*_unable(family), *_notes(family))
    for divergence in family.divergences:
        standings = "; ".join(_standings(divergence, family))
        yield f"{many(divergence.items, 'item')}: {standings}; e.g. {_example(divergence)}"


def _objects(families: Sequence[Family]) -> Iterator[dict[str, Any]]:
    """Yield every protocol and every divergence as plain dictionaries."""
    for family in families:
        shared = {"task": family.task, "system": family.system}
        content = family.to_dict()
        for kind, several in (("protocol", content["members"]), ("divergence", content["divergences"])):
            yield from ({"kind": kind, **shared, **line} for line in several)


def _pairs(family: Family) -> Iterator[tuple[Member, RegimeNumbers]]:
    return ((member, figure) for member in family.members for figure in member.figures)


def _paper(view: str, families: Sequence[Family], _: Screen) -> str:
    return "\n".join(rendered(view, _tables(family)) for family in families)


def markup(families: Sequence[Family]) -> str:
    """Return families as HTML."""
    return "".join(tables_markup(_tables(family)) for family in families)


def _tables(family: Family) -> Tables:
    lines = [[figure.name, member.paper or member.reference, *_rounded(figure)] for member, figure in _pairs(family)]
    block = TextTable([_HEAD[0], "published in", *_HEAD[1:]], lines, 2)
    remarks = [*_published(family), *_remarks(family)]
    return Tables(_heading(family), [_summary(family)], [block], remarks, [family.signature])


_VIEWS: dict[str, Callable[[Sequence[Family], Screen], str]] = {
    "table": _table,
    "tsv": lambda families, _: _tsv(families),
    "csv": lambda families, _: csv_of([_COLUMNS, *_cells(families)]),
    "json": lambda families, _: json_of({"families": [family.to_dict() for family in families]}),
    "jsonl": lambda families, _: jsonl_of(_objects(families)),
    "markdown": partial(_paper, "markdown"),
    "latex": partial(_paper, "latex"),
    "html": lambda families, _: page(families[0].task if families else "protocols", markup(families)),
}
