"""Mentions that the text does not have: language models invent them, and leaving them out would flatter.

Such a mention has no spans, and so it equals nothing and overlaps nothing on the other side. One of the system is
spurious, in the case ``invented``; one of the gold is missed. A protocol that counts them is made by
:func:`with_invented`, and its options say ``invented``.
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
from karat.evaluation.protocol import Pair, Protocol, Rules, Sheet, Side
from karat.model import Document

INVENTED = "invented"
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


def has_no_place(item: Any) -> bool:
    """Say whether an item with spans is one that the text does not have."""
    return not item.spans


def counting_invented(
    cases: Cases,
    judge: Judge,
    *,
    reason: Callable[[Any, Verdict], str],
    is_invented: Callable[[Any], bool] = has_no_place,
    listed: Judge | None = None,
) -> dict[str, Any]:
    """Return parts of a casebook in which spurious items without a place have a case of their own, and all a reason.

    Args:
        cases: what can happen to items that have a place.
        judge: yields the verdicts on a page; it pairs items without a place with nothing.
        reason: says why a verdict is what it is.
        is_invented: says of an item whether the text does not have it; by default its ``spans`` are asked.
        listed: yields the verdicts that the ledger tells, if these are others.

    """
    spurious = frozenset(case for case, worth in cases.items() if worth is SPURIOUS)
    return {
        "cases": {**cases, INVENTED: SPURIOUS},
        "judge": partial(_named, judge, spurious, is_invented),
        "listed": None if listed is None else partial(_named, listed, spurious, is_invented),
        "reason": partial(_why, reason, is_invented),
    }


def _named(judge: Judge, spurious: frozenset[str], is_invented: Callable[[Any], bool], page: Any) -> Iterator[Verdict]:
    for verdict in judge(page):
        lone = verdict.case in spurious and verdict.gold is None and verdict.system is not None
        yield verdict._replace(case=INVENTED) if lone and is_invented(page.system[verdict.system]) else verdict


def _why(reason: Callable[[Any, Verdict], str], is_invented: Callable[[Any], bool], page: Any, verdict: Verdict) -> str:
    is_lost = verdict.system is None and verdict.gold is not None and is_invented(page.gold[verdict.gold])
    return REASON if is_lost or verdict.case == INVENTED else reason(page, verdict)


def _draft(gold: Document, system: Document, known: Any, *, skips: bool, base: Rules) -> Iterable[Sheet]:
    if all(mention.spans for mention in chain(gold.mentions, system.mentions)):
        return base.draft(gold, system, known)
    notes: Counter[Hashable] = Counter()
    pair = _noted((gold, system), notes, skips=skips)
    return _noting(base.draft(*pair, known), notes)


def _draft_all(pairs: Sequence[Pair], known: Any, *, skips: bool, base: Rules) -> Iterator[Sheet]:
    notes: Counter[Hashable] = Counter()
    judged = [_noted(pair, notes, skips=skips) for pair in pairs]
    assert base.draft_all is not None  # noqa: S101 - otherwise there is nothing to wrap
    yield from _noting(base.draft_all(judged, known), notes)


def _noting(sheets: Iterable[Sheet], notes: Counter[Hashable]) -> Iterator[Sheet]:
    """Yield the sheets, the first of them with the notes as well."""
    for index, sheet in enumerate(sheets):
        noted = notes and not index
        yield msgspec.structs.replace(sheet, notes=Counter(sheet.notes) + notes) if noted else sheet


def _noted(pair: Pair, notes: Counter[Hashable], *, skips: bool) -> Pair:
    """Note how many mentions without a place each document has, and return the documents, without them if asked."""
    gold, system = pair
    sides: tuple[tuple[Side, Document], ...] = (("gold", gold), ("system", system))
    for side, document in sides:
        if placeless := sum(not mention.spans for mention in document.mentions):
            notes[Unplaced(side)] += placeless
    return (without_unplaced(gold), without_unplaced(system)) if skips and notes else pair


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
