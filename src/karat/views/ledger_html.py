"""The ledger as a page: every unit with its text, gold and system in it, and its items with their reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.drawing.pages import marked_up
from karat.drawing.units import unit_markup
from karat.errors import many
from karat.views.ledger_text import told_score

if TYPE_CHECKING:
    from collections.abc import Iterable

    from karat.drawing.placing import Shown
    from karat.scores import Row
    from karat.views.ledger_text import Telling


def ledger_markup(title: str, units: Iterable[tuple[Shown, Row | None]], telling: Telling) -> str:
    """Return the units that have items which are asked for as a piece of a page."""
    lines, items, kept = [], 0, 0
    for shown, score in units:
        asked = [entry for entry in shown.entries if telling.keeps(entry)]
        items, kept = items + len(shown.entries), kept + len(asked)
        if asked:
            lines.append(unit_markup(shown._replace(entries=asked), telling.regimes, told_score(score)))
    of_all = "" if kept == items else f" of {items}"
    about = f"{kept}{of_all} {many(items, 'item').split()[1]}. Gold is shaded; the line below is the system."
    notes = "".join(f"<p>note: {marked_up(note)}</p>\n" for note in telling.notes())
    return f"<h1>{marked_up(title)}</h1>\n<p>{about}</p>\n{''.join(lines)}{notes}"
