"""The first OMIn evaluation of named entities: the entities of a document as texts.

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
from typing import Any, NamedTuple

import msgspec

from karat.evaluation.casebook import CORRECT, MISSED, SPURIOUS, Casebook, Cases, Verdict, Worth
from karat.evaluation.ledger import Item
from karat.evaluation.pairing import TakeNote, pair
from karat.evaluation.protocol import Pair, Sheet, Side
from karat.evaluation.tally import Group
from karat.model import Document, Mention
from karat.protocols.omin.mentions import PHRASE, by_layer, ends_of, gold_text, is_nameless, phrase, range_of, stop
from karat.protocols.omin.options import PhraseOptions
from karat.protocols.omin.texts import Meeting, TextMeetings, meetings, one_to_one

RIGHT = Worth("correct", 0, 0, 0)
"""A system text that is right; what it finds is counted in the gold."""

CASES: Cases = {
    "found": CORRECT,
    "found-in-part": {"strict": MISSED, "non-strict": CORRECT},
    "missed": MISSED,
    "right": RIGHT,
    "right-in-part": {"strict": SPURIOUS, "non-strict": RIGHT},
    "wrong": SPURIOUS,
}
_GOLD: dict[Meeting, str] = {"exact": "found", "contained": "found-in-part", "nowhere": "missed"}
_SYSTEM: dict[Meeting, str] = {"exact": "right", "contained": "right-in-part", "nowhere": "wrong"}
_NO_LABEL = "entity"


class Phrase(NamedTuple):
    """A text as it was given, and as it is compared with the other side in capitals; ``None`` equals nothing."""

    text: str
    compared: str | None
    label: str
    item: Item


class Page(msgspec.Struct, frozen=True):
    """The texts of one document and layer."""

    group: Group
    gold: Sequence[Phrase]
    system: Sequence[Phrase]
    one_to_one: bool
    capitals: bool


def pairs(
    gold: Iterable[Document], system: Iterable[Document], layers: Any, note: TakeNote, *, options: PhraseOptions
) -> Iterator[Pair]:
    """Pair the documents; as published, those that the gold lacks count as well."""
    del layers
    return pair(gold, system, "empty", surplus="leave" if options.mends("all-documents-count") else "empty", note=note)


def draft(gold: Document, system: Document, layers: Sequence[str], options: PhraseOptions) -> Iterator[Sheet]:
    """Yield the sheet of a document, with a page for each layer.

    Rows without an id belong to no document, so that those of both sides do not meet.
    """
    passes = options.mends("na-is-missing")
    if is_nameless(gold) and system.mentions:
        yield from draft(gold, Document(gold.id), layers, options)
        if not options.mends("all-documents-count"):
            yield from draft(Document(gold.id), system, layers, options)
        return
    pages = []
    for layer, golds, systems in zip(layers, by_layer(gold, layers), by_layer(system, layers), strict=True):
        if golds and not passes:
            _refuse_what_is_no_text(system, systems)
        sides = _phrases(golds, gold, "gold", passes), _phrases(systems, system, "system", passes)
        pages.append(Page(Group(layer), *sides, options.mends("one-to-one"), options.mends("capitals-only-once")))
    yield Sheet(gold.id, pages)


def _refuse_what_is_no_text(document: Document, mentions: Iterable[Mention]) -> None:
    for mention in mentions:
        if PHRASE in mention.attributes:
            advice = "fill it in, take the row out, or choose --profile corrected, which passes over it"
            raise stop(document, mention, "entity", advice)


def _phrases(mentions: Iterable[Mention], document: Document, side: Side, passes: bool) -> list[Phrase]:
    """Return the texts of one side; rows without one equal nothing or, with ``passes``, are passed over."""
    phrases = []
    for mention in mentions:
        odd = PHRASE in mention.attributes
        if odd and passes:
            continue
        text = phrase(mention, document)
        compared = None if odd else text.upper() if side == "system" else gold_text(mention, text)
        label = mention.labels[0] if mention.labels else _NO_LABEL
        item = Item(label, text, range_of(mention), place=document.source, ends=ends_of(mention))
        phrases.append(Phrase(text, compared, label, item))
    return phrases


def judge(page: Page) -> Iterator[Verdict]:
    """Yield the verdicts on all gold texts, then on all system texts."""
    meetings_of_page = _meetings(page)
    yield from (Verdict(_GOLD[meeting], index, None) for index, meeting in enumerate(meetings_of_page.gold))
    yield from (Verdict(_SYSTEM[meeting], None, index) for index, meeting in enumerate(meetings_of_page.system))


def _meetings(page: Page) -> TextMeetings:
    """Return the matches: upper-cased to find gold texts; as published, unchanged to find wrong system texts."""
    if page.one_to_one:
        return one_to_one([gold.text for gold in page.gold], [system.text for system in page.system])
    capitals = [system.compared for system in page.system if system.compared is not None]
    golds = [gold for gold in page.gold if gold.compared is not None]
    written = [gold.text.upper() if page.capitals else gold.text for gold in golds]
    systems = [None if system.compared is None else system.text for system in page.system]
    return TextMeetings(
        meetings([gold.compared for gold in page.gold], capitals),
        meetings([system.compared for system in page.system] if page.capitals else systems, written),
    )


def item(page: Page, side: Side, index: int) -> Item:
    """Return how a text is shown."""
    return (page.gold if side == "gold" else page.system)[index].item


def reason(page: Page, verdict: Verdict) -> str:
    """Return in words what the text meets on the other side."""
    if verdict.gold is not None:
        text, candidates, side = page.gold[verdict.gold].text.upper(), page.system, "system"
    else:
        text, candidates, side = page.system[verdict.system or 0].text.upper(), page.gold, "gold"
    if verdict.case in ("found", "right"):
        return f"the {side} has the same text"
    if verdict.case in ("missed", "wrong"):
        capitals = any(candidate.text.upper() == text for candidate in candidates)
        return f"the {side} has it only in other capitals, or taken" if capitals else f"the {side} has no such text"
    texts = (candidate.text for candidate in candidates)
    part = next((candidate for candidate in texts if candidate.upper() in text or text in candidate.upper()), "")
    return f"the {side} has {part!r}"


BOOK = Casebook(CASES, judge, item=item, reason=reason)
