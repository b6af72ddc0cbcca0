"""Slices by features of items: tallies of the verdicts of a sheet by feature value, and the rows of all slices."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from karat.analysis.slices.breakdowns import Breakdown
from karat.analysis.slices.features import FEATURES, AskedItem, Forms, Nesting
from karat.analysis.slices.units import part_of
from karat.errors import UsageError
from karat.evaluation.casebook import Casebook, Verdict
from karat.evaluation.ledger import Entry, Item
from karat.evaluation.protocol import Bound, Sheet, Side
from karat.evaluation.scores import Row, ZeroRule, rows_of
from karat.evaluation.tally import Tallies, Tally
from karat.model import Span
from karat.protocols.likeness import LikenessBook, own_content

_SIDES: tuple[Side, ...] = ("gold", "system")
_MOST_KNOWN = 1 << 12
"""Size of the cache from texts to values of a feature."""
_DIGITS = re.compile(r"([0-9]+)")


def casebook_of(bound: Bound) -> Casebook | None:
    """Return the casebook of a protocol, or None if it does not count items."""
    book = bound.book.book if isinstance(bound.book, LikenessBook) else bound.book
    return book if isinstance(book, Casebook) else None


def check_features(bound: Bound, features: Iterable[Breakdown]) -> None:
    """Raise an error, with the reason, for features that a protocol does not have."""
    for feature in features:
        if casebook_of(bound) is None:
            counted = {"coreference": "links between mentions", "slots": "the answers to queries"}.get(bound.task)
            raise UsageError(
                f"{bound.name} counts {counted or 'no single items'}, so it has no slices by {feature.name}; "
                "ask for unit, document, document-length or a key of the metadata"
            )
        if feature.name == "nesting" and bound.task == "relations":
            raise UsageError(
                f"{bound.name} judges relations, which have no single span, so it has no slices by nesting"
            )


class ItemSlicer(NamedTuple):
    """Counts the verdicts on sheets by features of their items."""

    bound: Bound
    features: Sequence[Breakdown]
    gold: Forms
    seen: Forms
    notes: tuple[str, ...]
    known: dict[tuple[str, str], dict[str, str]]
    """Cached values by feature, layer and text, for features that depend only on these."""

    def __call__(self, sheet: Sheet) -> dict[str, Tally]:
        """Return the tally of a unit by the values of each feature."""
        book = casebook_of(self.bound)
        assert book is not None  # noqa: S101 - was checked when the features were asked for
        padding = (0,) * (len(self.bound.counts) - len(book.counting.counts))
        pages = own_content(sheet)
        items = {id(page): book.items(page) for page in pages}
        spans = {side: [item.span for own in items.values() for item in own[side] if item.span] for side in _SIDES}
        nestings = {side: Nesting.of(spans[side]) for side in _SIDES}
        sliced: dict[str, Tally] = {feature.name: {} for feature in self.features}
        for page in chain.from_iterable(map(book.pages, pages)):
            verdicts = list(book.verdicts(page))
            own = items.get(id(page)) or book.items(page)
            about = [_about(own, verdict) for verdict in verdicts]
            booked: dict[tuple[int, ...], Tally] = {}
            for name, tally in sliced.items():
                for value, places in _parts(self._values(name, about, page.group.layer, nestings)).items():
                    if places not in booked:  # most features divide a page in the same way, or not at all
                        booked[places] = book.counting.tally(page, [verdicts[index] for index in places])
                    for group, counts in booked[places].items():
                        tally[part_of(group, name, value)] = counts + padding
        return sliced

    def asking(self, entries: Iterable[Entry]) -> Callable[[Entry], dict[str, str]]:
        """Return a function from a ledger entry to the features of its item; it needs the whole ledger for nesting."""
        spans: dict[tuple[str, Side], list[Span]] = {}
        for entry in entries:
            for side in _SIDES:
                item: Item | None = getattr(entry, side)
                if item is not None:
                    spans.setdefault((entry.unit, side), []).extend(() if item.span is None else (item.span,))
        nestings = {unit_and_side: Nesting.of(own) for unit_and_side, own in spans.items()}

        def features(entry: Entry) -> dict[str, str]:
            side: Side = "gold" if entry.gold else "system"
            item = entry.gold or entry.system
            if item is None:
                return {}
            asked = AskedItem(item, entry.layer, self.gold, self.seen, nestings[entry.unit, side])
            return {feature.name: FEATURES[feature.name].value(asked) for feature in self.features}

        return features

    def _values(
        self, name: str, about: Sequence[tuple[Side, Item]], layer: str, nestings: dict[Side, Nesting]
    ) -> list[str]:
        """Return the value of a feature for each item, cached by form where possible."""
        value, of_form = FEATURES[name].value, FEATURES[name].of_form
        known, values = self.known.setdefault((name, layer), {}), []
        for side, item in about:
            told = known.get(item.text) if of_form else None
            if told is None:
                told = value(AskedItem(item, layer, self.gold, self.seen, nestings[side]))
                if of_form and len(known) < _MOST_KNOWN:
                    known[item.text] = told
            values.append(told)
        return values


def _about(items: dict[Side, list[Item]], verdict: Verdict) -> tuple[Side, Item]:
    """Return the item that a verdict is counted on, the gold one if there is one, and its side."""
    if verdict.gold is not None:
        return "gold", items["gold"][verdict.gold]
    return "system", items["system"][verdict.system or 0]


def _parts(values: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """Return the indices of each value."""
    if len(set(values)) == 1:
        return {values[0]: tuple(range(len(values)))}
    parts: dict[str, list[int]] = {}
    for index, value in enumerate(values):
        parts.setdefault(value, []).append(index)
    return {value: tuple(places) for value, places in parts.items()}


def forms_in(bound: Bound, sheets: Iterable[Sheet]) -> Forms:
    """Return the forms of the gold items of sheets; groups with a slice are skipped, since they repeat items."""
    book = casebook_of(bound)
    assert book is not None  # noqa: S101 - was checked when the features were asked for
    forms = Forms()
    for sheet in sheets:
        for page in own_content(sheet):
            if not page.group.slice:
                forms.add(page.group.layer, (book.item(page, "gold", index) for index in range(len(page.gold))))
    return forms


def slice_rows(bound: Bound, sliced: Tallies, breakdown: Breakdown, zero: ZeroRule) -> tuple[Row, ...]:
    """Return the rows of the slices of one breakdown; slices of items have no rows for token counts."""
    rows = rows_of(bound, sliced, zero=zero)
    layers = {row.layer: index for index, row in reversed(list(enumerate(rows)))}
    book = casebook_of(bound) if breakdown.of_items else None
    of_tokens = _measures_beside(book) if book is not None else ()
    prefix = f"{breakdown.name}="
    kept = [row for row in rows if row.slice.startswith(prefix) and row.measure not in of_tokens]
    return tuple(sorted(kept, key=lambda row: (layers[row.layer], _order(breakdown, row.slice.removeprefix(prefix)))))


def _measures_beside(book: Casebook) -> set[str]:
    """Return the measures of what is counted beside verdicts."""
    return {figure.measure for figure in book.figures if book.also.keys() >= set(figure.formula.counts)}


def _order(breakdown: Breakdown, part: str) -> tuple[object, ...]:
    """Return the sort key of a slice: the index of its value, or else the numbers and words in its name."""
    if breakdown.of_items:
        value, _, rest = part.partition(" ")
        return FEATURES[breakdown.name].values.index(value), rest
    return tuple((not piece.isdigit(), int(piece) if piece.isdigit() else 0, piece) for piece in _DIGITS.split(part))
