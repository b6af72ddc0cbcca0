"""Judging the entities of a document as texts: the first OMIn evaluation of named entities.

Gold and system texts are judged apart, because the program counts what is right on the gold side and what is wrong on
the system side:

===============  =========  ==========  ======================================================
case             strict     non-strict  what it is
===============  =========  ==========  ======================================================
found            correct    correct     a gold text that the system has
found-in-part    missed     correct     a gold text that contains a system text, or is in one
missed           missed     missed      any other gold text
right            correct    correct     a system text that the gold has
right-in-part    spurious   correct     a system text that contains a gold text, or is in one
wrong            spurious   spurious    any other system text
===============  =========  ==========  ======================================================
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import msgspec

from karat.ledger import Entry, Item, Outcome
from karat.measures.ratios import Ratio, f1, precision, recall
from karat.model import Document, Mention
from karat.protocols.base import Case, Figure, Prepared
from karat.protocols.omin.options import PhraseOptions
from karat.protocols.omin.pairs import all_documents, by_layer, gold_documents, layers, phrase
from karat.protocols.omin.texts import Meetings, meetings, one_to_one
from karat.tally import Group, Tally

CASES = ("found", "found-in-part", "missed", "right", "right-in-part", "wrong")
REGIMES = {"strict": (("found",), ("right-in-part", "wrong")), "non-strict": (("found", "found-in-part"), ("wrong",))}
"""What counts as found, and what as wrong."""

_GOLD = {"exact": "found", "contained": "found-in-part", "nowhere": "missed"}
_SYSTEM = {"exact": "right", "contained": "right-in-part", "nowhere": "wrong"}
_NO_LABEL = "entity"


class Phrase(NamedTuple):
    """A text with what is needed to show it."""

    text: str
    label: str
    item: Item


class Sheet(msgspec.Struct, frozen=True):
    """The texts of one document and layer."""

    layer: str
    gold: Sequence[Phrase]
    system: Sequence[Phrase]
    corrected: bool


class Verdict(NamedTuple):
    """A case, and the text it is about."""

    case: str
    phrase: Phrase


def prepare(gold: Iterable[Document], system: Iterable[Document], options: PhraseOptions) -> Prepared:
    """Pair the documents; as published, those that the gold lacks count as well."""
    corrected = options.profile == "corrected"
    pairs, notes = (gold_documents if corrected else all_documents)(gold, system)
    names = layers(pairs)
    cases = []
    for pair in pairs:
        sides = [[[_phrase(one, document) for one in part] for part in by_layer(document, names)] for document in pair]
        sheets = [Sheet(name, golds, systems, corrected) for name, golds, systems in zip(names, *sides, strict=True)]
        cases.append(Case(pair[0].id, tuple(sheets)))
    return Prepared(cases, notes)


def _phrase(mention: Mention, document: Document) -> Phrase:
    text = phrase(mention, document)
    label = mention.labels[0] if mention.labels else _NO_LABEL
    return Phrase(text, label, Item(label, text, (mention.start, mention.end), place=document.source))


def judge(sheet: Sheet) -> Iterator[Verdict]:
    """Yield the verdicts on all gold texts, then on all system texts."""
    met = _meetings([one.text for one in sheet.gold], [one.text for one in sheet.system], sheet.corrected)
    yield from (Verdict(_GOLD[meeting], one) for one, meeting in zip(sheet.gold, met.gold, strict=True))
    yield from (Verdict(_SYSTEM[meeting], one) for one, meeting in zip(sheet.system, met.system, strict=True))


def _meetings(gold: Sequence[str], system: Sequence[str], corrected: bool) -> Meetings:
    """Compare in capitals what is found; as published, what is wrong is compared as it stands.

    The program has only the system in capitals, because its gold has no others; other gold has.
    """
    if corrected:
        return one_to_one(gold, system)
    capitals = [text.upper() for text in system]
    return Meetings(meetings([text.upper() for text in gold], capitals), meetings(system, gold))


def tally(case: Case) -> Tally:
    """Count the cases of a document, for all labels together and for each."""
    counted: dict[Group, list[int]] = {}
    for sheet in case.content:
        counted.setdefault(Group(sheet.layer), [0] * len(CASES))
        for verdict in judge(sheet):
            for label in (None, verdict.phrase.label):
                counted.setdefault(Group(sheet.layer, "", label), [0] * len(CASES))[CASES.index(verdict.case)] += 1
    return {group: tuple(numbers) for group, numbers in counted.items()}


def ledger(case: Case) -> list[Entry]:
    """Return every gold text and every system text with its verdict."""
    return [_entry(case.unit, sheet, verdict) for sheet in case.content for verdict in judge(sheet)]


def _entry(unit: str, sheet: Sheet, verdict: Verdict) -> Entry:
    is_gold = verdict.case in _GOLD.values()
    verdicts: dict[str, Outcome] = {regime: _outcome(verdict.case, regime) for regime in REGIMES}
    item = verdict.phrase.item
    reason = _reason(verdict, sheet.system if is_gold else sheet.gold, "system" if is_gold else "gold")
    sides = (item, None) if is_gold else (None, item)
    return Entry(unit, sheet.layer, verdict.phrase.label, verdict.case, verdicts, reason, *sides)


def _outcome(case: str, regime: str) -> Outcome:
    found, wrong = REGIMES[regime]
    if case in _GOLD.values():
        return "correct" if case in found else "missed"
    return "spurious" if case in wrong else "correct"


def _reason(verdict: Verdict, others: Sequence[Phrase], side: str) -> str:
    """Return in words what the text meets on the other side."""
    if verdict.case in ("found", "right"):
        return f"the {side} has the same text"
    text = verdict.phrase.text.upper()
    if verdict.case in ("missed", "wrong"):
        capitals = any(one.text.upper() == text for one in others)
        return f"the {side} has it only in other capitals, or taken" if capitals else f"the {side} has no such text"
    part = next((one.text for one in others if one.text.upper() in text or text in one.text.upper()), "")
    return f"the {side} has {part!r}"


def _formula(regime: str, ratio: Any, counts: Sequence[Any]) -> Ratio:
    found, wrong = (sum(counts[CASES.index(case)] for case in cases) for cases in REGIMES[regime])
    return ratio(found, found + wrong, sum(counts[:3]))  # type: ignore[no-any-return]


FIGURES = tuple(
    Figure(measure, regime, "micro", partial(_formula, regime, ratio))
    for regime in REGIMES
    for measure, ratio in (("precision", precision), ("recall", recall), ("f1", f1))
)
