"""A unit as HTML: its text with gold and system marked, and a table of its items with reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from karat.display.drawing.marks import SIGNS, TONES, entry_mark
from karat.display.drawing.pages import marked_up
from karat.display.drawing.text_markup import DrawnItem, set_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from karat.display.drawing.offsets import Shown
    from karat.evaluation.ledger import Entry, Item

_MOST_REGIMES = 3
"""The largest number of regimes that are shown one by one if all have the same verdict."""
_HEAD = ("mark", "case", "gold", "system", "verdict", "reason")


def unit_markup(shown: Shown, regimes: Sequence[str], score: str = "") -> str:
    """Return a unit: its name with its score, its text, its wrong items and, collapsed, the right ones."""
    lines = [f'<h2>{marked_up(shown.unit)}<span class="quiet">{marked_up(score)}</span></h2>']
    if shown.text and any(item.ends for entry in shown.entries for item in (entry.gold, entry.system) if item):
        lines.append(set_text(shown.text, _golds(shown.entries), [_rails(shown.entries, regimes)]))
    wrong = [entry for entry in shown.entries if set(entry.verdicts.values()) != {"correct"}]
    if wrong:
        lines.append(_table(wrong, regimes))
    if len(wrong) < len(shown.entries):
        right = [entry for entry in shown.entries if entry not in wrong]
        lines.append(f"<details><summary>{len(right)} right</summary>\n{_table(right, regimes)}</details>")
    return "\n".join(lines) + "\n"


def _golds(entries: Sequence[Entry]) -> list[DrawnItem]:
    """Return the gold items in the text, each once: mentions with labels, and the ends of relations."""
    drawn: dict[Any, DrawnItem] = {}
    for gold in (entry.gold for entry in entries if entry.gold is not None):
        label = labels(gold) if len(gold.ends) == 1 else ""
        drawn |= {(spans, label): DrawnItem(spans, label, "") for spans in gold.ends if spans}
    return list(drawn.values())


def _rails(entries: Sequence[Entry], regimes: Sequence[str]) -> Iterator[DrawnItem]:
    for entry in entries:
        item = entry.system or entry.gold
        if item is None or len(item.ends) != 1 or entry.layer == "chains":
            continue  # a relation is shown below the text, and a chain by its mentions
        line, letter, tone = entry_mark(entry, regimes)
        is_other = entry.system is not None and (entry.gold is None or labels(entry.system) != labels(entry.gold))
        label = labels(entry.system) if entry.system is not None and is_other else ""
        yield DrawnItem(item.ends[0], label, spoken(entry, regimes), line, letter, tone)


def labels(item: Item) -> str:
    """Return the label of an item, and its alternatives."""
    return "|".join(filter(None, (item.label, *item.alternatives)))


def spoken(entry: Entry, regimes: Sequence[str]) -> str:
    """Return an entry as a sentence, for screen readers."""
    item = entry.gold or entry.system
    words = [item.text if item else "", f"gold {labels(entry.gold)}" if entry.gold else "not in the gold"]
    words.append(f"system {labels(entry.system)}" if entry.system else "not in the system")
    judged = [f"{entry.verdicts[regime]} under {regime}" for regime in regimes if regime in entry.verdicts]
    return f"{', '.join(words)}: {', '.join([entry.case, *judged])}. {entry.reason}"


def _table(entries: Sequence[Entry], regimes: Sequence[str]) -> str:
    head = "".join(f'<th scope="col" class="text">{name}</th>' for name in _HEAD)
    body = "\n".join(_row(entry, regimes) for entry in entries)
    table = f'<table class="items"><thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table>'
    return f'<div class="wide" tabindex="0">{table}</div>\n'


def _row(entry: Entry, regimes: Sequence[str]) -> str:
    mark = entry_mark(entry, regimes)
    cells = [
        f'<td><span class="badge {mark.tone}" aria-hidden="true">{marked_up(mark.letter)}</span></td>',
        f'<th scope="row">{marked_up(entry.case)}</th>',
        f'<td class="why">{_item(entry.gold, gold=True)}</td>',
        f'<td class="why">{_item(entry.system)}</td>',
        f'<td class="text">{_verdicts(entry, regimes)}</td>',
        f'<td class="why">{marked_up(entry.reason)}{_place(entry)}</td>',
    ]
    return f"<tr>{''.join(cells)}</tr>"


def _verdicts(entry: Entry, regimes: Sequence[str]) -> str:
    """Return the outcome under each regime, or one for all of many."""
    judged = [(regime, entry.verdicts[regime]) for regime in regimes if regime in entry.verdicts]
    if len(judged) > _MOST_REGIMES and len({outcome for _, outcome in judged}) == 1:
        judged = [(f"all {len(judged)} regimes", judged[0][1])]
    return "<br>".join(
        f'{marked_up(regime)} <span class="{TONES[outcome]}">{SIGNS[outcome]} {outcome}</span>'
        for regime, outcome in judged
    )


def _item(item: Item | None, *, gold: bool = False) -> str:
    if item is None:
        return '<span class="quiet">–</span>'
    words = f"<bdi>{marked_up(item.text)}</bdi>"
    marked = f"<mark>{words}</mark>" if gold else words
    return f'<span class="item">{marked}</span> <span class="label">{marked_up(labels(item))}</span>'


def _place(entry: Entry) -> str:
    item = entry.gold or entry.system
    return f" <code>{marked_up(item.place)}</code>" if item and item.place else ""
