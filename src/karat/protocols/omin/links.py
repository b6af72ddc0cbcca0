"""Judging the links of a document: OMIn's evaluation of entity linking as published, corrected, and as first described.

Every gold mention is decided under each set-up: its link is correct, wrong, or the mention is missed. Links of other
phrases are not counted. Corrected and as first described, a wrong link is a missed one too. With an ontology or a table
of scores, the likeness of the links with the right ones is averaged as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import msgspec

from karat.ledger import Entry, Item, Outcome
from karat.measures.ratios import Ratio, f1, precision, recall
from karat.model import Document, Mention
from karat.ontology.provider import Provider
from karat.protocols.base import Case, Figure, Prepared
from karat.protocols.likeness import COUNTS
from karat.protocols.likeness import figures as likeness_figures
from karat.protocols.omin import likeness
from karat.protocols.omin.levels import SETUPS, Decision, Level, Linked, Setup, decide_best, decide_published
from karat.protocols.omin.options import BestLinkOptions, LinkOptions
from karat.protocols.omin.pairs import by_layer, gold_documents, layers, phrase
from karat.protocols.omin.similarity import Pair
from karat.tally import Group, Tally

NIL = "NIL"
_LEVELS = ("secondary", "tertiary")
_CASES = ("right", "wrong", "missed")
BEST = {"best": SETUPS["flexible"]}
"""The one set-up of the evaluation as first described."""

Setups = Mapping[str, Setup]


class Row(NamedTuple):
    """A gold mention: its levels, and how it is shown."""

    levels: list[Level]
    item: Item


class Sheet(msgspec.Struct, frozen=True):
    """The gold mentions and the system links of one document and layer."""

    layer: str
    gold: Sequence[Row]
    system: Sequence[Linked]
    items: Sequence[Item]
    """How the system links are shown."""
    setups: Setups
    published: bool
    answers: Mapping[str, likeness.Answers] = {}
    """The likeness of pairs by set-up; nothing without an ontology or a table."""


def counts(setups: Setups) -> tuple[str, ...]:
    """Return the names of the counts: for each set-up how many mentions are right, wrong and missed, and likeness."""
    return tuple(f"{setup}-{what}" for setup in setups for what in (*_CASES, *COUNTS))


def prepare(
    gold: Iterable[Document], system: Iterable[Document], options: LinkOptions | BestLinkOptions, *, setups: Setups
) -> Prepared:
    """Pair the gold documents, read the levels of their mentions, and ask for the likeness of their links."""
    provider = options.provider()
    published = isinstance(options, LinkOptions) and options.profile == "published"
    pairs, notes = gold_documents(gold, system)
    names = layers(pairs)
    cases = []
    for left, right in pairs:
        longer = _longer_mentions(left) if isinstance(options, BestLinkOptions) else {}
        sheets = []
        for name, golds, systems in zip(names, by_layer(left, names), by_layer(right, names), strict=True):
            rows = [_row(one, left, longer) for one in golds]
            items = [_item(one, right) for one in systems if _target(one, 0) is not None]
            links = [Linked(item.text.upper(), item.label) for item in items]
            sheets.append(Sheet(name, rows, links, items, setups, published))
        cases.append(Case(left.id, tuple(sheets)))
    return Prepared(cases if provider is None else _with_likeness(cases, setups, provider), notes)


def _with_likeness(cases: Sequence[Case], setups: Setups, provider: Provider) -> list[Case]:
    """Return the cases with the likeness of their pairs, asked for all of them at once."""
    asked = [[_asked(sheet) for sheet in case.content] for case in cases]
    known: dict[str, likeness.Answers] = {}
    for name in setups:
        every = [pair for sheets in asked for pairs in sheets for pair in pairs[name]]
        known[name] = likeness.answers(every, provider)
    return [
        Case(case.unit, tuple(_answered(*one, known) for one in zip(case.content, sheets, strict=True)))
        for case, sheets in zip(cases, asked, strict=True)
    ]


def _answered(sheet: Sheet, asked: Mapping[str, Sequence[Pair]], known: Mapping[str, likeness.Answers]) -> Sheet:
    own = {name: {pair[3:]: known[name][pair[3:]] for pair in pairs} for name, pairs in asked.items()}
    return msgspec.structs.replace(sheet, answers=own)


def _asked(sheet: Sheet) -> dict[str, list[Pair]]:
    """Return the pairs of each set-up in the order of the gold."""
    asked: dict[str, list[Pair]] = {name: [] for name in sheet.setups}
    for row in sheet.gold:
        for name, decision in decisions(sheet, row).items():
            asked[name] += _pairs(sheet, row, decision)
    return asked


def _pairs(sheet: Sheet, row: Row, decision: Decision) -> list[Pair]:
    """Return the identifiers that a link is compared with for likeness, beside its own."""
    if decision.system is None:
        return []
    link = sheet.system[decision.system]
    return [Pair(None, link.phrase, *row.levels[one], link.target) for one in decision.levels]


def _item(mention: Mention, document: Document) -> Item:
    span = mention.start, mention.end
    return Item(mention.links[0].target, phrase(mention, document), span, place=document.source)


def _target(mention: Mention, level: int) -> str | None:
    target = mention.links[level].target if level < len(mention.links) else NIL
    return None if target == NIL else target


def _row(mention: Mention, document: Document, longer: Mapping[str, str]) -> Row:
    """Return the levels of a mention; one that refers to a longer mention has that one's identifier as well."""
    given = phrase(mention, document)
    phrases = [given, *(mention.attributes.get(name) for name in _LEVELS)]
    levels = [Level(one and one.upper(), _target(mention, number)) for number, one in enumerate(phrases)]
    if mention.id in longer:
        levels = [Level(given.upper(), longer[mention.id]), *levels[:2]]
    targets = [level.target for level in levels if level.target is not None]
    label, *others = map(str, targets or [NIL])
    return Row(levels, Item(label, given, (mention.start, mention.end), tuple(others), document.source))


