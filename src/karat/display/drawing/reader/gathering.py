"""What the reader shows: every unit with its text and its items, each with what became of it under every system.

The ledgers of all systems are brought together: a gold item stands once, beside the verdicts of all systems on it, and
a system item without a partner stands once for all systems that have it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from karat.display.drawing.placing import offsets_of, origin_of, placed
from karat.vocabularies.coldstart.query_ids import base, follow_up_digits

if TYPE_CHECKING:
    from karat.evaluation.evaluation import UnitLedger, Witness
    from karat.evaluation.ledger import Entry, Item, Outcome, Spans
    from karat.model import Document, Mention

    _Name = str | tuple[str, tuple[Spans, ...]]
    """An item by its place in a file, or by its label and where it stands."""


class ItemVerdicts(msgspec.Struct, frozen=True):
    """What a ledger of a system says of an item: case, verdicts and reason, and the system's item if there is one.

    ``source`` is the place that justifies the item, where a system says so, ``answer`` such an item as it was read, and
    ``leads`` the query that it leads to.
    """

    case: str
    verdicts: dict[str, Outcome]
    reason: str
    item: Item | None
    source: str = ""
    answer: str = ""
    leads: str = ""


class ReaderRow(msgspec.Struct):
    """A gold item, or a system item without one, and what the ledgers say of it, by the number of the system."""

    layer: str
    slice: str
    label: str
    gold: Item | None
    judged: dict[int, list[ItemVerdicts]] = {}
    answer: str = ""


class ReaderUnit(msgspec.Struct):
    """A unit with the text of its document, if there is one, and its rows in the order of the ledgers.

    ``title`` is what people call it, if that is not its name.
    """

    name: str
    document: str
    text: str
    rows: list[ReaderRow]
    title: str = ""


class AnnotationOrigin(NamedTuple):
    """What a document says of an item beyond the ledger: how sure a system is of it, and what it rests on.

    ``source`` is the place that justifies an answer, ``answer`` the annotation as it was read, as JSON, and ``leads``
    the query that follows from it at the next hop.
    """

    score: float | None = None
    source: str = ""
    answer: str = ""
    leads: str = ""


_UNKNOWN = AnnotationOrigin()


def origins_in(document: Document) -> dict[_Name, AnnotationOrigin]:
    """Return the annotations of a document that have a score or a source, under each of their names.

    >>> from karat.evaluation.ledger import Item
    >>> from karat.model import Document, Mention
    >>> bern = Mention("T1", ((0, 4),), ("LOC",), attributes={"score": "0.8"})
    >>> origin_of_item(Item("LOC", "Bern", (0, 1), ends=(((0, 4),),)), origins_in(Document("d", "Bern", [bern])))
    AnnotationOrigin(score=0.8, source='', answer='', leads='')
    """
    known: dict[_Name, AnnotationOrigin] = {}
    spans = {}
    for mention in document.mentions:
        spans[mention.id] = mention.spans
        if not (mention.attributes or mention.links):
            continue
        source = mention.attributes.get("relation", "")
        answer = msgspec.json.encode(mention).decode() if source else ""
        origin = AnnotationOrigin(_score(mention), source, answer, _leads(mention) if source else "")
        if origin != _UNKNOWN:
            known.setdefault(f"{document.source}:{mention.id}", origin)
            for name in (*mention.labels, *(link.target for link in mention.links), ""):
                known.setdefault((name, (mention.spans,)), origin)
            if "class" in mention.attributes:  # what nobody answered is named by its class
                known.setdefault((mention.attributes["class"], ()), origin)
    for relation in document.relations:
        score = number(relation.attributes.get("score"))
        if score is not None:
            ends = tuple(spans.get(argument.target, ()) for argument in relation.arguments)
            known.setdefault(f"{document.source}:{relation.id}", AnnotationOrigin(score))
            known.setdefault((relation.label, ends), AnnotationOrigin(score))
    return known


def origin_of_item(item: Item, known: dict[_Name, AnnotationOrigin]) -> AnnotationOrigin:
    """Return what is known of an item, by its place in the file or, if that is not told, in the text."""
    if not known:
        return _UNKNOWN
    return known.get(item.place) or known.get((item.label, item.ends)) or _UNKNOWN


def _leads(mention: Mention) -> str:
    """Return the query that asks on from an answer to a query, at the next hop."""
    query, place = (mention.attributes.get(name, "") for name in ("query", "place"))
    return f"{base(query)}_{follow_up_digits(query, mention.text, place)}" if query else ""


def _score(mention: Mention) -> float | None:
    given = number(mention.attributes.get("score"))
    return given if given is not None or not mention.links else mention.links[0].score


def number(text: str | None) -> float | None:
    """Return a score that is written, if it is a number.

    >>> number("0.25"), number("high"), number(None)
    (0.25, None, None)
    """
    try:
        return None if text is None else float(text)
    except ValueError:
        return None


_Key = tuple[Hashable, int]
"""What makes two entries speak of the same item: its place and name, and which of those that are alike."""


class Gathering:
    """Brings together the ledgers of one system after the other."""

    def __init__(self) -> None:
        self.units: dict[tuple[str, int], ReaderUnit] = {}
        self._rows: dict[tuple[str, int], dict[_Key, ReaderRow]] = {}
        self._systems = -1

    def next_system(self) -> Witness:
        """Return what is to be told the ledger of every unit of one more system."""
        self._systems += 1
        seen: Counter[str] = Counter()

        def add(ledger: UnitLedger) -> None:
            unit_key = ledger.unit, seen[ledger.unit]
            seen[ledger.unit] += 1
            unit = self.units.get(unit_key)
            if unit is None:
                unit = self.units[unit_key] = ReaderUnit(ledger.unit, *origin_of(ledger), [], ledger.title)
                self._rows[unit_key] = {}
            self._add(unit, self._rows[unit_key], ledger)

        return add

    def _add(self, unit: ReaderUnit, rows: dict[_Key, ReaderRow], ledger: UnitLedger) -> None:
        offsets = offsets_of(unit.text, ledger)
        golds, origins = map(origins_in, ledger.pair) if ledger.pair else ({}, {})
        times: Counter[Hashable] = Counter()
        for entry in ledger.entries:
            origin = origin_of_item(entry.system, origins) if entry.system else _UNKNOWN
            gold, system = placed(entry.gold, offsets[0]), placed(_scored(entry.system, origin), offsets[1])
            content = (entry.layer, entry.slice, gold is not None, *_identity(gold or system, entry))
            row = rows.get((content, times[content]))
            if row is not None and self._has_verdicts(row, entry):  # not this item again, but another one like it
                times[content] += 1
                row = rows.get((content, times[content]))
            if row is None:
                answer = origin_of_item(entry.gold, golds).answer if entry.gold else ""
                row = rows[content, times[content]] = ReaderRow(entry.layer, entry.slice, entry.label, gold, {}, answer)
                unit.rows.append(row)
            judged = ItemVerdicts(entry.case, entry.verdicts, entry.reason, system, *origin[1:])
            row.judged.setdefault(self._systems, []).append(judged)

    def _has_verdicts(self, row: ReaderRow, entry: Entry) -> bool:
        """Say whether the system is judged already under a regime of an entry; regimes may pair an item differently."""
        return any(
            not entry.verdicts.keys().isdisjoint(judged.verdicts) for judged in row.judged.get(self._systems, ())
        )

    def size(self) -> int:
        """Return how many items there are."""
        return sum(len(unit.rows) for unit in self.units.values())

    def finished(self) -> list[ReaderUnit]:
        """Return the units in the order of the gold, each under a name of its own, their rows in that of the text."""
        names: Counter[str] = Counter()
        shared = Counter(unit.document for unit in self.units.values())
        for unit in self.units.values():
            if shared[unit.document] > 1 and unit.name != unit.document:
                _cropped(unit)
            names[unit.name] += 1
            if names[unit.name] > 1:
                unit.name = f"{unit.name} ({names[unit.name]})"
            unit.rows = in_text_order(unit.rows)
        return list(self.units.values())


def _scored(item: Item | None, origin: AnnotationOrigin) -> Item | None:
    """Return an item with the score that its system gives it."""
    if item is None or item.score is not None or origin.score is None:
        return item
    return msgspec.structs.replace(item, score=origin.score)


def _cropped(unit: ReaderUnit) -> None:
    """Leave of the text of a unit that is a part of a document the lines that its items are in."""
    edges = [
        edge for row in unit.rows for item in _items(row) for spans in item.ends for span in spans for edge in span
    ]
    start = unit.text.rfind("\n", 0, min(edges)) + 1 if edges else 0
    end = unit.text.find("\n", max(edges)) if edges else 0
    unit.text = unit.text[start : end if end >= 0 else None]

    def moved(item: Item | None) -> Item | None:
        if item is None or not item.ends:
            return item
        ends = tuple(tuple((low - start, high - start) for low, high in spans) for spans in item.ends)
        return msgspec.structs.replace(item, ends=ends)

    for row in unit.rows:
        row.gold = moved(row.gold)
        row.judged = {
            system: [msgspec.structs.replace(judged, item=moved(judged.item)) for judged in several]
            for system, several in row.judged.items()
        }


def _identity(item: Item | None, entry: Entry) -> tuple[Hashable, ...]:
    if item is None:
        return (entry.label, entry.case)
    return item.label, item.alternatives, item.text, item.span, item.ends, item.place if not item.ends else ""


def in_text_order(rows: Sequence[ReaderRow]) -> list[ReaderRow]:
    """Return rows in the order of the text, layer by layer; what has no place stands behind, in its order."""
    layers = {layer: rank for rank, layer in enumerate(dict.fromkeys(row.layer for row in rows))}

    def order(row: ReaderRow) -> tuple[int, bool, int, int]:
        ends = next((item.ends for item in _items(row) if item.ends), ())
        first = min((span for end in ends for span in end), default=None)
        return layers[row.layer], first is None, *((first[0], -first[1]) if first else (0, 0))

    return sorted(rows, key=order)


def _items(row: ReaderRow) -> Iterator[Item]:
    yield from [row.gold] if row.gold is not None else []
    for judged in row.judged.values():
        yield from (verdicts.item for verdicts in judged if verdicts.item is not None)


def regimes_in(units: Iterable[ReaderUnit], declared: Iterable[str]) -> list[str]:
    """Return the regimes under which some item is judged, in the order in which they are declared."""
    judged = {
        regime
        for unit in units
        for row in unit.rows
        for several in row.judged.values()
        for entry in several
        for regime in entry.verdicts
    }
    known = [regime for regime in declared if regime in judged]
    return [*known, *sorted(judged - set(known))] or ["verdict"]
