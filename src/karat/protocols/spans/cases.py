"""What can happen to an entity, what it counts for, and how entity and reason are worded."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from karat.annotations.tokens import line_of
from karat.errors import many
from karat.evaluation.casebook import CORRECT, INCORRECT, PARTIAL, Cases, Verdict
from karat.evaluation.casebook import MISSED as LACKS
from karat.evaluation.casebook import SPURIOUS as TOO_MUCH
from karat.evaluation.invented import INVENTED
from karat.evaluation.ledger import Item
from karat.evaluation.protocol import Side
from karat.matching.text_order import text_position
from karat.model import Document
from karat.protocols.spans.items import Entity

if TYPE_CHECKING:
    from karat.protocols.spans.draft import Page

EXACT, WRONG_LABEL, WRONG_BOUNDARY, WRONG_BOTH = "exact", "wrong-label", "wrong-boundary", "wrong-both"
MISSED, SPURIOUS = "missed", "spurious"
SAME_FORM, FORM_MISSED, FORM_SPURIOUS = "same-form", "form-missed", "form-spurious"

_PAIRS = (EXACT, WRONG_LABEL, WRONG_BOUNDARY, WRONG_BOTH)
_LONE: Cases = {MISSED: LACKS, SPURIOUS: TOO_MUCH}

CONLL2003: Cases = {EXACT: CORRECT, **dict.fromkeys(_PAIRS[1:], INCORRECT), **_LONE}
SEMEVAL2013: Cases = {
    EXACT: {"strict": CORRECT, "exact": CORRECT, "partial": CORRECT, "type": CORRECT},
    WRONG_LABEL: {"strict": INCORRECT, "exact": CORRECT, "partial": CORRECT, "type": INCORRECT},
    WRONG_BOUNDARY: {"strict": INCORRECT, "exact": INCORRECT, "partial": PARTIAL, "type": CORRECT},
    WRONG_BOTH: {"strict": INCORRECT, "exact": INCORRECT, "partial": PARTIAL, "type": INCORRECT},
    **_LONE,
}
NERVALUATE: Cases = {
    case: {("ent_type" if regime == "type" else regime): value for regime, value in worth.items()}
    if isinstance(worth, Mapping)
    else worth
    for case, worth in SEMEVAL2013.items()
}
"""The same by the names of nervaluate."""
OVERLAP: Cases = {**dict.fromkeys(_PAIRS, PARTIAL), **_LONE}
"""The credit of a pair is graded: it is the weight of the verdict."""

MULTICONER: Cases = {
    EXACT: {"strict": CORRECT, "mention": CORRECT},
    WRONG_LABEL: {"strict": INCORRECT, "mention": CORRECT},
    WRONG_BOUNDARY: {"strict": INCORRECT, "mention": INCORRECT},
    WRONG_BOTH: {"strict": INCORRECT, "mention": INCORRECT},
    **_LONE,
}
WNUT17: Cases = {
    EXACT: {"entity": CORRECT, "surface": CORRECT},
    **{case: {"entity": INCORRECT} for case in _PAIRS[1:]},
    **_LONE,
    INVENTED: TOO_MUCH,
    SAME_FORM: {"surface": CORRECT},
    FORM_MISSED: {"surface": LACKS},
    FORM_SPURIOUS: {"surface": TOO_MUCH},
}
"""An entity counts in its place; a surface form, which is its words and label, once in all documents."""

GRADED = {"typed": "typed-graded", "untyped": "untyped-graded"}
"""For the regimes of overlap that count pairs, those that count how much the same pairs overlap."""


def case_of(gold: Entity, system: Entity) -> str:
    """Return the case of a pair."""
    if gold.spans == system.spans:
        return EXACT if gold.label == system.label else WRONG_LABEL
    return WRONG_BOUNDARY if gold.label == system.label else WRONG_BOTH


def order(page: Page, verdict: Verdict) -> tuple[Any, ...]:
    """Return the sort key of an entry: text order, gold before system."""
    gold, system = verdict.gold, verdict.system
    entity = page.gold[gold] if gold is not None else page.system[system or 0]
    position = text_position(entity.spans, entity.start, entity.end)
    return position, gold is None, gold or 0, -1 if system is None else system


def item(page: Page, side: Side, index: int) -> Item:
    """Return how an entity is shown."""
    entity: Entity = (page.gold if side == "gold" else page.system)[index]
    document = page.documents[side == "system"]
    words = words_in(page.text, entity)
    if not entity.spans:
        return Item(entity.label, words, None, place=document.source)
    line = _line(document, entity.start)
    return Item(entity.label, words, (entity.start, entity.end), place=line, ends=(entity.spans,))


def words_in(text: str, entity: Entity) -> str:
    """Return the words of an entity of a text."""
    if len(entity.spans) == 1:
        return entity.words or text[entity.start : entity.end]
    return entity.words or " ".join(text[start:end] for start, end in entity.spans)


def _line(document: Document, character: int) -> str:
    """Return ``file:line`` of a character, as far as it is known."""
    table = document.table
    if table is None or not document.source:
        return document.source
    token = bisect_right(table.starts, character) - 1
    line = line_of(table, token) if token >= 0 else None
    return document.source if line is None else f"{document.source}:{line}"


def reason(page: Page, verdict: Verdict) -> str:
    """Return what is different about a pair, or why an entity has no partner."""
    if verdict.case in _OF_FORMS:
        return _OF_FORMS[verdict.case]
    if verdict.gold is None:
        return lone_reason("gold", verdict.system in page.met_systems)
    if verdict.system is None:
        return lone_reason("system", verdict.gold in page.met_golds)
    return pair_reason(page.gold[verdict.gold], page.system[verdict.system])


_OF_FORMS = {
    SAME_FORM: "the other side has this surface form, too",
    FORM_MISSED: "no system entity with this surface form is right",
    FORM_SPURIOUS: "no gold entity with this surface form is found",
}
"""Why a surface form counts as it does."""


def reason_by_meetings(page: Page, verdict: Verdict) -> str:
    """Return how a pair differs, or that no entity was free where entities choose one after the other."""
    if verdict.gold is None or verdict.system is None:
        return f"no {'gold' if verdict.gold is None else 'system'} entity that meets it is left for it"
    return pair_reason(page.gold[verdict.gold], page.system[verdict.system])


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
        f"{verb} {many(abs(shift), 'character')} {'early' if (shift > 0) == is_start else 'late'}"
        for verb, shift, is_start in (("begins", early, True), ("ends", late, False))
        if shift
    ]
    return f"{kind}: {', '.join(moved)}"


def lone_reason(side: Side, is_met: bool) -> str:
    """Return why an entity has no partner on the other side."""
    if is_met:
        return f"every {side} entity that shares a character with it has another partner"
    return f"no {side} entity shares a character with it"
