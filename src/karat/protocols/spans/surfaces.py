"""Surface forms, as WNUT-17 counts them: the words and label of entities, each once in all documents.

As published, a form is right if an entity with it is right in its place somewhere; corrected, if both sides have it. A
form is judged in one document: the first by id in which it is what it counts as. The first program knew no labels, and
lost some on both sides.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from karat.model import Document
from karat.protocols.base import Pair, Sheet
from karat.protocols.casebook import Verdict
from karat.protocols.spans.cases import EXACT, FORM_MISSED, FORM_SPURIOUS, SAME_FORM, words
from karat.protocols.spans.draft import Known, Page, draft
from karat.protocols.spans.options import Wnut17Options

_REGIMES = ("surface",)

Form = Hashable
"""What makes two surface forms the same."""
Pages = Mapping[int, Page]
"""The pages of a layer by the numbers of their sheets."""


class Place(NamedTuple):
    """An entity of a side, by the number of its sheet and its place on the page."""

    sheet: int
    entity: int


class Forms(NamedTuple):
    """Where each form of the gold and of the system counts, and those that are right in their place, with both ends."""

    gold: dict[Form, Place]
    system: dict[Form, Place]
    right: dict[Form, tuple[Place, Place]]


def why_whole(known: Known, options: Wnut17Options) -> str:
    """Say why all documents are needed at once."""
    del known, options
    return "a surface form counts once in all documents"


def draft_with_forms(pairs: Sequence[Pair], known: Known, options: Wnut17Options) -> Iterator[Sheet]:
    """Yield the sheets of all pairs, with verdicts on the surface forms, layer by layer."""
    sheets = [sheet for pair in pairs for sheet in draft(*pair, known, options)]
    layers = range(len(sheets[0].content)) if sheets else range(0)
    by_id = sorted(range(len(sheets)), key=lambda number: sheets[number].unit)
    judged = []
    for layer in layers:
        if options.profile == "first":
            forms = _kept_by_the_first([sheet.content[layer] for sheet in sheets], [_breaks(gold) for gold, _ in pairs])
        else:
            forms = _forms({number: sheets[number].content[layer] for number in by_id})
        judged.append(_verdicts(forms, anywhere=options.profile != "published"))
    for number, sheet in enumerate(sheets):
        pages_of = enumerate(sheet.content)
        content = [msgspec.structs.replace(page, forms=judged[layer].get(number, ())) for layer, page in pages_of]
        yield msgspec.structs.replace(sheet, content=content)


def _forms(pages: Pages) -> Forms:
    """Return every form of both sides, and those of entities that are on both sides in the same place."""
    forms = Forms({}, {}, {})
    for number, page in pages.items():
        golds = {entity: Place(number, place) for place, entity in enumerate(page.gold)}
        for entity, place in golds.items():
            forms.gold.setdefault((words(page, entity), entity.label), place)
        for index, entity in enumerate(page.system):
            form, place = (words(page, entity), entity.label), Place(number, index)
            forms.system.setdefault(form, place)
            if entity in golds:
                forms.right.setdefault(form, (golds[entity], place))
    return forms


def _verdicts(forms: Forms, *, anywhere: bool) -> dict[int, list[Verdict]]:
    """Return the verdicts on forms, by sheet; those of both sides are right ``anywhere``, or only in their place."""
    verdicts: dict[int, list[Verdict]] = {}
    for gold, system in forms.right.values():
        verdicts.setdefault(gold.sheet, []).append(Verdict(EXACT, gold.entity, system.entity, _REGIMES))
    both = forms.gold.keys() & forms.system.keys() if anywhere else set()
    for form, place in forms.gold.items():
        if form not in forms.right:
            case = SAME_FORM if form in both else FORM_MISSED
            verdicts.setdefault(place.sheet, []).append(Verdict(case, place.entity, None, _REGIMES))
    for form, place in forms.system.items():
        if form not in forms.right:
            case = SAME_FORM if form in both else FORM_SPURIOUS
            verdicts.setdefault(place.sheet, []).append(Verdict(case, None, place.entity, _REGIMES))
    return verdicts


def _kept_by_the_first(pages: Sequence[Page], breaks: Sequence[Container[int]]) -> Forms:
    """Return the forms that the first program had, document after document; ``breaks`` are where sentences begin.

    Of the gold these are the entities that are right; before the words of one stand those of entities since the last
    that began as they should and ended elsewhere. Of the system it lost every entity that follows another without a
    token between them, unless that one was lost itself.
    """
    forms = Forms({}, {}, {})
    begun: list[str] = []
    for number, (page, starts) in enumerate(zip(pages, breaks, strict=True)):
        golds = {(entity.start, entity.label): index for index, entity in enumerate(page.gold)}
        kept = 0
        for index, entity in enumerate(page.system):
            follows = kept and entity.start not in starts and not page.text[kept : entity.start].strip()
            kept = 0 if follows else entity.end
            if kept:
                forms.system.setdefault(_spaced(words(page, entity)), Place(number, index))
            partner = golds.get((entity.start, entity.label))
            if partner is not None:
                end = page.gold[partner].end
                begun.append(_spaced(page.text[entity.start : min(entity.end, end)]))
                if end == entity.end:
                    forms.gold.setdefault(" ".join(begun), Place(number, partner))
                    begun.clear()
    return forms


def _spaced(text: str) -> str:
    return text.replace("\t", " ")


def _breaks(document: Document) -> Container[int]:
    """Return where the sentences of a document begin, as far as they are known."""
    table = document.table
    return {table.starts[token] for token in table.segments} if table is not None and table.starts else ()