def _longer_mentions(document: Document) -> dict[str, str]:
    """Return for each mention in a chain with a longer linked one the identifier of the longest."""
    mentions = {mention.id: mention for mention in document.mentions}
    found: dict[str, str] = {}
    for chain in document.chains:
        members = [mentions[one] for one in chain.mentions if one in mentions]
        linked = [one for one in members if _target(one, 0) is not None]
        if linked:
            longest = max(linked, key=lambda one: len(phrase(one, document)))
            shorter = (one for one in members if len(phrase(one, document)) < len(phrase(longest, document)))
            found |= {one.id: longest.links[0].target for one in shorter}
    return found


def decisions(sheet: Sheet, row: Row) -> dict[str, Decision]:
    """Decide a gold mention under each set-up in which it counts."""
    decide = decide_published if sheet.published else decide_best
    found = {name: decide(row.levels, sheet.system, setup) for name, setup in sheet.setups.items()}
    return {name: decision for name, decision in found.items() if decision is not None}


def tally(case: Case) -> Tally:
    """Count right, wrong and missed mentions and sum up likeness, for all entities together and for each."""
    counted: dict[Group, list[float]] = {}
    for sheet in case.content:
        names = counts(sheet.setups)
        asked: dict[tuple[Group, str], list[Pair]] = {}
        counted.setdefault(Group(sheet.layer), [0] * len(names))
        for row in sheet.gold:
            for name, decision in decisions(sheet, row).items():
                for group in (Group(sheet.layer), Group(sheet.layer, "", row.item.label)):
                    numbers = counted.setdefault(group, [0] * len(names))
                    for what in _booked(decision, sheet.published):
                        numbers[names.index(f"{name}-{what}")] += 1
                    if sheet.answers:
                        asked.setdefault((group, name), []).extend(_pairs(sheet, row, decision))
        for (group, name), pairs in asked.items():
            place = names.index(f"{name}-{COUNTS[0]}")
            counted[group][place : place + len(COUNTS)] = likeness.summed(pairs, sheet.answers[name])
    return {group: tuple(numbers) for group, numbers in counted.items()}


def _booked(decision: Decision, published: bool) -> tuple[str, ...]:
    if decision.correct:
        return ("right",)
    if decision.system is None:
        return ("missed",)
    return ("wrong",) if published else ("wrong", "missed")


def ledger(case: Case) -> list[Entry]:
    """Return every gold mention with its verdicts, and every link that no gold mention has a phrase for."""
    entries: list[Entry] = []
    for sheet in case.content:
        met: set[int] = set()
        for row in sheet.gold:
            found = decisions(sheet, row)
            met.update(one.system for one in found.values() if one.system is not None)
            entries.append(_entry(case.unit, sheet, row, found))
        entries += [
            Entry(
                case.unit, sheet.layer, item.label, "not-counted", {}, "no gold mention was decided by it", system=item
            )
            for index, item in enumerate(sheet.items)
            if index not in met
        ]
    return entries


def _entry(unit: str, sheet: Sheet, row: Row, found: Mapping[str, Decision]) -> Entry:
    verdicts: dict[str, Outcome] = {name: _outcome(decision) for name, decision in found.items()}
    best = min(verdicts.values(), key=("correct", "incorrect", "missed").index, default=None)
    deciding = [(name, one.system) for name, one in found.items() if one.system is not None and verdicts[name] == best]
    setup, system = (deciding[0][0], sheet.items[deciding[0][1]]) if deciding else ("", None)
    case = {"correct": "right", "incorrect": "wrong", "missed": "missed"}.get(best or "", "not-counted")
    reason = _reason(case, row, system)
    if case == "wrong" and sheet.answers:
        pairs = _pairs(sheet, row, found[setup])
        reason += f"; {likeness.in_words(pairs, sheet.answers[setup], row.item.label)}"
    return Entry(unit, sheet.layer, row.item.label, case, verdicts, reason, row.item, system)


def _outcome(decision: Decision) -> Outcome:
    if decision.correct:
        return "correct"
    return "missed" if decision.system is None else "incorrect"


def _reason(case: str, row: Row, system: Item | None) -> str:
    """Return in words what decided the mention."""
    if case == "not-counted":
        return "the gold gives it no identifier"
    if system is None:
        return "no system link has its phrase"
    where = f" for {system.text!r}" if system.text.upper() != row.item.text.upper() else ""
    return f"{system.label}{where}" if case == "right" else f"{system.label}{where}, not {row.item.label}"


def _formula(place: int, ratio: Any, numbers: Sequence[Any]) -> Ratio:
    right, wrong, missed = numbers[place : place + 3]
    return ratio(right, right + wrong, right + missed)  # type: ignore[no-any-return]


def figures(setups: Setups) -> tuple[Figure, ...]:
    """Return precision, recall, F1 and likeness of each set-up."""
    names = counts(setups)
    found: list[Figure] = []
    for setup in setups:
        behind = {what: f"{setup}-{what}" for what in _CASES}
        place = names.index(behind["right"])
        for measure, ratio in (("precision", precision), ("recall", recall), ("f1", f1)):
            found.append(Figure(measure, setup, "micro", partial(_formula, place, ratio), behind))
        found += likeness_figures(setup, names)
    return tuple(found)
