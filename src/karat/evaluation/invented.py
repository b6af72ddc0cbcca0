"""Mentions that the text does not have: language models invent them, and leaving them out would flatter.

Each is given a place of its own behind all texts, where nothing else stands. So a protocol judges it like any other,
and pairs it with nothing: one of the system is spurious, and its book calls that ``invented``; one of the gold is
missed. A protocol that counts them is made by :func:`with_invented`, and its options say ``invented``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any

import msgspec

from karat.annotations.selection import without_unplaced
from karat.errors import many
from karat.evaluation.casebook import SPURIOUS, Cases, Judge, Verdict
from karat.evaluation.ledger import Item
from karat.evaluation.protocol import Pair, Protocol, Rules, Sheet, Side
from karat.model import Document

BEYOND = 1 << 40
"""The first offset that no text has; whatever begins there is in no text."""
INVENTED = "invented"
_FIRST: dict[Side, int] = {"gold": BEYOND, "system": 2 * BEYOND}
"""Where the mentions of each side are placed that are in no text: those of the system behind those of the gold."""
REASON = "the text does not have it"


class Unplaced(msgspec.Struct, frozen=True):
    """A note on a mention of a side that the text does not have."""

    side: Side


def with_invented(protocol: Protocol) -> Protocol:
    """Return a protocol that counts mentions which the text does not have, or leaves them out, as its options say."""
    return msgspec.structs.replace(protocol, bind=partial(_bind, protocol.bind))


def _bind(bind: Callable[[Any], Rules], options: Any) -> Rules:
    base = bind(options)
    own = {"skips": options.invented == "skip", "base": base}
    return msgspec.structs.replace(
        base,
        draft=partial(_draft, **own),
        draft_all=None if base.draft_all is None else partial(_draft_all, **own),
        remarks=partial(_remarks, **own),
    )


def stands_beyond(item: Any) -> bool:
    """Say whether an item with a start is one that the text does not have."""
    return bool(item.start >= BEYOND)


def counting_invented(
    cases: Cases,
    judge: Judge,
    *,
    item: Callable[[Any, Side, int], Item],
    reason: Callable[[Any, Verdict], str],
    is_invented: Callable[[Any], bool] = stands_beyond,
    listed: Judge | None = None,
) -> dict[str, Any]:
    """Return what a casebook is made of, with a case of their own for spurious items that the text does not have."""
    spurious = frozenset(case for case, worth in cases.items() if worth is SPURIOUS)
    return {
        "cases": {**cases, INVENTED: SPURIOUS},
        "judge": partial(_named, judge, spurious, is_invented),
        "listed": None if listed is None else partial(_named, listed, spurious, is_invented),
        "item": partial(_shown, item, is_invented),
        "reason": partial(_why, reason, is_invented),
    }


def _named(judge: Judge, spurious: frozenset[str], is_invented: Callable[[Any], bool], page: Any) -> Iterator[Verdict]:
    for verdict in judge(page):
        lone = verdict.case in spurious and verdict.gold is None and verdict.system is not None
        yield verdict._replace(case=INVENTED) if lone and is_invented(page.system[verdict.system]) else verdict


def _shown(
    item: Callable[[Any, Side, int], Item], is_invented: Callable[[Any], bool], page: Any, side: Side, index: int
) -> Item:
    told = item(page, side, index)
    return msgspec.structs.replace(told, span=None) if is_invented(getattr(page, side)[index]) else told


def _why(reason: Callable[[Any, Verdict], str], is_invented: Callable[[Any], bool], page: Any, verdict: Verdict) -> str:
    is_lost = verdict.system is None and verdict.gold is not None and is_invented(page.gold[verdict.gold])
    return REASON if is_lost or verdict.case == INVENTED else reason(page, verdict)


def _draft(gold: Document, system: Document, known: Any, *, skips: bool, base: Rules) -> Iterable[Sheet]:
    if all(mention.spans for mention in chain(gold.mentions, system.mentions)):
        return base.draft(gold, system, known)
    notes: Counter[Hashable] = Counter()
    pair = _placed((gold, system), notes, skips=skips)
    return _noting(base.draft(*pair, known), notes)


def _draft_all(pairs: Sequence[Pair], known: Any, *, skips: bool, base: Rules) -> Iterator[Sheet]:
    notes: Counter[Hashable] = Counter()
    placed = [_placed(pair, notes, skips=skips) for pair in pairs]
    assert base.draft_all is not None  # noqa: S101 - otherwise there is nothing to wrap
    yield from _noting(base.draft_all(placed, known), notes)


def _noting(sheets: Iterable[Sheet], notes: Counter[Hashable]) -> Iterator[Sheet]:
    """Yield the sheets, the first of them with the notes as well."""
    for index, sheet in enumerate(sheets):
        noted = notes and not index
        yield msgspec.structs.replace(sheet, notes=Counter(sheet.notes) + notes) if noted else sheet


def _placed(pair: Pair, notes: Counter[Hashable], *, skips: bool) -> Pair:
    """Return both documents with all mentions placed, those of the system behind those of the gold, or without them."""
    gold, system = pair
    sides: tuple[tuple[Side, Document], ...] = (("gold", gold), ("system", system))
    for side, document in sides:
        if placeless := sum(not mention.spans for mention in document.mentions):
            notes[Unplaced(side)] += placeless
    return (placed(gold, "gold", skips=skips), placed(system, "system", skips=skips)) if notes else pair


def placed(document: Document, side: Side, *, skips: bool) -> Document:
    """Return a document of a side with all mentions placed, or without those that the text does not have."""
    return without_unplaced(document) if skips else beyond(document, side)


def beyond(document: Document, side: Side) -> Document:
    """Return a document of a side with those mentions placed behind all texts that its own does not have."""
    if all(mention.spans for mention in document.mentions):
        return document
    mentions = []
    offset = _FIRST[side]
    for mention in document.mentions:
        if not mention.spans:
            end = offset + max(len(mention.text), 1)
            mentions.append(msgspec.structs.replace(mention, spans=((offset, end),)))
            offset = end + 1
        else:
            mentions.append(mention)
    return msgspec.structs.replace(document, mentions=mentions)


def _remarks(notes: Counter[Hashable], known: Any, *, skips: bool, base: Rules) -> Iterator[str]:
    """Yield the remarks of the protocol, and how many mentions the text does not have."""
    other_notes = {note: times for note, times in notes.items() if not isinstance(note, Unplaced)}
    yield from base.remarks(Counter(other_notes), known)
    for side in ("gold", "system"):
        if placeless := notes[Unplaced(side)]:
            does, positives = ("does", "a false positive") if placeless == 1 else ("do", "false positives")
            counted = positives if side == "system" else "missed"
            treated = "left out" if skips else f"counted as {counted}"
            yield f"{many(placeless, f'{side} mention')} {does} not occur in the text ({treated})"
