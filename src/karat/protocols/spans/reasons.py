"""What is wrong with a pair of entities, or why an entity has no partner, in words."""

from __future__ import annotations

from karat.errors import many
from karat.protocols.spans.items import Entity

EXACT, WRONG_LABEL, WRONG_BOUNDARY, WRONG_BOTH = "exact", "wrong-label", "wrong-boundary", "wrong-both"
MISSED, SPURIOUS = "missed", "spurious"


def case_of(gold: Entity, system: Entity) -> str:
    """Return the word for what happened to a pair."""
    if gold.spans == system.spans:
        return EXACT if gold.label == system.label else WRONG_LABEL
    return WRONG_BOUNDARY if gold.label == system.label else WRONG_BOTH


def pair_reason(gold: Entity, system: Entity) -> str:
    """Return what is different about a pair.

    >>> from karat.protocols.spans.items import entity
    >>> pair_reason(entity(((4, 9),), "LOC"), entity(((0, 9),), "LOC"))
    'same label, but too long: begins 4 characters early'
    """
    label = f"{system.label or 'no label'} for {gold.label or 'no label'}"
    if gold.spans == system.spans:
        return "same place and label" if gold.label == system.label else f"same place, but {label}"
    return f"{'same label, but' if gold.label == system.label else f'{label}, and'} {_boundaries(gold, system)}"


def _boundaries(gold: Entity, system: Entity) -> str:
    early, late = gold.start - system.start, system.end - gold.end
    if not early and not late:
        return "other fragments between the same boundaries"
    kind = "too long" if min(early, late) >= 0 else "too short" if max(early, late) <= 0 else "shifted"
    moved = [
        f"{verb} {many(abs(number), 'character')} {'early' if (number > 0) == is_start else 'late'}"
        for verb, number, is_start in (("begins", early, True), ("ends", late, False))
        if number
    ]
    return f"{kind}: {', '.join(moved)}"


def lone_reason(other: str, is_met: bool) -> str:
    """Return why an entity has no partner on the other side."""
    if is_met:
        return f"every {other} entity that shares a character with it has another partner"
    return f"no {other} entity shares a character with it"
