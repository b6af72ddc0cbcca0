"""The ledger with items in context: for a terminal by document or by case, and as HTML by unit."""

from __future__ import annotations

from collections import Counter
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from karat.display.drawing.lines import entry_lines, line_of
from karat.display.drawing.marks import LEGEND, entry_mark
from karat.display.drawing.pages import marked_up
from karat.display.drawing.units import unit_markup
from karat.display.views.numbers import short, three
from karat.errors import many
from karat.io.terminal import Screen, clipped, visible, width, wrapped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from karat.display.drawing.offsets import Shown
    from karat.evaluation.ledger import Entry
    from karat.evaluation.scores import Row

_MEASURED = 50
"""The number of units that determine whether layers are shown."""
_FOOT = "--view table for all columns"


class LedgerTextOptions(NamedTuple):
    """How items are shown: the regimes, the name of the system, the filter of entries, the grouping, and the notes."""

    regimes: Sequence[str]
    system: str
    keeps: Callable[[Entry], bool] = bool
    by: str = "document"
    notes: Callable[[], Sequence[str]] = tuple


def render_text(
    ledgers: Iterable[tuple[Shown, Row | None]], options: LedgerTextOptions, screen: Screen
) -> Iterator[str]:
    """Yield the lines of the ledger, unit by unit with its score, or case by case; without line ends."""
    stream = iter(ledgers)
    first = list(islice(stream, _MEASURED))
    layers = {(entry.layer, entry.slice) for shown, _ in first for entry in shown.entries}
    counted: Counter[str] = Counter()
    units = chain(first, stream)
    groups = _by_case(units, options, counted) if options.by == "case" else _by_unit(units, options, counted)
    for title, beside, items in groups:
        yield rule(title, beside, screen)
        for text, entry, place in items:
            about = [f"{entry.layer} {entry.slice}".strip()] if len(layers) > 1 else []
            about += [place] if place else []
            yield ""
            yield from entry_lines(entry, text, screen, options.regimes, about=visible(", ".join(filter(None, about))))
        yield ""
    yield from _foot(counted, options, screen)


_Group = tuple[str, str, "Sequence[tuple[str, Entry, str]]"]


def _by_unit(
    units: Iterable[tuple[Shown, Row | None]], options: LedgerTextOptions, counted: Counter[str]
) -> Iterator[_Group]:
    for shown, score in units:
        kept = _kept(shown, options, counted)
        if kept:
            yield shown.unit, _told_score(score), [(shown.text, entry, "") for entry in kept]


def _by_case(
    units: Iterable[tuple[Shown, Row | None]], options: LedgerTextOptions, counted: Counter[str]
) -> Iterator[_Group]:
    cases: dict[str, list[tuple[str, Entry, str]]] = {}
    for shown, _ in units:
        for entry in _kept(shown, options, counted):
            cases.setdefault(entry.case, []).append((shown.text, entry, shown.unit))
    for case, items in sorted(cases.items(), key=lambda group: -len(group[1])):
        yield case, many(len(items), "item"), items


def _kept(shown: Shown, options: LedgerTextOptions, counted: Counter[str]) -> list[Entry]:
    kept = [entry for entry in shown.entries if options.keeps(entry)]
    counted["all"] += len(shown.entries)
    counted["shown"] += len(kept)
    for entry in kept:
        counted[f"line {entry_mark(entry, options.regimes).line}"] += 1
    return kept


def _told_score(row: Row | None) -> str:
    if row is None:
        return ""
    return " ".join(filter(None, (row.regime, short(row.measure), three(row.value))))


def rule(title: str, beside: str, screen: Screen) -> str:
    """Return the first line of a group."""
    name = clipped(visible(title), screen.width - width(beside) - 8)
    rule = screen.drawn("─" * (screen.width - width(name) - width(beside) - (2 if beside else 1)))
    return f"{screen.tone('strong', name)} {screen.tone('soft', f'{rule} {beside}'.rstrip())}"


def _foot(counted: Counter[str], options: LedgerTextOptions, screen: Screen) -> Iterator[str]:
    """Yield the number of shown items, the legend of the line styles, and the notes."""
    samples = [("▔", "gold")] + [(line_of(kind, 3), word) for kind, word in LEGEND.items() if counted[f"line {kind}"]]
    parts = [f"{screen.drawn(sample)} {word}" for sample, word in samples] if counted["shown"] else []
    line = f"{_counted(counted['shown'], counted['all'])}, {clipped(visible(options.system), 40)}."
    for part in (*parts, _FOOT):
        if width(line) + 2 + width(part) > screen.width:
            yield line
            line = part
        else:
            line += f"  {part}"
    yield line
    notes = [line for note in options.notes() for line in wrapped(visible(f"note: {note}"), screen.width)]
    yield from ["", *notes] if notes else []


def _counted(shown: int, items: int) -> str:
    return f"{shown}{'' if shown == items else f' of {items}'} {many(items, 'item').split()[1]}"


def ledger_markup(title: str, units: Iterable[tuple[Shown, Row | None]], options: LedgerTextOptions) -> str:
    """Return the units with items that pass the filter, as HTML."""
    lines, items, kept = [], 0, 0
    for shown, score in units:
        asked = [entry for entry in shown.entries if options.keeps(entry)]
        items, kept = items + len(shown.entries), kept + len(asked)
        if asked:
            lines.append(unit_markup(shown._replace(entries=asked), options.regimes, _told_score(score)))
    about = f"{_counted(kept, items)}. Gold is shaded; the line below is the system."
    notes = "".join(f"<p>note: {marked_up(note)}</p>\n" for note in options.notes())
    return f"<h1>{marked_up(title)}</h1>\n<p>{about}</p>\n{''.join(lines)}{notes}"
