"""Judging the entities of a document as labelled spans: the later OMIn evaluation of named entities.

The cases and what each counts for are those of :mod:`karat.protocols.omin.schemes`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from karat.ledger import Entry, Item
from karat.measures.ratios import Ratio, f1, precision, recall
from karat.model import Document, Mention
from karat.protocols.base import Case, Figure, Prepared
from karat.protocols.omin.options import SpanOptions
from karat.protocols.omin.pairs import by_layer, gold_documents, layers, phrase, same_text
from karat.protocols.omin.schemes import (
    CASES,
    CORRECT,
    DUMMY,
    NOWHERE,
    PARTIAL,
    REGIMES,
    SHORTER,
    TYPE_SETS,
    Entity,
    Verdict,
    among,
    in_published_order,
    judge_one_to_one,
    judge_published,
    outcome,
)
from karat.tally import Group, Tally

_NO_LABEL = "entity"


class Sheet(msgspec.Struct, frozen=True):
    """The entities of one document and layer as they are compared, and the texts of those that have no place."""

    layer: str
    gold: Sequence[Entity]
    system: Sequence[Entity]
    corrected: bool
    text: str
    texts: tuple[Mapping[Entity, str], Mapping[Entity, str]]
    sources: tuple[str, str]


def prepare(gold: Iterable[Document], system: Iterable[Document], options: SpanOptions) -> Prepared:
    """Pair the gold documents and put their entities in order."""
    pairs, notes = gold_documents(gold, system)
    names = layers(pairs)
    cases = []
    for left, right in pairs:
        parts = zip(names, by_layer(left, names), by_layer(right, names), strict=True)
        text = same_text(left, right)
        sheets = [_sheet((left, right), (golds, systems), name, text, options) for name, golds, systems in parts]
        cases.append(Case(left.id, tuple(sheets)))
    return Prepared(cases, notes)


def _sheet(
    documents: tuple[Document, Document],
    mentions: tuple[list[Mention], list[Mention]],
    layer: str,
    text: str,
    options: SpanOptions,
) -> Sheet:
    corrected, untyped = options.profile == "corrected", options.typing == "untyped"
    labels = None if options.types == "all" or (corrected and untyped) else TYPE_SETS[options.types]
    dummies = untyped, untyped and (corrected or options.types == "all")
    sides = [
        [_entity(one, dummy, SHORTER if number else {}) for one in part]
        for number, (part, dummy) in enumerate(zip(mentions, dummies, strict=True))
    ]
    texts = tuple(
        {one: phrase(mention, document) for one, mention in zip(side, part, strict=True)}
        for side, part, document in zip(sides, mentions, documents, strict=True)
    )
    golds = sides[0] if corrected else in_published_order(sides[0])
    kept = among(golds, labels), among(sides[1], labels)
    sources = documents[0].source, documents[1].source
    return Sheet(layer, *kept, corrected, text, (texts[0], texts[1]), sources)


def _entity(mention: Mention, dummy: bool, shorter: Mapping[str, str]) -> Entity:
    span = NOWHERE if mention.attributes.get("located") == "no" else (mention.start, mention.end)
    label = mention.labels[0] if mention.labels else _NO_LABEL
    return Entity(DUMMY if dummy else shorter.get(label, label), *span)


def judge(sheet: Sheet) -> list[Verdict]:
    """Return the verdicts on a sheet."""
    return (judge_one_to_one if sheet.corrected else judge_published)(sheet.gold, sheet.system)


def tally(case: Case) -> Tally:
    """Count the cases of a document, for all labels together and for each."""
    counted: dict[Group, list[int]] = {}
    for sheet in case.content:
        counted.setdefault(Group(sheet.layer), [0] * len(CASES))
        for verdict in judge(sheet):
            for label in (None, _label(sheet, verdict)):
                counted.setdefault(Group(sheet.layer, "", label), [0] * len(CASES))[CASES.index(verdict.case)] += 1
    return {group: tuple(numbers) for group, numbers in counted.items()}


def _label(sheet: Sheet, verdict: Verdict) -> str:
    """Return the label a verdict is booked on: that of the gold, if it is about any."""
    entity = sheet.gold[verdict.gold] if verdict.gold is not None else sheet.system[verdict.system or 0]
    return str(entity.label)


def ledger(case: Case) -> list[Entry]:
    """Return every gold and system entity of a document with its verdict."""
    return [_entry(case.unit, sheet, verdict) for sheet in case.content for verdict in judge(sheet)]


def _entry(unit: str, sheet: Sheet, verdict: Verdict) -> Entry:
    gold = None if verdict.gold is None else sheet.gold[verdict.gold]
    system = None if verdict.system is None else sheet.system[verdict.system]
    return Entry(
        unit=unit,
        layer=sheet.layer,
        label=_label(sheet, verdict),
        case=verdict.case,
        verdicts={regime: outcome(verdict.case, regime) for regime in REGIMES},
        reason=_reason(verdict.case, gold, system),
        gold=_item(sheet, gold, 0),
        system=_item(sheet, system, 1),
    )


def _item(sheet: Sheet, entity: Entity | None, side: int) -> Item | None:
    if entity is None:
        return None
    text = sheet.texts[side].get(entity) or sheet.text[max(entity.start, 0) : max(entity.end, 0)]
    return Item(str(entity.label), text, (max(entity.start, 0), max(entity.end, 0)), place=sheet.sources[side])


def _reason(case: str, gold: Entity | None, system: Entity | None) -> str:
    """Return in words why the case is what it is."""
    if gold is None:
        return "it is not in the text" if system and system[1:] == NOWHERE else "no gold entity overlaps it"
    if system is None:
        return "it is not in the text" if gold[1:] == NOWHERE else "no system entity was judged by it"
    labels = f"{system.label} for {gold.label}"
    if gold[1:] == system[1:]:
        place = "neither is in the text" if gold[1:] == NOWHERE else "same place"
        return f"{place} and same label" if case == "exact" else f"{place}, but {labels}"
    where = f"characters {system.start}-{system.end} for {gold.start}-{gold.end}"
    return f"same label, but {where}" if case == "wrong-boundary" else f"{labels}, and {where}"


def _formula(regime: str, ratio: Any, counts: Sequence[Any]) -> Ratio:
    by_case = dict(zip(CASES, counts, strict=True))
    total = sum(counts)
    credit = sum(by_case[case] for case in CORRECT[regime])
    half = sum(by_case[case] for case in PARTIAL.get(regime, ()))
    return ratio(credit + 0.5 * half, total - by_case["missed"], total - by_case["spurious"])  # type: ignore[no-any-return]


FIGURES = tuple(
    Figure(measure, regime, "micro", partial(_formula, regime, ratio))
    for regime in REGIMES
    for measure, ratio in (("precision", precision), ("recall", recall), ("f1", f1))
)
