"""What is the matter with a triple, in one word and in a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from karat.protocols.triples.ends import agreeing
from karat.protocols.triples.judge import SYSTEM, Judgement
from karat.protocols.triples.triples import End, Triple

EXACT, SPELLING, WIDER, MAPPED = "exact", "other-spelling", "other-extent", "other-name"
WRONG_LABEL, REVERSED, ALIKE = "wrong-label", "reversed", "alike"
ABSENT = "not in the text"


class Verdict(NamedTuple):
    """A word for what happened, and why."""

    case: str
    reason: str


def of_pair(judged: Judgement, gold: int, system: int) -> Verdict:
    """Return what two triples that are nearest to each other have in common and what is different."""
    left, right = judged.sides[0][gold], judged.sides[SYSTEM][system]
    if left.key == right.key:
        if set(left.wordings).isdisjoint(right.wordings):
            return Verdict(SPELLING, "the same in normal spelling")
        return Verdict(EXACT, "the same words")
    invented = [ends[system] for ends in judged.sheet.invented] if judged.sheet.invented else [False, False]
    if judged.meant[system] >> gold & 1:
        return _same_meaning(left, right)
    if judged.overlaps[system] >> gold & 1:
        return Verdict(WRONG_LABEL, f"same head and tail, but {_names(left, right)}")
    same_name = left.name == right.name or (bool(left.canonical) and left.canonical == right.canonical)
    if judged.is_reversed(gold, system):
        exchanged = "head and tail are exchanged"
        if same_name:
            return Verdict(REVERSED, f"same relation, but {exchanged}")
        return Verdict(WRONG_LABEL, f"{exchanged}, and {_names(left, right)}")
    differences = [*_ends(left, right, invented), *([] if same_name else [_names(left, right)])]
    return Verdict(_wrong_ends(left, right, invented), ", and ".join(differences))


def _same_meaning(gold: Triple, system: Triple) -> Verdict:
    """Return why two triples mean the same although they are not written alike."""
    if gold.name == system.name:
        return Verdict(WIDER, "same relation, and " + ", and ".join(_ends(gold, system, [False, False], whole=True)))
    return Verdict(MAPPED, f"the table says that {system.name} means what {gold.name} means")


def _names(gold: Triple, system: Triple) -> str:
    return f"{system.wordings[0][1]!r} for {gold.wordings[0][1]!r}"


def _ends(gold: Triple, system: Triple, invented: list[bool], *, whole: bool = False) -> Iterator[str]:
    """Yield which ends are different: those that do not agree or, with ``whole``, are not written alike."""
    pairs = (("head", gold.head, system.head), ("tail", gold.tail, system.tail))
    for (word, one, two), is_invented in zip(pairs, invented, strict=True):
        if one.phrase != two.phrase and (whole or not agree(one, two)):
            yield f"the {word} is {two.text!r} for {one.text!r}" + (f", which is {ABSENT}" if is_invented else "")


def agree(gold: End, system: End) -> bool:
    """Say whether two ends agree under the overlap regime."""
    return agreeing([gold], [system]) == [1]


def _wrong_ends(gold: Triple, system: Triple, invented: list[bool]) -> str:
    head, tail = agree(gold.head, system.head), agree(gold.tail, system.tail)
    wrong = [not head and invented[0], not tail and invented[1]]
    if any(wrong):
        return hallucinated(*wrong)
    if head or tail:
        return "wrong-tail" if head else "wrong-head"
    return ALIKE


def hallucinated(head: bool, tail: bool) -> str:
    """Return the word for a triple with an end that is not in the text."""
    return "hallucinated-both" if head and tail else "hallucinated-head" if head else "hallucinated-tail"


def of_lone(judged: Judgement, side: int, index: int, twin: Triple | None, nearest: Triple | None) -> Verdict:
    """Return why a triple has no partner.

    ``twin`` is one of the same side that says the same, and ``nearest`` the one of the other side that comes nearest,
    if there are such.
    """
    other = ("system", "gold")[side]
    triple = judged.sides[side][index]
    if twin is not None:
        near = f"it says the same as {shown(twin)}"
    elif nearest is not None:
        near = f"{shown(nearest)} comes nearest, but is nearer to another"
    else:
        near = f"no {other} triple comes near"
    if side != SYSTEM:
        return Verdict("missed", near)
    ends = zip(judged.sheet.invented or ((), ()), ("head", "tail"), (triple.head, triple.tail), strict=True)
    absent = [(word, end) for marks, word, end in ends if marks and marks[index]]
    if not absent:
        return Verdict("spurious", near)
    words = [word for word, _ in absent]
    found = " and ".join(f"the {word} {end.text!r}" for word, end in absent)
    return Verdict(
        hallucinated("head" in words, "tail" in words), f"{found} {'is' if len(absent) == 1 else 'are'} {ABSENT}"
    )


def shown(triple: Triple) -> str:
    """Return a triple as people read it."""
    head, name, tail = triple.wordings[0]
    return f"({head}, {name}, {tail})"
