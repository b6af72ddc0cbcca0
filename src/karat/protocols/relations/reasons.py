"""Why a claim is judged as it is, in words."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate

from karat.model import Span
from karat.protocols.relations.claims import TRIGGER, Claim, End
from karat.protocols.relations.nearest import (
    EXACT,
    OTHER_MENTION,
    REVERSED,
    WRONG_BOUNDARY,
    WRONG_LABEL,
    WRONG_TYPE,
    akin_ends,
    is_reversed,
)


class Places:
    """Where the mentions of one side are."""

    def __init__(self, spans: Sequence[Span]) -> None:
        ordered = sorted(spans)
        self.starts = [start for start, _ in ordered]
        self.ends = list(accumulate((end for _, end in ordered), max))

    def has(self, end: End) -> bool:
        """Say whether a mention overlaps the end of a claim."""
        before = bisect_left(self.starts, end.spans[-1][1])
        return before > 0 and self.ends[before - 1] > end.spans[0][0]


def pair_reason(case: str, gold: Claim, system: Claim, system_places: Places) -> str:
    """Return in words what two claims have in common and what is different."""
    if case == EXACT:
        return "same label, ends and entity types"
    if case == REVERSED:
        return "same label and ends, but in the opposite direction"
    if case == WRONG_LABEL:
        ends = "the ends are exchanged, and" if is_reversed(gold, system) else "same ends, but"
        return f"{ends} {system.label} for {gold.label}"
    if case == WRONG_TYPE:
        return f"same label and boundaries, but {', '.join(_other_types(gold, system))}"
    differences = ", ".join(_other_texts(gold, system, system_places, all_ends=case in (WRONG_BOUNDARY, OTHER_MENTION)))
    return f"{'other mentions of the same entities:' if case == OTHER_MENTION else 'same label, but'} {differences}"


def lone_reason(claim: Claim, other: str, places: Places) -> str:
    """Return in words why a claim has no partner on the other side."""
    if not claim.listed:
        return f"it has no ends, and the {other} has no such relation"
    absent = [f"{word} {end.text!r}" for word, end in _named(claim) if not places.has(end)]
    if absent:
        return f"the {other} has no mention where {' and '.join(absent)} stand{'s' * (len(absent) == 1)}"
    return f"the {other} has a mention at every end, but joins them by no such relation"


def lacks_mention(claim: Claim, places: Places) -> bool:
    """Say whether some end of a claim is where the other side has no mention."""
    return not all(places.has(end) for end in claim.listed)


def _named(claim: Claim) -> Iterator[tuple[str, End]]:
    """Yield the ends with the word for each: head and tail, or the name of the role."""
    for index, end in enumerate(claim.listed):
        if claim.is_directed:
            yield ("the head", "the tail")[index], end
        else:
            yield "an end" if claim.is_binary else _role(end), end


def _role(end: End) -> str:
    return "the trigger" if end.name == TRIGGER else end.name or "an end"


def _other_types(gold: Claim, system: Claim) -> Iterator[str]:
    met = {two: system.listed[one] for one, two in akin_ends(gold.listed, system.listed).items()}
    for index, (word, end) in enumerate(_named(gold)):
        other = met.get(index)
        if other is not None and other.types != end.types:
            found, expected = ("|".join(one.types) or "without a type" for one in (other, end))
            yield f"{word} {end.text!r} is {found} for {expected}"


def _other_texts(gold: Claim, system: Claim, places: Places, *, all_ends: bool) -> Iterator[str]:
    """Yield which ends are different: all that are not in the same place, or only those that have nothing in common."""
    met = {two: one for one, two in akin_ends(gold.listed, system.listed).items()}
    spare = [one for one in range(len(system.listed)) if one not in met.values()]
    for index, (word, end) in enumerate(_named(gold)):
        at = met.get(index)
        if at is None:
            at = next((one for one in spare if system.listed[one].role == end.role), None)
            if at is None:
                yield f"{word} {end.text!r} is missing"
                continue
            spare.remove(at)
        elif not all_ends:
            continue
        found = system.listed[at]
        if found.spans != end.spans:
            absent = "" if places.has(end) else ", where the system has no mention"
            other = f"another {end.text!r}" if found.text == end.text else f"{found.text!r} for {end.text!r}"
            yield f"{word} is {other}{absent}"
    for one in spare:
        yield f"{_role(system.listed[one])} {system.listed[one].text!r} is too much"
