"""What can happen to a linked mention, what it counts for, and how mention and reason are worded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from karat.evaluation.casebook import MISSED as LACKS
from karat.evaluation.casebook import PARTIAL, Cases, Verdict
from karat.evaluation.casebook import SPURIOUS as TOO_MUCH
from karat.evaluation.ledger import Item
from karat.evaluation.protocol import Side
from karat.protocols.likeness import Links
from karat.protocols.linking.items import Linked
from karat.vocabularies.identifiers import Identifier

if TYPE_CHECKING:
    from karat.protocols.linking.judge import Page

EXACT, SEVERAL = "exact", "wrong-several"
MISSED, SPURIOUS = "missed", "spurious"

CASES: Cases = {
    EXACT: PARTIAL,
    "wrong-place": PARTIAL,
    "wrong-boundary": PARTIAL,
    "nil-for-link": PARTIAL,
    "link-for-nil": PARTIAL,
    "wrong-id": PARTIAL,
    "wrong-type": PARTIAL,
    SEVERAL: PARTIAL,
    MISSED: LACKS,
    SPURIOUS: TOO_MUCH,
}
"""Whether a pair is right depends on the rule, and is the weight of the verdict."""


def case_of(gold: Linked, system: Linked) -> str:
    """Return the case of a pair."""
    case = EXACT
    if gold.spans != system.spans:
        case = "wrong-boundary" if _meet(gold, system) else "wrong-place"
    if gold.kb_id != system.kb_id:
        wrong = "nil-for-link" if system.target.is_nil else "link-for-nil" if gold.target.is_nil else "wrong-id"
        case = wrong if case == EXACT else SEVERAL
    if gold.label != system.label:
        case = "wrong-type" if case == EXACT else SEVERAL
    return case


def item(page: Page, side: Side, index: int) -> Item:
    """Return how a mention is shown: by its type, if it has one, and its identifier."""
    mention: Linked = getattr(page, side)[index]
    text = mention.words or " ".join(page.layer.text[start:end] for start, end in mention.spans)
    names = (mention.label, mention.target.name) if mention.label else (mention.target.name,)
    place = page.layer.sources[side == "system"]
    span, ends = ((mention.start, mention.end), (mention.spans,)) if mention.spans else (None, ())
    return Item(names[0], text, span, alternatives=names[1:], place=place, ends=ends, score=mention.score)


def links(page: Page, verdict: Verdict) -> Links:
    """Return the links of a pair: all that the gold accepts, and the one of the system."""
    gold, system = page.gold[verdict.gold or 0], page.system[verdict.system or 0]
    named = gold.target.name, system.target.name
    return Links(_known(gold.target, *gold.alternatives), _known(system.target), gold.spans == system.spans, named)


def _known(*targets: Identifier) -> tuple[str, ...]:
    return tuple(dict.fromkeys(target.name for target in targets if not target.is_nil))


def reason(page: Page, verdict: Verdict) -> str:
    """Return what is the same about a pair and what is not, or why a mention has no partner."""
    if verdict.gold is None:
        index = verdict.system or 0
        return lone_reason(page.system[index], "gold", bool(page.layer.candidates[index]))
    gold = page.gold[verdict.gold]
    if verdict.system is None:
        return lone_reason(gold, "system", verdict.gold in page.layer.met_golds)
    return pair_reason(gold, page.system[verdict.system])


def pair_reason(gold: Linked, system: Linked) -> str:
    """Return what is the same about a pair, and what is not.

    >>> import msgspec
    >>> from karat.vocabularies.identifiers import Identifier
    >>> gold = Linked(((0, 4),), "LOC", 0, 4, 4, "", Identifier("Q70", False, "Q70"))
    >>> pair_reason(gold, msgspec.structs.replace(gold, target=Identifier("Q70", False, "Q9", ("redirect",))))
    'same place, link and type; Q9 is read as Q70 (redirect)'
    """
    same, different = [], []
    if gold.spans == system.spans:
        same.append("place")
    elif _meet(gold, system):
        different.append(_boundaries(gold, system))
    else:
        different.append("another place")
    if gold.kb_id == system.kb_id:
        same.append("NIL" if gold.target.is_nil else "link")
    else:
        different.append(f"{system.target.name} for {gold.target.name}")
    if gold.label == system.label:
        same += ["type"] if gold.label else []
    else:
        different.append(f"type {system.label or 'none'} for {gold.label or 'none'}")
    agreed = f"same {' and '.join([', '.join(same[:-1]), same[-1]] if len(same) > 1 else same)}" if same else ""
    return "; ".join(
        [*filter(None, [", but ".join(filter(None, [agreed, ", ".join(different)]))]), *_ways(gold, system)]
    )


def lone_reason(mention: Linked, side: Side, is_met: bool) -> str:
    """Return why a mention has no partner on the other side."""
    why = f"the {side} mentions that overlap it have other partners" if is_met else f"no {side} mention overlaps it"
    return "; ".join([why, *_ways(mention)])


def _ways(*items: Linked) -> Iterator[str]:
    """Return the identifiers that were normalised, in words."""
    for target in dict.fromkeys(mention.target for mention in items):
        if target.ways:
            yield f"{target.written} is read as {target.name} ({', '.join(target.ways)})"


def _meet(gold: Linked, system: Linked) -> bool:
    return gold.start < system.end and system.start < gold.end


def _boundaries(gold: Linked, system: Linked) -> str:
    if (gold.start, gold.end) == (system.start, system.end):
        return "other fragments between the same boundaries"
    outside = system.start <= gold.start and gold.end <= system.end
    inside = gold.start <= system.start and system.end <= gold.end
    kind = "too long" if outside else "too short" if inside else "shifted"
    return f"{kind} ({system.start}-{system.end} for {gold.start}-{gold.end})"
