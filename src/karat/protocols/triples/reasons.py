"""How a triple is shown in the ledger, and the reason for its verdict in a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from karat.evaluation.casebook import Verdict
from karat.evaluation.ledger import Item
from karat.evaluation.protocol import Side
from karat.protocols.relations.reasons import place_in
from karat.protocols.triples.agreement import agree
from karat.protocols.triples.judge import (
    EXACT,
    GOLD,
    MAPPED,
    NOTHING,
    REGROUPED,
    REVERSED,
    SPELLING,
    SYSTEM,
    WIDER,
    WRONG_LABEL,
    Page,
    TripleJudgement,
    judged,
    written,
)
from karat.protocols.triples.triples import Triple

_SIDES = "gold", "system"
_ABSENT = "not in the text"


def item(page: Page, side: Side, index: int) -> Item:
    """Return a triple of one side as it is shown."""
    triple: Triple = getattr(page, side)[index]
    spans = (*triple.head.spans, *triple.tail.spans)
    hull = (min(start for start, _ in spans), max(end for _, end in spans)) if spans else None
    head, label, tail = written(triple, page.shared)
    ends = (triple.head.spans, triple.tail.spans)
    place = place_in(page.sources[side == "system"], triple.ids)
    return Item(label, f"{head} → {tail}", hull, place=place, ends=ends if all(ends) else ())


def reason(page: Page, verdict: Verdict) -> str:
    """Return why a verdict is what it is, what graded regimes make of it, and why it is no fact of the graph."""
    gold, system = verdict.gold, verdict.system
    if any(index is not None and index >= size for index, size in zip((gold, system), page.sizes, strict=True)):
        return "another spelling of a triple that stands elsewhere"
    judgement = page.judgement or judged(page)
    items = [(side, index) for side, index in ((GOLD, gold), (SYSTEM, system)) if index is not None]
    if gold is not None and system is not None:
        parts = [_of_pair(page, verdict.case, judgement, gold, system), *_worths(page, judgement, GOLD, gold, system)]
    else:
        ((side, index),) = items
        parts = [_of_lone(page, verdict.case, judgement, side, index), *_worths(page, judgement, side, index, None)]
    for side, index in items:
        if why := page.graphs[side].left_out.get(index):
            parts.append(f"left out of the {_SIDES[side]} graph: {why}")
    return "; ".join(parts)


def _of_pair(page: Page, case: str, judgement: TripleJudgement, gold: int, system: int) -> str:
    left, right = page.gold[gold], page.system[system]
    if case in (EXACT, SPELLING):
        return "the same words" if case == EXACT else "the same in normal spelling"
    if case == WIDER:
        return "same relation, and " + ", and ".join(_ends(left, right, (False, False), whole=True))
    if case == MAPPED:
        return f"the table says that {right.name} means what {left.name} means"
    if case == REVERSED:
        return "same relation, but head and tail are exchanged"
    if case == WRONG_LABEL:
        straight = judgement.agreement.straight[system] >> gold & 1
        ends = "same head and tail, but" if straight else "head and tail are exchanged, and"
        return f"{ends} {_names(left, right)}"
    invented = [flags[system] for flags in page.invented] if page.invented else (False, False)
    names = [] if left.has_same_relation(right) else [_names(left, right)]
    return ", and ".join([*_ends(left, right, invented), *names])


def _names(gold: Triple, system: Triple) -> str:
    return f"{system.wordings[0][1]!r} for {gold.wordings[0][1]!r}"


def _ends(gold: Triple, system: Triple, invented: Sequence[bool], *, whole: bool = False) -> Iterator[str]:
    """Yield which ends are different: those that do not agree or, with ``whole``, are not written alike."""
    pairs = (("head", gold.head, system.head), ("tail", gold.tail, system.tail))
    for (word, gold_end, system_end), is_invented in zip(pairs, invented, strict=True):
        if gold_end.phrase != system_end.phrase and (whole or not agree(gold_end, system_end)):
            yield f"the {word} is {system_end.text!r} for {gold_end.text!r}" + (
                f", which is {_ABSENT}" if is_invented else ""
            )


def _of_lone(page: Page, case: str, judgement: TripleJudgement, side: int, index: int) -> str:
    if case == REGROUPED:
        return "correct, but not with the same partner under every regime"
    triple = judgement.triples[side][index]
    if case not in ("missed", "spurious") and page.invented is not None:
        ends = zip(page.invented, ("head", "tail"), (triple.head, triple.tail), strict=True)
        absent = [f"the {word} {end.text!r}" for flags, word, end in ends if flags[index]]
        return f"{' and '.join(absent)} {'is' if len(absent) == 1 else 'are'} {_ABSENT}"
    if (twin := _twin(page, judgement, side, index)) is not None:
        return f"it says the same as {shown(twin)}"
    if (nearest := _nearest(judgement, side, index)) is not None:
        return f"{shown(nearest)} comes nearest, but is nearer to another"
    return f"no {_SIDES[1 - side]} triple comes near"


def _twin(page: Page, judgement: TripleJudgement, side: int, index: int) -> Triple | None:
    """Return the triple of the same side that says the same as a lonely one, if there is one to name."""
    members = page.graphs[side].twins.get(index, (index,))
    paired = judgement.paired[side]
    twin = next((member for member in members if member != index and member in paired), members[0])
    return None if twin == index else judgement.triples[side][twin]


def _nearest(judgement: TripleJudgement, side: int, index: int) -> Triple | None:
    """Return the triple of the other side that is most like a lonely one, if any is like it."""
    other_triples = judgement.triples[1 - side]
    if not other_triples:
        return None
    likenesses = judgement.likenesses[1 - side].row(judgement.triples[side][index])
    best = int(likenesses.argmax())
    return other_triples[best] if likenesses[best] else None


def _worths(page: Page, judgement: TripleJudgement, side: int, index: int, beside: int | None) -> Iterator[str]:
    """Yield what a triple is worth under the graded regimes: as the pair that is shown, or with whom instead."""
    triple, other_triples = judgement.triples[side][index], judgement.triples[1 - side]
    for regime, worths in judgement.worths[side].items():
        worth, partner = worths.get(index, NOTHING)
        if partner is not None and partner == beside:
            yield from [f"{regime} {worth:.6f}"] if worth < 1 else []
            continue
        whom = "" if partner is None else f" with {shown(other_triples[partner])}"
        here = 0.0 if beside is None else float(page.likenesses[regime]([triple]).row(other_triples[beside])[0])
        if worth or here:
            yield f"{regime} {worth:.6f}{whom}" + ("" if beside is None else f", {here:.6f} here")


def shown(triple: Triple) -> str:
    """Return a triple as people read it."""
    head, name, tail = triple.wordings[0]
    return f"({head}, {name}, {tail})"
