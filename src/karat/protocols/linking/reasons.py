"""What is wrong with a pair of linked mentions, or why a mention has no partner, in words."""

from __future__ import annotations

from collections.abc import Iterator

from karat.protocols.linking.items import Linked

EXACT = "exact"
_SEVERAL = "wrong-several"


def case_of(gold: Linked, system: Linked) -> str:
    """Return the word for what happened to a pair."""
    found = list(_faults(gold, system))
    if not found:
        return EXACT
    return found[0] if len(found) == 1 else _SEVERAL


def _faults(gold: Linked, system: Linked) -> Iterator[str]:
    if gold.spans != system.spans:
        yield "wrong-place" if not _meet(gold, system) else "wrong-boundary"
    if gold.kb_id != system.kb_id:
        yield "nil-for-link" if system.target.is_nil else "link-for-nil" if gold.target.is_nil else "wrong-id"
    if gold.label != system.label:
        yield "wrong-type"


def pair_reason(gold: Linked, system: Linked) -> str:
    """Return what is the same about a pair, and what is not.

    >>> import msgspec
    >>> from karat.vocabularies.identifiers import Identifier
    >>> gold = Linked(((0, 4),), "LOC", 0, 4, 4, Identifier("Q70", False, "Q70"))
    >>> pair_reason(gold, msgspec.structs.replace(gold, target=Identifier("Q70", False, "Q9", ("redirect",))))
    'same place, link and type; Q9 is read as Q70 (redirect)'
    """
    same, other = [], []
    if gold.spans == system.spans:
        same.append("place")
    elif _meet(gold, system):
        other.append(_boundaries(gold, system))
    else:
        other.append("another place")
    if gold.kb_id == system.kb_id:
        same.append("NIL" if gold.target.is_nil else "link")
    else:
        other.append(f"{_named(system)} for {_named(gold)}")
    if gold.label == system.label:
        same += ["type"] if gold.label else []
    else:
        other.append(f"type {system.label or 'none'} for {gold.label or 'none'}")
    agreed = f"same {' and '.join([', '.join(same[:-1]), same[-1]] if len(same) > 1 else same)}" if same else ""
    return "; ".join([*filter(None, [", but ".join(filter(None, [agreed, ", ".join(other)]))]), *_ways(gold, system)])


def lone_reason(one: Linked, other: str, is_met: bool) -> str:
    """Return why a mention has no partner on the other side."""
    found = f"the {other} mentions that overlap it have other partners" if is_met else f"no {other} mention overlaps it"
    return "; ".join([found, *_ways(one)])


def _ways(*items: Linked) -> Iterator[str]:
    """Say which links were read as others."""
    for target in dict.fromkeys(one.target for one in items):
        if target.ways:
            yield f"{target.written} is read as {target.name} ({', '.join(target.ways)})"


def _named(one: Linked) -> str:
    return one.target.name


def _meet(gold: Linked, system: Linked) -> bool:
    return gold.start < system.end and system.start < gold.end


def _boundaries(gold: Linked, system: Linked) -> str:
    if (gold.start, gold.end) == (system.start, system.end):
        return "other fragments between the same boundaries"
    outside = system.start <= gold.start and gold.end <= system.end
    inside = gold.start <= system.start and system.end <= gold.end
    kind = "too long" if outside else "too short" if inside else "shifted"
    return f"{kind} ({system.start}-{system.end} for {gold.start}-{gold.end})"
