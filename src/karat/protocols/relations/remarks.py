"""What a user should know before believing the numbers: sides that do not speak the same language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from karat.protocols.relations.claims import Claim
from karat.protocols.relations.judge import Sheet
from karat.protocols.relations.options import RelationOptions


def remarks(sheets: Sequence[Sheet], options: RelationOptions) -> Iterator[str]:
    """Yield what looks odd about the claims of both sides, in words."""
    gold = [claim for sheet in sheets for claim in sheet.gold]
    system = [claim for sheet in sheets for claim in sheet.system]
    for name, claims in (("gold", gold), ("system", system)):
        if not claims:
            yield f"the {name} has no relations"
        repeated = sum(len(claim.ids) - 1 for claim in claims)
        if repeated:
            number = len(claims) + repeated
            yield f"left out {repeated} of {number} {name} relations, which say the same as another one"
    yield from _symmetric(gold + system, options)
    if gold and system:
        yield from _labels(gold, system, options)
        yield from _roles(gold, system, options)


def _symmetric(claims: Sequence[Claim], options: RelationOptions) -> Iterator[str]:
    labels = {claim.label for claim in claims}
    absent = [label for label in options.symmetric if label not in labels]
    if absent:
        yield f"no relation has a label that --symmetric names: {_some(absent)}"


def _labels(gold: Sequence[Claim], system: Sequence[Claim], options: RelationOptions) -> Iterator[str]:
    known = {claim.label for claim in gold}
    unknown = Counter(claim.label for claim in system if claim.label not in known)
    if unknown and options.labels == "compare":
        number = f"{unknown.total()} of {len(system)}"
        yield f"the gold never uses the labels of {number} system relations: {_some(sorted(unknown))}"


def _roles(gold: Sequence[Claim], system: Sequence[Claim], options: RelationOptions) -> Iterator[str]:
    expected, found = ({role for claim in claims for role in claim.roles if role} for claims in (gold, system))
    if expected and found and not expected & found and options.roles == "names":
        names = f"{_some(sorted(found))} instead of {_some(sorted(expected))}"
        yield f"the system uses none of the gold's roles ({names}); to compare by position say --roles positions"


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (", …" if len(names) > 5 else "")
