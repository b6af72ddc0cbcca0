"""Surface forms, as WNUT-17 counts them: the words and label of entities, each once in all documents.

As published, a form is right if an entity with it is right in its place somewhere; corrected, if both sides have it. A
form is judged in one document: the first by id in which it is what it counts as. Which that is follows from facts: what
forms a document has, and where. The first program, which took words from one document into the next, needs all of them.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from karat.annotations.columns import LINK_COLUMNS, TAG
from karat.annotations.selection import without_unplaced
from karat.evaluation.casebook import Verdict
from karat.evaluation.protocol import Facts, Pair, Sheet, Side
from karat.matching.fragments import Spans
from karat.model import Document
from karat.protocols.spans.cases import EXACT, FORM_MISSED, FORM_SPURIOUS, SAME_FORM, words_in
from karat.protocols.spans.draft import SIDES, EntitiesKnown, Page, draft, entities_by_layer, facts, settle
from karat.protocols.spans.items import Entity, is_whole
from karat.protocols.spans.options import Wnut17Options

_REGIMES = ("surface",)

Form = tuple[str, str]
"""Words and label."""


class UnitFact(msgspec.Struct, frozen=True):
    """The fact that a side has this document."""

    side: Side
    unit: str


class FormFact(msgspec.Struct, frozen=True):
    """The fact that a document of a side has a form in a layer at these spans."""

    side: Side
    layer: str
    unit: str
    form: Form
    places: tuple[Spans, ...]


class SurfaceForms(NamedTuple):
    """The unit in which each form counts as gold, as system and as correct: the first one that has it."""

    gold: dict[Form, str]
    system: dict[Form, str]
    right: dict[Form, str]


_NO_FORMS = SurfaceForms({}, {}, {})


class KnownForms(EntitiesKnown, frozen=True):
    """The facts of the whole corpus, with the forms of each page by its name."""

    forms: Mapping[str, SurfaceForms]


def facts_with_forms(document: Document, side: Side, options: Wnut17Options) -> Iterator[Hashable]:
    """Yield what every protocol of entities must know of a document, that it is there, and which forms it has where."""
    yield from facts(document, side, options)
    yield UnitFact(side, document.id)
    if options.invented == "skip":
        document = without_unplaced(document)
    mentions = list(filter(is_whole, document.mentions))
    layers = dict.fromkeys(mention.layer for mention in mentions) | dict.fromkeys(_tagged_layers(document))
    for layer, entities in entities_by_layer(document, mentions, list(layers), options).items():
        places: dict[Form, set[Spans]] = {}
        for entity in entities:
            places.setdefault(_form(document.text, entity), set()).add(entity.spans)
        for form, indices in places.items():
            yield FormFact(side, layer, document.id, form, tuple(sorted(indices)))


def _tagged_layers(document: Document) -> Iterator[str]:
    """Yield the layers that the columns of a document may be; those without a name hold no tags of entities."""
    for column in () if document.table is None else document.table.columns:
        if not column.isdigit() and column not in LINK_COLUMNS.values():
            yield "" if column == TAG else column


def settle_with_forms(facts: Facts, options: Wnut17Options) -> KnownForms:
    """Return the layers, and for each form of them in which of the documents that are compared it counts."""
    known = settle(facts)
    units: dict[Side, set[str]] = {side: set() for side in SIDES}
    for fact in facts:
        if isinstance(fact, UnitFact):
            units[fact.side].add(fact.unit)
    compared = units["gold"] if options.missing == "empty" else units["gold"] & units["system"]
    places: dict[tuple[str, str, Form], dict[Side, set[Spans]]] = {}
    for fact in facts:
        if isinstance(fact, FormFact) and fact.unit in compared and fact.layer in known.layers:
            page = "" if options.layers == "ignore" else fact.layer
            by_side = places.setdefault((page, fact.unit, fact.form), {side: set() for side in SIDES})
            by_side[fact.side].update(fact.places)
    forms: dict[str, SurfaceForms] = {}
    for (page, unit, form), sides in places.items():
        own = forms.setdefault(page, SurfaceForms({}, {}, {}))
        gold, system = sides["gold"], sides["system"]
        same = any(spans for spans in gold & system)
        for units_of, is_there in zip(own, (gold, system, same), strict=True):
            if is_there:
                units_of[form] = min(unit, units_of.get(form, unit))
    return KnownForms(known.layers, known.absent, known.repairs, forms)


def draft_with_forms(gold: Document, system: Document, known: KnownForms, options: Wnut17Options) -> Iterator[Sheet]:
    """Yield the sheet of a pair, with verdicts on the surface forms that count in it."""
    anywhere = options.mends("surface-form-needs-its-place")
    for sheet in draft(gold, system, known, options):
        forms = (known.forms.get(page.group.layer, _NO_FORMS) for page in sheet.content)
        judged = [
            list(_verdicts(page, sheet.unit, own, anywhere=anywhere))
            for page, own in zip(sheet.content, forms, strict=True)
        ]
        yield with_verdicts(sheet, judged)


def with_verdicts(sheet: Sheet, verdicts: Iterable[Sequence[Verdict]]) -> Sheet:
    """Return a sheet whose pages have verdicts on forms."""
    pages = zip(sheet.content, verdicts, strict=True)
    return msgspec.structs.replace(sheet, content=[msgspec.structs.replace(page, forms=own) for page, own in pages])


def _verdicts(page: Page, unit: str, forms: SurfaceForms, *, anywhere: bool) -> Iterator[Verdict]:
    """Yield the verdicts on forms that count in a unit; those of both sides are right ``anywhere``, or in their place.

    Of several entities with a form the first stands for it.
    """
    golds = {entity: index for index, entity in enumerate(page.gold) if entity.spans}
    right: dict[Form, Verdict] = {}
    for index, entity in enumerate(page.system):
        form = _form(page.text, entity)
        if entity in golds and forms.right.get(form) == unit:
            right.setdefault(form, Verdict(EXACT, golds[entity], index, _REGIMES))
    yield from right.values()
    sides = ((page.gold, forms.gold, forms.system, FORM_MISSED), (page.system, forms.system, forms.gold, FORM_SPURIOUS))
    for entities, units, other_forms, case in sides:
        lone: dict[Form, Verdict] = {}
        for index, entity in enumerate(entities):
            form = _form(page.text, entity)
            if units.get(form) == unit and form not in forms.right:
                lone.setdefault(form, lone_form(form, index, other_forms if anywhere else (), case))
        yield from lone.values()


def lone_form(form: Hashable, index: int, others: Container[Hashable], case: str) -> Verdict:
    """Return the verdict on a form of a side that is not right in its place; the others may have it elsewhere."""
    gold, system = (index, None) if case == FORM_MISSED else (None, index)
    return Verdict(SAME_FORM if form in others else case, gold, system, _REGIMES)


def _form(text: str, entity: Entity) -> Form:
    return words_in(text, entity), entity.label


KeptForms = dict[str, tuple[int, int]]
"""For each form the sheet in which it counts, and the place of an entity with it on the page, by their numbers."""


def why_whole(known: EntitiesKnown, options: Wnut17Options) -> str:
    """Return why all documents are needed at once, or an empty string."""
    del known
    return "the first program takes words from one document into the next" if options.profile == "first" else ""


def draft_all(pairs: Sequence[Pair], known: EntitiesKnown, options: Wnut17Options) -> Iterator[Sheet]:
    """Yield the sheets of all pairs, with verdicts on the surface forms that the program had."""
    sheets = [sheet for pair in pairs for sheet in draft(*pair, known, options)]
    breaks = [_breaks(gold) for gold, _ in pairs]
    layers = range(len(sheets[0].content)) if sheets else range(0)
    judged = [_verdicts_of_the_first([sheet.content[layer] for sheet in sheets], breaks) for layer in layers]
    for index, sheet in enumerate(sheets):
        yield with_verdicts(sheet, [by_sheet[index] for by_sheet in judged])


def _verdicts_of_the_first(pages: Sequence[Page], breaks: Sequence[Container[int]]) -> list[list[Verdict]]:
    """Return the verdicts on the forms of a layer, page by page."""
    gold, system = _kept(pages, breaks)
    verdicts: list[list[Verdict]] = [[] for _ in pages]
    for forms, other_forms, case in ((gold, system, FORM_MISSED), (system, gold, FORM_SPURIOUS)):
        for form, (sheet, index) in forms.items():
            verdicts[sheet].append(lone_form(form, index, other_forms, case))
    return verdicts


def _kept(pages: Sequence[Page], breaks: Sequence[Container[int]]) -> tuple[KeptForms, KeptForms]:
    """Return the forms that the first program had, document after document; ``breaks`` are where sentences begin.

    Of the gold these are the entities that are right; before the words of one stand those of entities since the last
    that began as they should and ended elsewhere. Of the system it lost every entity that follows another without a
    token between them, unless that one was lost itself. A form of both sides stands for an entity that is right: it has
    one label, and is in one document.
    """
    gold: KeptForms = {}
    system: KeptForms = {}
    right: KeptForms = {}
    begun: list[str] = []
    for document, (page, starts) in enumerate(zip(pages, breaks, strict=True)):
        golds = {(entity.start, entity.label): index for index, entity in enumerate(page.gold) if entity.spans}
        kept = 0
        for index, entity in enumerate(page.system):
            if not entity.spans:
                system.setdefault(_spaced(entity.words), (document, index))
                continue
            follows = kept and entity.start not in starts and not page.text[kept : entity.start].strip()
            kept = 0 if follows else entity.end
            if kept:
                system.setdefault(_spaced(words_in(page.text, entity)), (document, index))
            partner = golds.get((entity.start, entity.label))
            if partner is not None:
                end = page.gold[partner].end
                begun.append(_spaced(page.text[entity.start : min(entity.end, end)]))
                if end == entity.end:
                    form = " ".join(begun)
                    gold.setdefault(form, (document, partner))
                    right.setdefault(form, (document, index))
                    begun.clear()
    return gold, {form: right.get(form, occurrence) for form, occurrence in system.items()}


def _spaced(text: str) -> str:
    return text.replace("\t", " ")


def _breaks(document: Document) -> Container[int]:
    """Return where the sentences of a document begin, as far as they are known."""
    table = document.table
    return {table.starts[token] for token in table.segments} if table is not None and table.starts else ()
