"""From a pair of documents to a sheet: the mentions of both sides with their identifiers, a page for each layer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from karat.errors import many
from karat.evaluation.pairing import check_texts
from karat.evaluation.protocol import Facts, Pair, Sheet, Side
from karat.evaluation.tally import Group
from karat.matching.sweep import ONLY_NEIGHBOURS, are_crowded, candidates
from karat.model import Document, Mention
from karat.protocols.linking.items import Linked, Rule, chosen, in_order, keys_of, linked
from karat.protocols.linking.judge import LinkedLayer, Page, aligned, in_clusters, joined_clusters
from karat.protocols.linking.options import LinkingOptions, TacOptions
from karat.protocols.spans.items import is_whole
from karat.vocabularies import NIL
from karat.vocabularies.identifiers import Normalizer

SIDES: tuple[Side, Side] = ("gold", "system")

"""Returns the rules of a protocol, by its options."""


class LinkLayerFact(msgspec.Struct, frozen=True):
    """A document has a mention in a layer, with a link or without."""

    layer: str
    linked: bool


class LinkingKnown(NamedTuple):
    """What is known of the whole corpus: the layers that count, those without a link, how identifiers are read."""

    layers: Sequence[str]
    unlinked: Sequence[str]
    read: Normalizer


def facts(document: Document, side: Side) -> Iterator[Hashable]:
    """Yield the layers in which a document has a mention, and those in which it has a link."""
    del side
    for layer, is_linked in dict.fromkeys((mention.layer, bool(mention.links)) for mention in document.mentions):
        yield LinkLayerFact(layer, is_linked)


def settle(facts: Facts, options: LinkingOptions) -> LinkingKnown:
    """Return the layers that count: those in which some mention of either side has a link, or all if none has."""
    layers = [fact for fact in facts if isinstance(fact, LinkLayerFact)]
    every, with_links = {fact.layer for fact in layers}, {fact.layer for fact in layers if fact.linked}
    unlinked = sorted(every - with_links) if with_links else []
    return LinkingKnown(sorted(with_links or every) or [""], unlinked, Normalizer(options))


def draft(
    gold: Document,
    system: Document,
    known: LinkingKnown,
    *,
    options: LinkingOptions,
    rules: tuple[Rule, ...],
    slices: Sequence[str],
) -> Iterator[Sheet]:
    """Yield the sheet of a pair of documents, with a page for each layer (or all together) and slice."""
    check_texts(gold, system)
    notes: Counter[Hashable] = Counter()
    sides = [
        _by_layer(side, document, known, options, notes) for side, document in zip(SIDES, (gold, system), strict=True)
    ]
    together = options.layers == "ignore"
    pages = []
    for name, layers in [("", known.layers)] if together else [(layer, [layer]) for layer in known.layers]:
        golds, systems = (
            _different(side, [item for layer in layers for item in by_layer[layer]], notes)
            for side, by_layer in zip(SIDES, sides, strict=True)
        )
        if any(item.alternatives for item in golds):
            golds = in_order(chosen(golds, systems, candidates(systems, golds)))
        if options.are_mentions_given:
            places = {item.spans for item in golds if item.spans}
            given = [item for item in systems if item.spans in places]
            notes["elsewhere", "system"] += len(systems) - len(given)
            systems = given
        if are_crowded(golds, systems):
            notes[ONLY_NEIGHBOURS] += 1
        layer = LinkedLayer(name, golds, systems, rules, gold.text, (gold.source, system.source))
        pages += [Page(Group(name, part), layer) for part in slices]
    yield Sheet(gold.id, pages, notes)


def _by_layer(
    side: Side, document: Document, known: LinkingKnown, options: LinkingOptions, notes: Counter[Hashable]
) -> dict[str, list[Linked]]:
    """Return the mentions of a document that count, as they are compared."""
    by_layer: dict[str, list[Linked]] = {name: [] for name in known.layers}
    any_link = side == "gold" and options.alternatives == "any"
    for mention in document.mentions:
        if mention.layer not in by_layer:
            continue
        if fault := _fault(mention, options):
            notes[fault, side] += 1
            continue
        item = linked(mention, known.read, alternatives=any_link)
        for way in item.target.ways:
            notes[way, side] += 1
        if item.target.name == NIL:
            notes[NIL, side] += 1
        by_layer[mention.layer].append(item)
    return by_layer


def _fault(mention: Mention, options: LinkingOptions) -> str:
    if not is_whole(mention):
        return "empty"
    return "unlinked" if not mention.links and options.unlinked == "leave-out" else ""


def _different(side: Side, items: list[Linked], notes: Counter[Hashable]) -> list[Linked]:
    different = in_order(items)
    notes["repeated", side] += len(items) - len(different)
    return different


def why_whole(known: LinkingKnown, options: LinkingOptions) -> str:
    """Return why all documents are needed at once, or an empty string."""
    del known
    is_corpus = isinstance(options, TacOptions) and options.clusters == "corpus"
    return "clusters of the whole corpus are aligned with each other" if is_corpus else ""


def draft_all(
    pairs: Sequence[Pair],
    known: LinkingKnown,
    *,
    options: LinkingOptions,
    rules: tuple[Rule, ...],
    slices: Sequence[str],
) -> Iterator[Sheet]:
    """Yield all sheets, with the clusters of the whole corpus aligned, layer by layer."""
    sheets = [
        sheet
        for gold, system in pairs
        for sheet in draft(gold, system, known, options=options, rules=rules, slices=slices)
    ]
    units = [sheet.unit for sheet in sheets]
    columns = [_with_alignments(units, pages) for pages in zip(*(sheet.content for sheet in sheets), strict=True)]
    for sheet, *pages in zip(sheets, *columns, strict=True):
        yield msgspec.structs.replace(sheet, content=pages)


def _with_alignments(units: Sequence[str], pages: Sequence[Page]) -> Iterator[Page]:
    """Align the clusters of a layer for every rule that compares clusters; a page is told about its own."""
    alignments = {}
    for rule in pages[0].layer.rules:
        if rule.pairing == "clusters":
            golds, systems = (
                joined_clusters(
                    (unit, in_clusters(side, keys_of(rule.fields, side)))
                    for unit, side in zip(units, (getattr(page, name) for page in pages), strict=True)
                )
                for name in SIDES
            )
            alignments[rule.name] = aligned(golds, systems)
    for page in pages:
        names = {item.target.name for item in page.system}
        own = {
            rule: {name: partners[name] for name in names & partners.keys()} for rule, partners in alignments.items()
        }
        yield Page(page.group, msgspec.structs.replace(page.layer, alignments=own))


_LEFT_OUT = {
    "empty": "left out {} of the {} that covers no character",
    "unlinked": "left out {} of the {} without a link",
    "repeated": "left out {} of the {} with the place, type and link of another one",
    "elsewhere": "left out {} of the {} that no gold mention has the place of",
    "redirect": "followed redirects from the links of {} of the {}",
    "same as": "read the links of {} of the {} as others that mean the same",
}


def remarks(notes: Counter[Hashable], known: LinkingKnown, options: LinkingOptions) -> Iterator[str]:
    """Yield remarks on mentions and links that were left out or changed."""
    yield from known.read.notes
    if known.unlinked:
        names = ", ".join(name or "the nameless layer" for name in known.unlinked)
        yield f"left out the layers without any link: {names}"
    if ONLY_NEIGHBOURS in notes:
        yield ONLY_NEIGHBOURS
    for side in SIDES:
        for what, words in _LEFT_OUT.items():
            if times := notes[what, side]:
                yield words.format(many(times, "mention"), side)
        if isinstance(options, TacOptions) and (nils := notes[NIL, side]) > 1:
            yield f"{nils} mentions of the {side} are NIL without a number, which makes them one cluster"
