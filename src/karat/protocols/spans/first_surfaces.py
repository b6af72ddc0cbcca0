"""Surface forms as the first program of WNUT-17 had them, which took words from one document into the next."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import NamedTuple

from karat.model import Document
from karat.protocols.base import Pair, Sheet
from karat.protocols.casebook import Verdict
from karat.protocols.spans.cases import FORM_MISSED, FORM_SPURIOUS, words_in
from karat.protocols.spans.draft import Known, Page, draft
from karat.protocols.spans.options import Wnut17Options
from karat.protocols.spans.surfaces import lone_form, with_verdicts

Kept = dict[str, tuple[int, int]]
"""For each form the sheet in which it counts, and the place of an entity with it on the page, by their numbers."""


def why_whole(known: Known, options: Wnut17Options) -> str:
    """Say why all documents are needed at once, if they are."""
    del known
    return "the first program takes words from one document into the next" if options.profile == "first" else ""


def draft_all(pairs: Sequence[Pair], known: Known, options: Wnut17Options) -> Iterator[Sheet]:
    """Yield the sheets of all pairs, with verdicts on the surface forms that the program had."""
    sheets = [sheet for pair in pairs for sheet in draft(*pair, known, options)]
    breaks = [_breaks(gold) for gold, _ in pairs]
    layers = range(len(sheets[0].content)) if sheets else range(0)
    judged = [_verdicts([sheet.content[layer] for sheet in sheets], breaks) for layer in layers]
    for index, sheet in enumerate(sheets):
        yield with_verdicts(sheet, [by_sheet[index] for by_sheet in judged])


def _verdicts(pages: Sequence[Page], breaks: Sequence[Container[int]]) -> list[list[Verdict]]:
    """Return the verdicts on the forms of a layer, page by page."""
    sides = _kept(pages, breaks)
    verdicts: list[list[Verdict]] = [[] for _ in pages]
    for forms, others, case in ((sides.gold, sides.system, FORM_MISSED), (sides.system, sides.gold, FORM_SPURIOUS)):
        for form, (sheet, place) in forms.items():
            verdicts[sheet].append(lone_form(form, place, others, case))
    return verdicts


class _Sides(NamedTuple):
    gold: Kept
    system: Kept


def _kept(pages: Sequence[Page], breaks: Sequence[Container[int]]) -> _Sides:
    """Return the forms that the first program had, document after document; ``breaks`` are where sentences begin.

    Of the gold these are the entities that are right; before the words of one stand those of entities since the last
    that began as they should and ended elsewhere. Of the system it lost every entity that follows another without a
    token between them, unless that one was lost itself. A form of both sides stands for an entity that is right: it has
    one label, and is in one document.
    """
    forms = _Sides({}, {})
    right: Kept = {}
    begun: list[str] = []
    for document, (page, starts) in enumerate(zip(pages, breaks, strict=True)):
        golds = {(entity.start, entity.label): index for index, entity in enumerate(page.gold)}
        kept = 0
        for index, entity in enumerate(page.system):
            follows = kept and entity.start not in starts and not page.text[kept : entity.start].strip()
            kept = 0 if follows else entity.end
            if kept:
                forms.system.setdefault(_spaced(words_in(page.text, entity)), (document, index))
            partner = golds.get((entity.start, entity.label))
            if partner is not None:
                end = page.gold[partner].end
                begun.append(_spaced(page.text[entity.start : min(entity.end, end)]))
                if end == entity.end:
                    form = " ".join(begun)
                    forms.gold.setdefault(form, (document, partner))
                    right.setdefault(form, (document, index))
                    begun.clear()
    return _Sides(forms.gold, {form: right.get(form, place) for form, place in forms.system.items()})


def _spaced(text: str) -> str:
    return text.replace("\t", " ")


def _breaks(document: Document) -> Container[int]:
    """Return where the sentences of a document begin, as far as they are known."""
    table = document.table
    return {table.starts[token] for token in table.segments} if table is not None and table.starts else ()
