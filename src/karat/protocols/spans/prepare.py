"""From two corpora to sheets: for every document the entities of both sides, layer by layer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from karat.errors import many
from karat.model import Document
from karat.pairing import check_texts
from karat.pairing import paired as all_pairs
from karat.protocols.base import Case, Prepared
from karat.protocols.spans.items import Entity, entities_of, has_place, in_order
from karat.protocols.spans.judge import Layer, Place, Sheet
from karat.protocols.spans.options import Conll2003Options, EntityOptions
from karat.protocols.spans.pairing import Regime
from karat.protocols.spans.tags import agreement, entities_in, repairs, tags_of

Pairs = Sequence[tuple[Document, Document]]


def prepare(
    gold: Iterable[Document],
    system: Iterable[Document],
    options: EntityOptions,
    *,
    regimes: Callable[[Any], Sequence[Regime]],
) -> Prepared:
    """Pair the documents by their ids and read the entities off each."""
    pairing = all_pairs(list(gold), list(system), options.missing)
    layers = _layers(pairing.pairs)
    rules = regimes(options)
    drafts = [_Draft(left, right, layers, options) for left, right in pairing.pairs]
    cases = [Case(draft.gold.id, draft.sheet(rules)) for draft in drafts]
    notes = [*pairing.notes, *_remarks(drafts, layers, options)]
    return Prepared(cases, notes)


def _layers(pairs: Pairs) -> list[str]:
    """Return the layers that have a mention in some document of either side, or else the nameless one."""
    found = dict.fromkeys(mention.layer for both in pairs for document in both for mention in document.mentions)
    return sorted(found) or [""]


class _Draft:
    """A pair of documents, and what was noticed while their entities were read."""

    def __init__(self, gold: Document, system: Document, layers: Sequence[str], options: EntityOptions) -> None:
        check_texts(gold, system)
        self.gold, self.system = gold, system
        self.repeated, self.nowhere = [0, 0], [0, 0]
        self.tokens_differ = False
        official = isinstance(options, Conll2003Options) and options.profile == "official"
        sides = [self._side(at, layers, official) for at in range(2)]
        if options.layers == "ignore":
            sides = [{"": list(chain.from_iterable(side.values()))} for side in sides]
        self.layers = []
        tagged = isinstance(options, Conll2003Options)
        for name in sides[0]:
            entities = [self._different(at, side[name]) for at, side in enumerate(sides)]
            counted = self._tokens([name] if options.layers == "compare" else layers) if tagged else (0, 0)
            self.layers.append(Layer(name, entities[0], entities[1], *counted))

    def sheet(self, regimes: Sequence[Regime]) -> Sheet:
        """Return the sheet of the document."""
        return Sheet(self.gold.text, self.layers, regimes, _place(self.gold), _place(self.system))

    def _side(self, at: int, layers: Sequence[str], official: bool) -> dict[str, list[Entity]]:
        document = (self.gold, self.system)[at]
        self.nowhere[at] = sum(not has_place(mention) for mention in document.mentions)
        found = entities_of(document.mentions)
        sides = {}
        for layer in layers:
            tags = tags_of(document, layer) if official else None
            read = tags is not None and document.table is not None
            sides[layer] = entities_in(tags, document.table) if read else found.get(layer, [])
        return sides

    def _different(self, at: int, entities: list[Entity]) -> list[Entity]:
        different = in_order(entities)
        self.repeated[at] += len(entities) - len(different)
        return different

    def _tokens(self, layers: Sequence[str]) -> tuple[int, int]:
        tokens = same = 0
        for layer in layers:
            found = agreement(self.gold, self.system, layer)
            if found is None:
                self.tokens_differ = True
            else:
                tokens, same = tokens + found[0], same + found[1]
        return tokens, same


def _place(document: Document) -> Place:
    table = document.table
    if table is None or not table.starts:
        return Place(document.source)
    return Place(document.source, table.starts, table.lines)


def _remarks(drafts: Sequence[_Draft], layers: Sequence[str], options: EntityOptions) -> Iterator[str]:
    """Yield what a user should know before believing the numbers."""
    for at, side in enumerate(("gold", "system")):
        if repeated := sum(draft.repeated[at] for draft in drafts):
            yield f"left out {many(repeated, 'repetition')} of {side} entities with the same place and label"
        if nowhere := sum(draft.nowhere[at] for draft in drafts):
            yield f"left out {many(nowhere, 'mention')} of the {side} without a place in the text"
        documents = [(draft.gold, draft.system)[at] for draft in drafts]
        own = {mention.layer for document in documents for mention in document.mentions}
        if own and options.layers == "compare" and (absent := [name for name in layers if name not in own]):
            names = ", ".join(name or "the nameless layer" for name in absent)
            yield f"the {side} has no mentions in {names}; to compare all layers together say --layers ignore"
        if isinstance(options, Conll2003Options):
            yield from repairs(documents, side)
    if differing := sum(draft.tokens_differ for draft in drafts):
        yield f"accuracy leaves out {many(differing, 'document')} whose tokens are not the same on both sides"
